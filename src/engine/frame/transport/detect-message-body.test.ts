import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { emptyLayers } from '../../capture/containers/packets-layers.ts';
import { CaptureLog } from '../../capture/containers/packets-log.ts';
import { bytes } from '../conversation.testing.ts';
import { isMessageByContents } from './detect-message-body.ts';

const RW1 = readFileSync(new URL('../../../../fixtures/input/codecfixture.rw1.binpb', import.meta.url));
const PNG = bytes([0x89], 'PNG\r\n\x1a\n', [0, 0, 0, 13], 'IHDR', [0, 0, 5, 0, 0, 0, 3, 132, 8, 2, 0, 0, 0]);

test.each<[string, Uint8Array, readonly string[], boolean]>([
  ['a message', RW1, [], true],
  ['a message, compressed', gzipSync(RW1), ['gzip'], true],
  ['a message of nothing but text', bytes('\n\x05hello\x12\x05there'), [], true],
  [
    'a body that cannot be decoded counts as a message, and is reported where it is decoded',
    bytes('no gzip'),
    ['gzip'],
    true,
  ],
  ['a picture', PNG, [], false],
  ['a photograph', bytes([0xff, 0xd8, 0xff, 0xe0, 0, 16], 'JFIF'), [], false],
  ['a page', bytes('<!doctype html><title>x</title>'), [], false],
  ['JSON, compressed', gzipSync('{"a":[1,2]}'), ['gzip'], false],
  ['a word that records would tile', bytes('hi'), [], false],
  ['an archive', bytes('PK\x03\x04\x14\0\0\0'), [], false],
  ['WebAssembly', bytes('\0asm', [1, 0, 0, 0]), [], false],
  ['a call of Thrift', bytes([0x80, 1, 0, 1, 0, 0, 0, 3], 'get', [0, 0, 0, 0, 8, 0, 1, 0, 0, 0, 7, 0]), [], false],
  ['CBOR', bytes([0xa2, 0x61], 'a', [1, 0x61], 'b', [0x82, 2, 3]), [], false],
  ['zeros', new Uint8Array(64), [], false],
  ['one byte repeated', new Uint8Array(64).fill(16), [], false],
])('%s', (_name, captured, steps, expected) => {
  const log = new CaptureLog(emptyLayers());
  const pieces = [{ start: 40, end: 40 + captured.length }];
  expect(isMessageByContents({ captured, steps, pieces, title: 'POST /a' }, log)).toBe(expected);
  const found = log.finish().map(({ code, start, message }) => [code, start, message]);
  const text = 'The type of the body of POST /a is not declared, and its contents are not a protobuf message.';
  expect(found).toEqual(expected ? [] : [['http/unknown-body', 40, text]]);
});
