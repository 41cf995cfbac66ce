import { expect, test } from 'vitest';
import { encodingById } from '../../encodings/encodings.ts';
import { MessageSample } from '../../encodings/message-sample.ts';
import { compileSchema } from '../../schema/compile.ts';
import { measureMatrix } from './measure-matrix.ts';

const { registry } = compileSchema([
  { path: 'i.proto', content: 'syntax = "proto3"; message Item { string name = 1; }' },
]);

/** Item { name: "a" }, with a field that the type does not declare. */
const UNKNOWN = Uint8Array.of(10, 1, 97, 0x48, 5);

test.each([
  ['all messages', UNKNOWN, [1e6, 1e6], { kept: undefined, bytes: 64 * 8, losses: ['unknown fields are dropped: 64'] }],
  ['a sample by bytes', UNKNOWN, [60, 1e6], { kept: 8, bytes: 64 * 8, losses: ['unknown fields are dropped: 64'] }],
  ['a sample of empty messages', new Uint8Array(), [60, 10], { kept: 8, bytes: 64, losses: [] }],
] as const)(
  'figures are those of all messages: %s',
  async (_, message, [mostBytes, mostMessages], { kept, bytes, losses }) => {
    const sample = new MessageSample(mostBytes, mostMessages);
    for (let ordinal = 0; ordinal < 64; ordinal++) sample.add(message, { ordinal });
    const { messages, sampled, rows } = await measureMatrix({
      ...{ type: registry.messages.get('Item')!, sample, per: 'message', kind: 'payloads', compressors: [] },
      encodings: [encodingById('msgpack-named')!],
    });
    expect([messages, sampled?.messages]).toEqual([64, kept]);
    expect(rows).toMatchObject([{ bytes, losses }]);
  },
);
