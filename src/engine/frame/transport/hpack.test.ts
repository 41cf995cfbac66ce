import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeHuffman, HUFFMAN_LENGTHS } from '../../compression/hpack-huffman.ts';
import { HpackDecoder } from './hpack.ts';

const hex = (text: string): Uint8Array => new Uint8Array(Buffer.from(text.replaceAll(' ', ''), 'hex'));
const print = (decoder: HpackDecoder, block: string): string[] =>
  decoder.decode(hex(block)).headers.map(({ name, value }) => `${name}: ${value}`);

test('three requests in a row, Huffman-coded (RFC 7541, C.4)', () => {
  const decoder = new HpackDecoder();
  const first = [':method: GET', ':scheme: http', ':path: /', ':authority: www.example.com'];
  expect(print(decoder, '8286 8441 8cf1 e3c2 e5f2 3a6b a0ab 90f4 ff')).toEqual(first);
  expect(print(decoder, '8286 84be 5886 a8eb 1064 9cbf')).toEqual([...first, 'cache-control: no-cache']);
  expect(print(decoder, '8287 85bf 4088 25a8 49e9 5ba9 7d7f 8925 a849 e95b b8e8 b4bf')).toEqual([
    ':method: GET',
    ':scheme: https',
    ':path: /index.html',
    ':authority: www.example.com',
    'custom-key: custom-value',
  ]);
});

test.each([
  [
    'a literal that enters the table (C.2.1)',
    '400a 6375 7374 6f6d 2d6b 6579 0d63 7573 746f 6d2d 6865 6164 6572',
    ['custom-key: custom-header'],
    true,
  ],
  ['a literal that does not (C.2.2)', '040c 2f73 616d 706c 652f 7061 7468', [':path: /sample/path'], true],
  ['a literal never indexed (C.2.3)', '1008 7061 7373 776f 7264 0673 6563 7265 74', ['password: secret'], true],
  ['the last of the static table', 'bd', ['www-authenticate: '], true],
  ['an entry sent before the capture', 'be', ['null: null'], false],
  ['a name sent before the capture', '7f00 0161', ['null: a'], false],
  ['an integer that does not end', 'ff ff ff ff ff ff ff', ['null: null'], false],
  ['a string that is cut', '0005 6162', [], false],
])('%s', (_name, block, headers, sound) => {
  const decoded = new HpackDecoder().decode(hex(block));
  expect(decoded.headers.map(({ name, value }) => `${name}: ${value}`)).toEqual(headers);
  expect(decoded.sound).toBe(sound);
});

test('entries leave the table when it shrinks', () => {
  const decoder = new HpackDecoder();
  decoder.decode(hex('4001 6101 62'));
  expect(decoder.decode(hex('be')).sound).toBe(true);
  expect(decoder.decode(hex('20 be')).sound).toBe(false);
});

test('entries added after a lost block keep their index', () => {
  const decoder = new HpackDecoder();
  decoder.decode(hex('4001 6101 62'));
  decoder.forget();
  expect(print(decoder, '4001 6301 64 be bf')).toEqual(['c: d', 'c: d', 'null: null']);
});

test('the Huffman code is complete', () => {
  expect(HUFFMAN_LENGTHS.reduce((sum, length) => sum + 2 ** (30 - length), 0)).toBe(2 ** 30);
});

test('padding must be a prefix of the EOS code', () => {
  expect(decodeHuffman(hex('1f'))).toEqual(hex('61'));
  expect(decodeHuffman(hex('18'))).toBeNull();
  expect(decodeHuffman(hex('ffffffff'))).toBeNull();
});

test('never throws', () => {
  const decoder = new HpackDecoder();
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), (block) => {
      expect(() => decoder.decode(block)).not.toThrow();
    }),
    { numRuns: 2000 },
  );
});
