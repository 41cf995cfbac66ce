import { describe, expect, test } from 'vitest';
import { tarHeader } from '#engine/compression/archives/tar.ts';
import { CLASSIFY_BYTES, classifyDrop, isWrapped } from './classify-drop.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);
const bytes = (hex: string) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));

describe('the kind of a drop', () => {
  test.each([
    ['proto3 text', 'a.txt', utf8('syntax = "proto3";\nmessage A { int32 a = 1; }'), 'schema-text'],
    ['an edition', 'a', utf8('edition = "2023";'), 'schema-text'],
    ['proto2 without a syntax line', 'paste', utf8('message A {\n optional int32 a = 1;\n}'), 'schema-text'],
    ['a licence comment first', 'paste', utf8('// Copyright\n/* more */\npackage a.b;\n'), 'schema-text'],
    ['a statement inside a comment only', 'paste', utf8('// message A {\n'), 'payload'],
    ['a statement inside a block comment', 'paste', utf8('/*\nmessage A {\n*/'), 'payload'],
    ['nothing but a comment, named .proto', 'a.proto', utf8('// soon\n'), 'schema-text'],
    ['hex', 'paste', utf8('0a 03 66 6f 6f'), 'payload'],
    ['base64', 'paste', utf8('CgNmb28='), 'payload'],
    ['a log line that talks of a message', 'log', utf8('got message of 3 bytes {"a": 1}'), 'payload'],
    ['a hexdump', 'dump', utf8('00000000  0a 03 66 6f 6f  |..foo|'), 'payload'],
    ['binary', 'x.bin', bytes('0a0366006f'), 'payload'],
    ['invalid UTF-8', 'x.proto', bytes('ff80'), 'payload'],
    ['nothing', 'x', bytes(''), 'payload'],
    // set.file[0] { name: "a/b.proto" }
    ['a descriptor set', 'x.bin', bytes('0a0b0a09612f622e70726f746f'), 'descriptor-set'],
    // { name: "a/b.proto" }, and then its package
    ['a file of a set by itself', 'x.bin', bytes('0a09612f622e70726f746f120161'), 'descriptor-set'],
    ['a payload whose string has letters before such an end', 'x.bin', bytes('0a09610a622e70726f746f'), 'payload'],
    ['an image as JSON', 'image.json', utf8('{"file": [{"name": "a.proto"}]}'), 'descriptor-set'],
    ['other JSON', 'log.json', utf8('{"files": [1]}'), 'payload'],
    ['a payload with a string first', 'x.bin', bytes('0a0b0a09612f622e6a736f6e6e'), 'payload'],
    [
      'a descriptor set of two-byte length',
      'x',
      bytes(`0a8b020a09612f622e70726f746f${'00'.repeat(40)}`),
      'descriptor-set',
    ],
  ] as const)('%s', (_, name, head, expected) => {
    expect(classifyDrop(name, head)).toBe(expected);
  });

  test('a beginning that ends inside a character is text', () => {
    const head = utf8(`message A {}${'x'.repeat(CLASSIFY_BYTES - 13)}ü`).subarray(0, CLASSIFY_BYTES);
    expect(classifyDrop('x', head)).toBe('schema-text');
  });
});

test.each([
  ['zip', bytes('504b0304140000000800'), true],
  ['gzip', bytes('1f8b0800'), true],
  ['zstd', bytes('28b52ffd'), true],
  ['lz4', bytes('04224d18'), true],
  ['snappy, framed', bytes('ff060000734e61507059'), true],
  ['an empty zip', bytes('504b0506000000000000'), true],
  ['legacy lz4', bytes('02214c18'), true],
  ['zstd after a skippable frame', bytes('502a4d18010000000028b52ffd'), true],
  ['zlib', bytes('789c4b4c4a060000'), true],
  ['tar', tarHeader('a', 0), true],
  ['base64 of a set', utf8('CosCCglhL2I='), true],
  ['a message', bytes('0a03666f6f'), false],
  ['text', utf8('x marks the spot'), false],
])('possible wrappers: %s', (_, head, expected) => {
  expect(isWrapped(head)).toBe(expected);
});
