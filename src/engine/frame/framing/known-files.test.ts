/**
 * Files that programs wrote: TensorFlow 2.21 (TFRecord), libosmium 2 (OpenStreetMap PBF), the file exporter of
 * OpenTelemetry's collector 0.120 (compressed). The digests are those of the messages as TensorFlow's reader, Python's
 * protobuf and zlib, and the exporter without compression give them.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bytesSource } from '../../bytes/source.ts';
import { loadDecoders } from '../../compression/load-decoders.ts';
import type { BodyRef } from '../message.ts';
import { readBody } from '../read-body.ts';
import { FRAMINGS, judgeFramings } from './framings.ts';

await loadDecoders();

const fixture = (name: string): Uint8Array =>
  new Uint8Array(readFileSync(new URL(`../../../../fixtures/input/${name}`, import.meta.url)));

function read(id: string, input: Uint8Array, cut = input.length) {
  const framer = FRAMINGS.find((framing) => framing.id === id)!.create(input.length);
  const messages: { digest: string; body: BodyRef; format: string | undefined }[] = [];
  const take: Parameters<typeof framer.push>[2] = ({ body, format }, payload) =>
    messages.push({ digest: digestOf(payload), body, format });
  framer.push(input.slice(0, cut), cut === input.length, take);
  if (cut < input.length) framer.push(input.slice(cut), true, take);
  return { messages, facts: framer.facts() };
}

const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex').slice(0, 16);

const BLOCKS = ['d420db5f1d88a02c', '530b580ac5c26b9e'];
const FILES: readonly (readonly [name: string, id: string, digests: readonly string[], framingBytes: number])[] = [
  // Sixteen bytes a message.
  ['examples.tfrecord', 'tfrecord', ['2f754dcb102de763', 'e6de990cc6d671fb', 'a9cff229fbbcdf2a'], 48],
  // The header's block, and 4 bytes, a BlobHeader and the beginning of a Blob for each of the others.
  ['map-zlib.osm.pbf', 'osm-pbf', BLOCKS, 118],
  ['map-lz4.osm.pbf', 'osm-pbf', BLOCKS, 114],
  ['otlp-traces-proto.zstd.be32', 'be32-compressed', ['e4b29c84e6b6c34d', '029239de57f18e61'], 8],
  ['otlp-traces-json.zstd.be32', 'be32-compressed', ['c8d2b9ad848d7613', 'e05f771d9dcf20cc'], 8],
];

test.each(FILES)('%s is recognised, whole, by its beginning and cut', (name, id) => {
  const input = fixture(name);
  expect(judgeFramings(input, input.length)[0]!.id).toBe(id);
  expect(judgeFramings(input.subarray(0, 80), input.length)[0]!.id).toBe(id);
  const cut = input.subarray(0, -9);
  expect(judgeFramings(cut, cut.length)[0]!.id).toBe(id);
});

test.each(FILES)(
  '%s: the messages are those that were written, and can be read again',
  async (name, id, digests, framingBytes) => {
    const input = fixture(name);
    const { messages, facts } = read(id, input);
    expect(messages.map(({ digest }) => digest)).toEqual(digests);
    expect(facts).toMatchObject({ framingBytes, unattributedBytes: 0, diagnostics: [] });
    expect(messages[0]!.format).toBe(name.includes('json') ? 'json' : undefined);
    for (const { body, digest } of messages) {
      const again = await readBody(bytesSource(name, input), body);
      expect(again.ok && digestOf(again.value)).toBe(digest);
    }
  },
);

test('a message of a TFRecord whose checksum does not match is left out, and the next ones are read', () => {
  const input = fixture('examples.tfrecord');
  input[110] = input[110]! ^ 1;
  const { messages, facts } = read('tfrecord', input);
  expect(messages.map(({ digest }) => digest)).toEqual(['2f754dcb102de763', 'a9cff229fbbcdf2a']);
  expect(facts).toMatchObject({ framingBytes: 44, unattributedBytes: 78 });
  expect(facts.diagnostics).toMatchObject([{ code: 'frame/bad-checksum', start: 102, end: 180 }]);
});

describe('OpenStreetMap PBF', () => {
  const field = (tag: number, bytes: readonly number[]) => [tag, bytes.length, ...bytes];
  const file = (type: string, blob: readonly number[]) => {
    const header = [...field(0x0a, [...Buffer.from(type)]), 0x18, blob.length];
    return Uint8Array.from([0, 0, 0, header.length, ...header, ...blob]);
  };

  test('a block may stand before the plain size', () => {
    const { messages, facts } = read('osm-pbf', file('OSMData', [...field(0x0a, [8, 1]), 0x10, 2]));
    expect(messages.map(({ body }) => body)).toEqual([{ pieces: [{ start: 17, end: 19 }], compression: null }]);
    expect(facts).toMatchObject({ framingBytes: 19, unattributedBytes: 0 });
  });

  test.each([
    ['a codec that is not read', file('OSMData', [0x10, 2, ...field(0x22, [1, 2, 3])]), 3, /lzma/],
    ['a Blob without a block', file('OSMData', [0x10, 2]), 17, /ends inside/],
    ['a block that is longer than its Blob', file('OSMData', [0x0a, 9, 1]), 18, /No size prefix/],
    ['another file', file('ABCData', field(0x0a, [8, 1])), 19, /No size prefix/],
  ])('%s is left unattributed', (_, input, unattributedBytes, message) => {
    const { messages, facts } = read('osm-pbf', input);
    expect(messages).toEqual([]);
    expect(facts.unattributedBytes).toBe(unattributedBytes);
    expect(facts.diagnostics[0]!.message).toMatch(message);
  });
});

test('in files cut and changed anywhere, every byte is counted once, however they are read', () => {
  const change = fc.tuple(fc.nat(2000), fc.nat(255), fc.nat(2000), fc.nat(2000));
  fc.assert(
    fc.property(fc.constantFrom(...FILES), change, ([name, id], [at, byte, end, cut]) => {
      const input = fixture(name).slice(0, end);
      if (at < input.length) input[at] = byte;
      const whole = read(id, input);
      expect(read(id, input, Math.min(cut, input.length))).toEqual(whole);
      const { framingBytes, capturedBytes, unattributedBytes } = whole.facts;
      expect(framingBytes + capturedBytes + unattributedBytes).toBe(input.length);
    }),
    { numRuns: 500 },
  );
});
