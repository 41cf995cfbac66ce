/** Bytes that OpenSearch 2.19.4 writes of the same values: `SmileXContent.contentBuilder()`, with Jackson 2.18.2. */
import { expect, test } from 'vitest';
import { compileProto } from '#testing/arbitrary-message.ts';
import { encode } from './encoding-row.ts';
import { encodingSubject } from './encodings.ts';
import { SMILE } from './smile.ts';

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

function written(declarations: string, message: Uint8Array): Uint8Array {
  const read = encodingSubject(message, compileProto(`syntax = "proto3"; package random; ${declarations}`));
  if (!read.ok) throw new Error(read.reason);
  const result = encode(SMILE, read.subject);
  if (!result.ok) throw new Error(result.reason);
  return result.bytes;
}

test.each([
  ['an empty message', '', '', ''],
  ['a number of one byte', 'sint64 n = 1;', '081f', '806edf'],
  ['a number of two', 'int64 n = 1;', '0810', '806e24a0'],
  ['a negative one', 'sint64 n = 1;', '0821', '806e24a1'],
  ['the largest of 32 bits', 'int64 n = 1;', '08ffffffff07', '806e241f7f7f7fbe'],
  ['the next one', 'int64 n = 1;', '088080808008', '806e252000000080'],
  ['the smallest of 64 bits', 'int64 n = 1;', '0880808080808080808001', '806e25037f7f7f7f7f7f7f7fbf'],
  ['one above 63 bits', 'uint64 n = 1;', '0880808080808080808001', '806e26890020000000000000000000'],
  ['the largest', 'uint64 n = 1;', '08ffffffffffffffffff01', '806e2689003f7f7f7f7f7f7f7f7f03'],
  ['a float, its sign in the first byte', 'float n = 1;', '0dcdccccbd', '806e287b6e33194d'],
  ['a double', 'double n = 1;', '099c7500883ce437fe', '806e29017e1b79074840016b1c'],
  ['booleans', 'optional bool t = 1; optional bool f = 2;', '08011000', '807423806622'],
  ['an empty text', 'optional string s = 1;', '0a00', '807320'],
  ['a text of one byte', 'string s = 1;', '0a0161', '80734061'],
  ['a text beyond ASCII', 'string s = 1;', '0a04f09f9880', '807382f09f9880'],
  ['bytes', 'bytes b = 1;', '0a03010203', '8062fd83010203'],
])('%s', (_, fields, protobuf, smile) => {
  const bytes = written(`message A { ${fields} }`, Uint8Array.from(Buffer.from(protobuf, 'hex')));
  expect(hexOf(bytes)).toBe(`3a290a05fa${smile}fb`);
});

const varint = (value: number): readonly number[] =>
  value < 128 ? [value] : [(value & 127) | 128, ...varint(value >> 7)];
const sized = (bytes: readonly number[]): readonly number[] => [...varint(bytes.length), ...bytes];

test.each([
  ['a', 32, '5f', 1],
  ['a', 33, '60', 1],
  ['a', 64, '7f', 1],
  ['a', 65, 'e0', 2],
  ['a', 2666, 'e0', 2],
  ['a', 2667, 'e4', 2],
  ['é', 32, 'be', 1],
  ['é', 33, 'e4', 2],
])('a text of %s × %i begins with %s and takes %i bytes more', (letter, times, token, more) => {
  const text = [...new TextEncoder().encode(letter.repeat(times))];
  const bytes = written('message A { string s = 1; }', Uint8Array.from([0x0a, ...sized(text)]));
  expect([hexOf(bytes.subarray(7, 8)), bytes.length - text.length - 8]).toEqual([token, more]);
});

test.each([
  ['k', 64, 'bf', 1],
  ['k', 65, '34', 2],
  ['é', 28, 'f6', 1],
  ['é', 29, '34', 2],
])('a name of %s × %i begins with %s and takes %i bytes more, again one in all', (letter, times, token, more) => {
  const name = [...new TextEncoder().encode(letter.repeat(times))];
  const entry = [0x0a, ...sized([0x0a, ...sized(name), 0x10, 1])];
  const bytes = written(
    'message A { repeated M l = 1; } message M { map<string, bool> m = 1; }',
    Uint8Array.from([...[0x0a, ...sized(entry)], ...[0x0a, ...sized(entry)]]),
  );
  // `l`, `[`, `{`, `m` and `{` precede the name.
  expect(hexOf(bytes.subarray(12, 13))).toBe(token);
  expect(hexOf(bytes.subarray(12 + name.length + more))).toBe('23fbfbfa41fa4223fbfbf9fb');
});

/** Each name twice: `{"l": [{"n0": 1, "n1": 1, …}, {"n0": 1, …}]}`. */
test.each([
  [63, 445],
  [64, 453],
  [254, 2130],
  [255, 2142],
  [256, 2151],
  [1023, 11_404],
  [1024, 12_125],
  [1025, 12_144],
])('%i names of fields, twice, take %i bytes', (count, size) => {
  const numbers = Array.from({ length: count }, (_, at) => at);
  const fields = numbers.map((at) => `int32 n${at} = ${at + 1};`).join(' ');
  const one = [0x0a, ...sized(numbers.flatMap((at) => [...varint((at + 1) << 3), 1]))];
  const bytes = written(`message A { repeated M l = 1; } message M { ${fields} }`, Uint8Array.from([...one, ...one]));
  expect(bytes.length).toBe(size);
});
