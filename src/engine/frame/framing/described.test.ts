/**
 * Framings as other protocols define them, described by their fields:
 * MySQL's X protocol https://dev.mysql.com/doc/dev/mysql-server/latest/page_mysqlx_protocol_messages.html
 * Riak https://docs.riak.com/riak/kv/latest/developing/api/protocol-buffers/index.html
 * Mumble https://github.com/mumble-voip/mumble/blob/master/docs/dev/network-protocol/README.md
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { describedFraming } from './described.ts';
import type { Framing } from './framing.ts';
import { FRAMINGS } from './framings.ts';

const framingOf = (description: string): Framing => {
  const framing = describedFraming(description);
  if (typeof framing === 'string') throw new Error(framing);
  return framing;
};

function read(description: string, input: Uint8Array, chunk = Math.max(1, input.length)) {
  const framer = framingOf(description).create(input.length);
  const messages: string[] = [];
  for (let at = 0; at === 0 || at < input.length; at += chunk)
    framer.push(input.subarray(at, at + chunk), at + chunk >= input.length, (_, payload) =>
      messages.push(Buffer.from(payload).toString('hex')),
    );
  return { messages, facts: framer.facts() };
}

const hex = (text: string): Uint8Array => new Uint8Array(Buffer.from(text.replaceAll(' ', ''), 'hex'));
const MESSAGES = ['0801', '', '12036162 63'].map((text) => text.replaceAll(' ', ''));

test.each([
  ['X protocol', 'le32 [1 message]', '03000000 0c 0801  01000000 07  06000000 0c 1203616263'],
  ['Riak', 'be32[ 1, message ]', '00000003 0a 0801  00000001 09  00000006 0a 1203616263'],
  ['Mumble', '2 be32 message', '0003 00000002 0801  0001 00000000  0003 00000005 1203616263'],
  ['a size that counts itself', '[be16 1 message]', '0005 63 0801  0003 63  0008 63 1203616263'],
  [
    'magic bytes, and a checksum behind',
    '0xCAFE le24 message 4',
    'cafe 020000 0801 aaaaaaaa  cafe 000000 aaaaaaaa  cafe 050000 1203616263 aaaaaaaa',
  ],
  ['a checksum that the size counts', 'u8 [message 2]', '04 0801 aaaa  02 aaaa  07 1203616263 aaaa'],
  ['varint', '0x00 varint 1 message', '00 02 01 0801  00 00 01  00 05 01 1203616263'],
  ['eight bytes', 'be64 message', '0000000000000002 0801 0000000000000000 0000000000000005 1203616263'],
])('%s: %s', (_, description, bytes) => {
  const input = hex(bytes);
  for (const chunk of [input.length, 3, 1]) {
    const { messages, facts } = read(description, input, chunk);
    expect(messages).toEqual(MESSAGES);
    expect(facts).toMatchObject({
      payloadBytes: 7,
      framingBytes: input.length - 7,
      unattributedBytes: 0,
      diagnostics: [],
    });
  }
});

test.each([
  ['other constant bytes', '0xcafe u8 message', 'cafe 01 aa  cade 01 aa', 'frame/bad-prefix', 4],
  ['a size smaller than what it counts', '[be16 1 message]', '0004 63 aa  0002 63 aa', 'frame/bad-prefix', 4],
  ['a size beyond the end', 'be64 message', '0000000000000001 aa  ffffffffffffffff aa', 'frame/truncated-message', 9],
  ['an end within the fields', 'le32 [1 message]', '02000000 0c 08  0200', 'frame/truncated-prefix', 2],
])('%s: the rest is unattributed', (_, description, bytes, code, rest) => {
  const { messages, facts } = read(description, hex(bytes));
  expect(messages).toHaveLength(1);
  expect(facts.unattributedBytes).toBe(rest);
  expect(facts.diagnostics.map((one) => one.code)).toEqual([code]);
});

describe('not a description', () => {
  test.each([
    ['be64', /^There has to be one size, and the message behind it/],
    ['message', /^There has to be one size, and the message behind it/],
    ['u8 u8 message', /^There has to be one size, and the message behind it/],
    ['u8 message message', /^message is not a field/],
    ['message u8', /^Only a number of bytes/],
    ['u8 message 0xca', /^Only a number of bytes/],
    ['le12 message', /^le12 is not a field/],
    ['0xabc u8 message', /^0xabc is not a field/],
    ['u8 0 message', /^0 is not a field/],
    ['u8 99999 message', /^99999 is not a field/],
    ['[u8] [message]', /^Brackets stand once/],
    ['u8 ]message[', /^Brackets stand once/],
    ['[u8 1] message', /^The message has to stand between the brackets/],
    [`u8 ${'1 '.repeat(16)}message`, /^At most 16 fields/],
    [`0x${'00'.repeat(17)} u8 message`, /^At most 16 fields, 16 bytes that are always there/],
    ['65536 u8 message', /65,536 bytes in all/],
    ['', /^There has to be one size, and the message behind it/],
  ])('%s', (description, why) => expect(describedFraming(description)).toMatch(why));
});

test('a name and a description are never the same', () => {
  for (const { id } of FRAMINGS) expect(describedFraming(id), id).toBeTypeOf('string');
});

test('any bytes: each is a message, framing or unattributed, and no chunk changes that', () => {
  const word = fc.constantFrom('1', '3', '0x00', '0x0102');
  const descriptions = fc
    .tuple(
      fc.array(word, { maxLength: 2 }),
      fc.constantFrom('u8', 'be16', 'be24', 'le32', 'be64', 'varint'),
      fc.array(word, { maxLength: 2 }),
      fc.array(fc.constantFrom('1', '4'), { maxLength: 2 }),
      fc.constantFrom('', 'size', 'behind'),
    )
    .map(([first, size, second, last, counted]) =>
      [
        ...[
          ...first,
          `${counted === 'size' ? '[' : ''}${size}`,
          counted === 'behind' ? '[' : '',
          ...second,
          'message',
          ...last,
        ],
        counted === '' ? '' : ']',
      ].join(' '),
    );
  const input = fc
    .array(fc.constantFrom(0, 1, 2, 4, 9, 0x80, 0xff), { maxLength: 60 })
    .map((bytes) => Uint8Array.from(bytes));
  fc.assert(
    fc.property(descriptions, input, fc.integer({ min: 1, max: 9 }), (description, bytes, chunk) => {
      const whole = read(description, bytes);
      expect(read(description, bytes, chunk)).toEqual(whole);
      const { payloadBytes, framingBytes, unattributedBytes } = whole.facts;
      expect(payloadBytes + framingBytes + unattributedBytes).toBe(bytes.length);
    }),
  );
});
