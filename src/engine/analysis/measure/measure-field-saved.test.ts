import { expect, test } from 'vitest';
import { delimiterOf } from '../../bytes/delimiter.ts';
import { joinBytes } from '../../bytes/join.ts';
import { loadCompressor } from '../../compression/compressors.ts';
import { CAPTURED_FORMATS } from '../../encodings/captured-encodings.ts';
import { MessageSample } from '../../encodings/message-sample.ts';
import { compileSchema } from '../../schema/compile.ts';
import { FieldSavings } from './measure-field-saved.ts';

const { registry } = compileSchema([
  { path: 't.proto', content: 'syntax = "proto3"; message Item { Item item = 1; string name = 2; }' },
]);

/** Field 1 nested in itself to a depth. */
function nested(depth: number): Uint8Array {
  let message = new Uint8Array();
  for (let level = 0; level < depth; level++)
    message = joinBytes([Uint8Array.of(10), delimiterOf('varint', message.length), message]);
  return message;
}

test('a message that the encoding cannot represent is in no figure, with a field or without it', async () => {
  const sample = new MessageSample(1e6);
  for (const message of [Uint8Array.of(0x12, 1, 97), nested(400)]) sample.add(message, { delimiter: 'varint' });
  const savings = new FieldSavings({
    ...{ sample, type: registry.messages.get('Item')!, per: 'joined' },
    ...{ compressor: await loadCompressor('gzip'), captured: CAPTURED_FORMATS.json.row },
  });
  expect(savings.messages).toBe(1);
  expect(await savings.of('item')).toMatchObject({ bytes: 0, low: 0, high: 0 });
});
