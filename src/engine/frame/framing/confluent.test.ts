/**
 * The fixtures are what Confluent's own ProtobufSerializer (Python, 2.12) writes of three types of one file, `Address`,
 * `Order` and `Order.Line`: one record, and forty behind four bytes of size each.
 */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Message } from '../message.ts';
import { CONFLUENT } from './confluent.ts';
import { judgeFramings } from './framings.ts';
import { SIZE_PREFIXED } from './size-prefixed.ts';

const fixture = (name: string): Uint8Array =>
  new Uint8Array(readFileSync(new URL(`../../../../fixtures/input/${name}`, import.meta.url)));
const DUMP = fixture('registry-orders.be32');
const RECORD = fixture('registry-order.confluent');

function read(id: string, input: Uint8Array, cut = input.length) {
  const framer = [...CONFLUENT, ...SIZE_PREFIXED].find((framing) => framing.id === id)!.create(input.length);
  const messages: Message[] = [];
  const take = (message: Message) => messages.push(message);
  if (cut < input.length) framer.push(input.slice(0, cut), false, take);
  framer.push(input.slice(cut === input.length ? 0 : cut), true, take);
  return { messages, facts: framer.facts() };
}

test.each([
  ['one record', RECORD, 'confluent'],
  ['a dump of a topic', DUMP, 'confluent-be32'],
])('%s is recognised', (_, input, id) => expect(judgeFramings(input, input.length)[0]!.id).toBe(id));

test('records of three types, whose message indexes are [1], 0 and [1, 0]', () => {
  const { messages, facts } = read('confluent-be32', DUMP);
  expect(messages.length).toBe(40);
  expect(messages.slice(4, 7).map(({ bytes }) => bytes)).toEqual([50, 15, 16]);
  expect(messages.slice(4, 7).map(({ typePlace }) => typePlace)).toEqual(['1', '0', '1.0']);
  // 40 sizes; 40 heads of five bytes; lists of indexes of two bytes, one, and three.
  expect(facts).toMatchObject({ framingBytes: 160 + 200 + 30 * 2 + 5 + 5 * 3, unattributedBytes: 0, diagnostics: [] });
});

test('a single record extends to the end of the input', () => {
  const { messages, facts } = read('confluent', RECORD);
  expect(messages.map(({ bytes }) => bytes)).toEqual([48]);
  expect(facts.framingBytes).toBe(7);
});

test.each([
  ['records of a schema registry', DUMP, 'confluent-be32', 40],
  ['plain messages', Uint8Array.from([0, 0, 0, 3, 10, 1, 65, 0, 0, 0, 3, 10, 1, 66]), 'be32', 2],
])('a dump of %s by kcat: a record without a value has the size −1, and no message', (_, records, id, count) => {
  const none = [255, 255, 255, 255];
  const input = Uint8Array.from([...none, ...records, ...none, ...none, ...records, ...none]);
  expect(judgeFramings(input, input.length)[0]!.id).toBe(id);
  const { messages, facts } = read(id, input, 2);
  expect(messages.length).toBe(2 * count);
  expect(facts).toMatchObject({ unattributedBytes: 0, diagnostics: [] });
});

describe('bytes that are not records', () => {
  test.each([
    ['another magic', '0100000001000a0141'],
    ['a negative number of indexes', '0000000001010a0141'],
    ['a negative index', '000000000102010a0141'],
    ['a hundred indexes', '0000000001c8010a0141'],
    ['an index of three bytes', '000000000102ffff010a01'],
    ['a head that ends early', '00000000'],
  ])('%s', (_, hex) => {
    const input = Uint8Array.from(Buffer.from(hex, 'hex'));
    const { messages, facts } = read('confluent', input);
    expect([messages.length, facts.unattributedBytes, facts.diagnostics.length]).toEqual([0, input.length, 1]);
  });
});

test('in records cut and changed anywhere, every byte is counted once', () => {
  const changed = fc.tuple(fc.nat(DUMP.length - 1), fc.nat(255), fc.nat(DUMP.length), fc.nat(DUMP.length));
  fc.assert(
    fc.property(changed, fc.constantFrom(...CONFLUENT), ([at, byte, size, cut], { id }) => {
      const input = DUMP.slice(0, size);
      if (at < size) input[at] = byte;
      const { facts } = read(id, input, Math.min(cut, size));
      expect(facts.framingBytes + facts.capturedBytes + facts.unattributedBytes).toBe(size);
    }),
    { numRuns: 500 },
  );
});
