/** Messages that an encoding cannot represent are in no figure. */
import { expect, test } from 'vitest';
import { floatBytes } from '../../bytes/float-bytes.ts';
import { loadCompressor } from '../../compression/compressors.ts';
import { encodingById } from '../../encodings/encodings.ts';
import { MessageSample } from '../../encodings/message-sample.ts';
import { compileSchema } from '../../schema/compile.ts';
import { measureBits } from './measure-bits.ts';

const { registry } = compileSchema([
  { path: 't.proto', content: 'syntax = "proto3"; message Item { double size = 1; }' },
]);

test('Borsh has no NaN: such a message is left out of the number of messages, too', async () => {
  const sample = new MessageSample(1000);
  for (const size of [1, Number.NaN]) sample.add(Uint8Array.of(0x09, ...floatBytes(size, 'double')));
  const measured = await measureBits({
    ...{ sample, type: registry.messages.get('Item')!, per: 'joined' },
    ...{ encoding: encodingById('borsh')!, compressor: await loadCompressor('gzip') },
  });
  expect(measured).toMatchObject({ messages: 1, plainBytes: 8 });
});
