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

test('plain bytes of a sample have their error, except those that are known of all messages', async () => {
  // A long and a short name in turn: a numbered map takes a byte more for the long one.
  const name = (length: number) => Uint8Array.of(10, length, ...Array<number>(length).fill(97));
  const sizes = [3, 40, 3, 3, 3, 40, 40, 3];
  const sample = new MessageSample(150);
  for (const [ordinal, length] of sizes.entries()) sample.add(name(length), { ordinal });
  const measure = (of: MessageSample) =>
    measureMatrix({
      ...{ type: registry.messages.get('Item')!, sample: of, per: 'message', kind: 'payloads', compressors: [] },
      encodings: ['protobuf', 'msgpack-numbered'].map((id) => encodingById(id)!),
    });
  const { rows, sampled } = await measure(sample);
  const [protobuf, msgpack] = rows;
  expect(sampled).not.toBeNull();
  expect([protobuf!.bytes, protobuf!.errors]).toEqual([151, { none: 0 }]);
  const exact = sizes.reduce((sum, length) => sum + length + (length < 32 ? 3 : 4), 0);
  const error = msgpack!.errors['none']!;
  expect(error).toBeGreaterThan(0);
  expect(Math.abs(msgpack!.bytes! - exact)).toBeLessThanOrEqual(error * msgpack!.bytes! + 1);
  const one = new MessageSample(50);
  for (const length of [40, 40]) one.add(name(length), {});
  expect((await measure(one)).rows.map(({ errors }) => errors)).toEqual([{}, {}]);
});
