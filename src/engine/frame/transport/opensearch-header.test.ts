import { expect, test } from 'vitest';
import { bytes, short } from '../conversation.testing.ts';
import { readOpenSearchHeader } from './opensearch-header.ts';

const LONG = 'x'.repeat(300);

test.each<[string, Uint8Array, Readonly<Record<string, string>>, string | null]>([
  ['a request', bytes([1], short('user'), short('me'), [0, 0], short('a:b')), { user: 'me' }, 'a:b'],
  ['a request with features', bytes([0, 0, 2], short('one'), short('two'), short('a:b')), {}, 'a:b'],
  [
    'two headers',
    bytes([2], short('a'), short('1'), short('b'), short('2'), [0, 0], short('c')),
    { a: '1', b: '2' },
    'c',
  ],
  ['a header of no letters', bytes([1], short('a'), [0, 0, 0], short('c')), { a: '' }, 'c'],
  ['a text of many letters', bytes([1], short('a'), [0xac, 2], LONG, [0, 0], short('c')), { a: LONG }, 'c'],
  [
    'letters of one, two and three bytes',
    bytes([0, 0, 0, 5, 0x61, 0xc3, 0xa4, 0xe2, 0x82, 0xac, 0xdf, 0xbf, 0x7a]),
    {},
    'aä€߿z',
  ],
  ['a character of two units', bytes([0, 0, 0, 2, 0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80]), {}, '😀'],
  ['a response', bytes([0, 0]), {}, null],
  ['a response that warns', bytes([0, 1], short('Warning'), [1], short('old')), { Warning: 'old' }, null],
  [
    'a response that warns twice',
    bytes([0, 1], short('Warning'), [2], short('old'), short('slow')),
    { Warning: 'old, slow' },
    null,
  ],
])('%s', (_, header, headers, action) => {
  // It is read where it stands in a frame.
  const frame = bytes([7], header, [7]);
  const read = readOpenSearchHeader(frame, 1, frame.length - 1, action !== null);
  expect(read).toEqual({ bytes: header, headers, action });
});

test.each<[string, boolean, Uint8Array]>([
  ['nothing', true, bytes()],
  ['an action with bytes behind it', true, bytes([0, 0, 0], short('a:b'), [0])],
  ['a request without its action', true, bytes([0, 0, 0])],
  ['a response with an action', false, bytes([0, 0, 0], short('a:b'))],
  ['a text that is longer than the header', true, bytes([0, 0, 0, 4], 'a:b')],
  ['a letter that is cut', true, bytes([0, 0, 0, 2, 0x61, 0xe2, 0x82])],
  ['fewer headers than are announced', false, bytes([2], short('a'), short('1'), [0])],
  ['fewer values than are announced', false, bytes([0, 1], short('a'), [2], short('1'))],
  ['a count of six bytes', false, bytes([0x80, 0x80, 0x80, 0x80, 0x80, 0, 0])],
])('%s cannot be read', (_, isRequest, header) => {
  expect(readOpenSearchHeader(header, 0, header.length, isRequest)).toBeNull();
});
