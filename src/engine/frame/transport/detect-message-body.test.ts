import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { bytes } from '../conversation.testing.ts';
import { isMessageByContents } from './detect-message-body.ts';

const RW1 = readFileSync(new URL('../../../../fixtures/input/codecfixture.rw1.binpb', import.meta.url));
const PNG = bytes([0x89], 'PNG\r\n\x1a\n', [0, 0, 0, 13], 'IHDR', [0, 0, 5, 0, 0, 0, 3, 132, 8, 2, 0, 0, 0]);

test.each<[string, Uint8Array, boolean]>([
  ['a message', RW1, true],
  ['a message of nothing but text', bytes('\n\x05hello\x12\x05there'), true],
  ['a picture', PNG, false],
  ['a photograph', bytes([0xff, 0xd8, 0xff, 0xe0, 0, 16], 'JFIF'), false],
  ['a message after its size', bytes([17, 8, 24, 106, 13, 10, 8], '{"i":10}', [18, 1], 'm'), false],
  ['messages of two types after their sizes', bytes([9, 9, 73, 171, 118, 188, 74, 157, 37, 42, 2, 8, 2]), false],
  ['four numbers that tile as a message after its size', bytes([8, 61, 16, 45, 32, 30, 40, 252, 1]), true],
  ['a page', bytes('<!doctype html><title>x</title>'), false],
  ['JSON', bytes('{"a":[1,2]}'), false],
  ['a word that records would tile', bytes('hi'), false],
  ['an archive', bytes('PK\x03\x04\x14\0\0\0'), false],
  ['WebAssembly', bytes('\0asm', [1, 0, 0, 0]), false],
  ['a call of Thrift', bytes([0x80, 1, 0, 1, 0, 0, 0, 3], 'get', [0, 0, 0, 0, 8, 0, 1, 0, 0, 0, 7, 0]), false],
  ['CBOR', bytes([0xa2, 0x61], 'a', [1, 0x61], 'b', [0x82, 2, 3]), false],
  ['zeros', new Uint8Array(64), false],
  ['one byte repeated', new Uint8Array(64).fill(16), false],
])('%s', (_name, body, expected) => {
  expect(isMessageByContents(body, undefined)).toBe(expected);
});
