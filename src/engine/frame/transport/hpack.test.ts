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

test('three responses in a row, with a table of 256 octets (RFC 7541, C.6)', () => {
  const decoder = new HpackDecoder();
  decoder.decode(hex('3fe1 01'));
  const first = [
    ':status: 302',
    'cache-control: private',
    'date: Mon, 21 Oct 2013 20:13:21 GMT',
    'location: https://www.example.com',
  ];
  expect(
    print(
      decoder,
      '4882 6402 5885 aec3 771a 4b61 96d0 7abe 9410 54d4 44a8 2005 9504 0b81 66e0 82a6 2d1b ff6e 919d 29ad 1718 63c7 8f0b 97c8 e9ae 82ae 43d3',
    ),
  ).toEqual(first);
  expect(print(decoder, '4883 640e ff c1 c0 bf')).toEqual([':status: 307', ...first.slice(1)]);
  expect(
    print(
      decoder,
      '88c1 6196 d07a be94 1054 d444 a820 0595 040b 8166 e084 a62d 1bff c05a 839b d9ab 77ad 94e7 821d d7f2 e6c7 b335 dfdf cd5b 3960 d5af 2708 7f36 72c1 ab27 0fb5 291f 9587 3160 65c0 03ed 4ee5 b106 3d50 07',
    ),
  ).toEqual([
    ':status: 200',
    'cache-control: private',
    'date: Mon, 21 Oct 2013 20:13:22 GMT',
    'location: https://www.example.com',
    'content-encoding: gzip',
    'set-cookie: foo=ASDJKHQKBZXOQWEOPIUAXQWEOIU; max-age=3600; version=1',
  ]);
  // Three entries of 98, 52 and 65 octets are left.
  expect(print(decoder, 'c0')).toEqual(['date: Mon, 21 Oct 2013 20:13:22 GMT']);
  expect(decoder.decode(hex('c1')).sound).toBe(false);
});

test.each([
  ['4096 headers', '82'.repeat(4096), 4096, true],
  ['more', '82'.repeat(4097), 4096, false],
  ['more, the last of which enters the table', `${'82'.repeat(4096)}400163 0164`, 4096, false],
  ['a MiB of values', `000161 7f81ff3f${'61'.repeat(2 ** 20)}`, 1, true],
  ['a MiB of values, and more', `000161 7f81ff3f${'61'.repeat(2 ** 20)}82`, 1, false],
])('of a block with %s, entries of the table are known if it was read', (_name, block, count, isRead) => {
  const decoder = new HpackDecoder();
  decoder.decode(hex('4001 6101 62'));
  const { headers, sound } = decoder.decode(hex(block));
  expect([headers.length, sound]).toEqual([count, isRead]);
  expect(decoder.decode(hex('be')).sound).toBe(isRead);
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
