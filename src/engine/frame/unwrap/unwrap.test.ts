import { readFileSync } from 'node:fs';
import { brotliCompressSync, brotliDecompressSync, crc32, deflateSync, gzipSync } from 'node:zlib';
import { zipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { bytesSource } from '../../bytes/source.ts';
import { tarHeader, tarPadding } from '../../compression/archives/tar.ts';
import { provideBrotli } from '../../compression/brotli.ts';
import { decodeFailure } from '../../compression/codec.ts';
import { decoders } from '../../compression/kernel.ts';
import { encodeLz4Frame } from '../../compression/lz4-encode.ts';
import { encodeSnappy } from '../../compression/snappy-encode.ts';
import { readPayloads } from '../payload.ts';

const utf8 = new TextEncoder();
const unhex = (text: string): Uint8Array => Uint8Array.from(text.match(/../g)!, (pair) => Number.parseInt(pair, 16));
/** `{1: {1: "node_load1", 2: "…"}}`, thrice: as a remote write has its labels. */
const label = (name: string, value: string): number[] => {
  const text = (field: number, of: string) => [field * 8 + 2, of.length, ...utf8.encode(of)];
  const body = [...text(1, name), ...text(2, value)];
  return [0x0a, body.length, ...body];
};
const MESSAGE = Uint8Array.from(
  ['instance', 'job', 'mode'].flatMap((name) => label(name, `${name} of a node exporter, by its name`)),
);
/** Two records of 15 bytes fill a line of 60 digits. */
const RECORDS = unhex('0a06776f726b657212053132333435'.repeat(40));

/** Its fields end within the lines of a wrapped text. */
const LONG = Uint8Array.from(
  ['one', 'three', 'eleven'].flatMap((name) => label(name, `${name} of a node exporter, by the name of its mode`)),
);
const OTHER = Uint8Array.from(label('path', '/metrics/job/some/instance/of/it'));

const tar = (files: Readonly<Record<string, Uint8Array>>): Uint8Array =>
  Uint8Array.from([
    ...Object.entries(files).flatMap(([path, bytes]) => [
      ...tarHeader(path, bytes.length),
      ...bytes,
      ...new Uint8Array(tarPadding(bytes.length)),
    ]),
    ...new Uint8Array(1024),
  ]);
/** A stored file whose sizes and offset are in the field of ZIP64, as .NET writes them: APPNOTE.TXT §4.5.3. */
function zip64(path: string, bytes: Uint8Array): Uint8Array {
  const [name, u16, u32] = [utf8.encode(path), leBytes(2), leBytes(4)];
  const sum = u32(crc32(bytes));
  const [size, elsewhere] = [u32(bytes.length), u32(0xffffffff)];
  const local = [
    ...u32(0x04034b50),
    ...new Uint8Array(10),
    ...sum,
    ...size,
    ...size,
    ...u16(name.length),
    0,
    0,
    ...name,
  ];
  const values = [bytes.length, bytes.length, 0].flatMap((value) => [...u32(value), ...u32(0)]);
  const other = [...[9, 0, 1, 0, 7], ...u16(1), ...u16(24), ...values];
  const head = [...u32(0x02014b50), ...new Uint8Array(12), ...sum, ...elsewhere, ...elsewhere];
  const lengths = [...u16(name.length), ...u16(other.length), ...new Uint8Array(10)];
  const directory = [...head, ...lengths, ...elsewhere, ...name, ...other];
  const at = local.length + bytes.length;
  const end = [...u32(0x06054b50), 0, 0, 0, 0, ...u16(1), ...u16(1), ...u32(directory.length), ...u32(at), 0, 0];
  return Uint8Array.from([...local, ...bytes, ...directory, ...end]);
}
const leBytes =
  (width: number) =>
  (value: number): readonly number[] =>
    Array.from({ length: width }, (_, n) => Math.floor(value / 256 ** n) % 256);

/** A frame of one raw block, of less than 256 bytes: RFC 8878 §3.1.1. */
const zstd = (bytes: Uint8Array): Uint8Array =>
  Uint8Array.of(
    0x28,
    0xb5,
    0x2f,
    0xfd,
    0x20,
    bytes.length,
    ((bytes.length << 3) | 1) & 255,
    bytes.length >> 5,
    0,
    ...bytes,
  );
/** One compressed chunk, its checksum masked: framing_format.txt §4.2. */
const framedSnappy = (bytes: Uint8Array): Uint8Array => {
  const packed = encodeSnappy(bytes);
  const sum = decoders.sum('crc32c', bytes);
  const masked = (((sum >>> 15) | (sum << 17)) + 0xa282ead8) >>> 0;
  const size = packed.length + 4;
  const head = [0xff, 6, 0, 0, ...utf8.encode('sNaPpY'), 0, size & 255, size >> 8, 0];
  return Uint8Array.from([...head, ...[0, 8, 16, 24].map((shift) => (masked >>> shift) & 255), ...packed]);
};
/** `Unknown` with `v1`, `Pod`, the object, no content encoding and no content type, as the API server writes it. */
const kubernetes = (bytes: Uint8Array): Uint8Array =>
  Uint8Array.from([
    ...utf8.encode('k8s\0'),
    ...unhex('0a090a02763112'),
    3,
    ...utf8.encode('Pod'),
    0x12,
    (bytes.length & 127) | 128,
    bytes.length >> 7,
    ...bytes,
    ...unhex('1a002200'),
  ]);
const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');
const json = (value: unknown): Uint8Array => utf8.encode(JSON.stringify(value));

async function read(name: string, bytes: Uint8Array, steps?: readonly string[]) {
  const payloads: Uint8Array[] = [];
  const flows: (string | null)[] = [];
  const facts = await readPayloads(bytesSource(name, bytes), { steps }, ({ flow }, payload) => {
    payloads.push(payload.slice());
    flows.push(flow);
  });
  return { steps: facts.steps.map(({ label: said }) => said), payloads, flows, facts };
}

describe('one message, however it is wrapped', () => {
  test.each<[name: string, Uint8Array, ...steps: string[]]>([
    ['gzip', gzipSync(MESSAGE), 'gzip'],
    ['zlib', deflateSync(MESSAGE), 'zlib'],
    ['zstd', zstd(MESSAGE), 'zstd'],
    ['snappy, a block', encodeSnappy(MESSAGE), 'snappy'],
    ['framed snappy', framedSnappy(MESSAGE), 'framed snappy'],
    ['LZ4', encodeLz4Frame(MESSAGE), 'LZ4'],
    ['LZ4 in gzip', gzipSync(encodeLz4Frame(MESSAGE)), 'gzip', 'LZ4'],
    ['gzip in zstd', zstd(gzipSync(MESSAGE)), 'zstd', 'gzip'],
    ['snappy in gzip', gzipSync(encodeSnappy(MESSAGE)), 'gzip', 'snappy'],
    ['base64 in gzip', gzipSync(base64(MESSAGE)), 'gzip', 'Base64'],
    ['tar of one file', tar({ 'a.bin': MESSAGE }), 'tar'],
    ['zip of one file', zipSync({ 'a.bin': MESSAGE }), 'zip'],
    ['zip with the field of ZIP64', zip64('a.bin', MESSAGE), 'zip'],
    ['zip of a gzip', zipSync({ 'a/b.gz': gzipSync(MESSAGE) }), 'zip', 'gzip'],
    [
      'tgz beside its schema',
      gzipSync(tar({ 'a.proto': utf8.encode('syntax = "proto3";'), 'a.bin': MESSAGE })),
      'gzip',
      'tar',
    ],
    ['JSON', json({ message: { data: base64(MESSAGE), id: '7' } }), 'base64 in JSON'],
    ['an object of Kubernetes', kubernetes(MESSAGE), 'Kubernetes envelope'],
    ['an object of Kubernetes in gzip', gzipSync(kubernetes(MESSAGE)), 'gzip', 'Kubernetes envelope'],
    ['JSON of a gzip', json([{ data: base64(gzipSync(MESSAGE)) }]), 'base64 in JSON', 'gzip'],
    ['JSON of a snappy block', json([{ data: base64(encodeSnappy(MESSAGE)) }]), 'base64 in JSON', 'snappy'],
  ])('%s', async (_, bytes, ...steps) => {
    const found = await read('x', bytes);
    expect(found.steps).toEqual(steps);
    expect(found.payloads).toEqual([MESSAGE]);
    const { framingBytes, capturedBytes, unattributedBytes, bytes: plain } = found.facts;
    expect(framingBytes + capturedBytes + unattributedBytes).toBe(plain);
  });

  test('an object as the serializer of k8s.io/apimachinery 0.31 writes it: the Pod begins with its metadata', async () => {
    const pod = new Uint8Array(readFileSync(new URL('../../../../fixtures/input/pod.k8s', import.meta.url)));
    const { steps, payloads, facts } = await read('pod', pod);
    // The magic number, the type and the head of field 2 are 18 bytes, its two empty neighbours 4.
    expect([steps, payloads]).toEqual([['Kubernetes envelope'], [pod.slice(18, -4)]]);
    expect(facts.diagnostics).toEqual([]);
  });

  test('Brotli is detected by its name or by its output', async () => {
    provideBrotli((bytes) => {
      try {
        return { ok: true, bytes: new Uint8Array(brotliDecompressSync(bytes)) };
      } catch {
        return decodeFailure('malformed', 'not a Brotli stream');
      }
    });
    const packed = brotliCompressSync(MESSAGE);
    expect(await read('x.br', packed)).toMatchObject({ steps: ['Brotli'], payloads: [MESSAGE] });
    expect(await read('x', packed)).toMatchObject({ steps: ['Brotli'], payloads: [MESSAGE] });
    expect(await read('x.br', gzipSync(MESSAGE))).toMatchObject({ steps: ['gzip'], payloads: [MESSAGE] });
  });
});

describe('several files', () => {
  const files = { 'a/one.bin': MESSAGE, 'a/two.bin': OTHER, 'a/.hidden': OTHER };

  test('are one message each, under their names', async () => {
    const found = await read('x.tar', tar(files));
    expect(found).toMatchObject({ steps: ['tar'], payloads: [MESSAGE, OTHER], flows: ['a/one.bin', 'a/two.bin'] });
    expect(found.facts.steps[0]).toMatchObject({ count: 2, files: ['a/one.bin', 'a/two.bin'], member: null });
    const { framingBytes, capturedBytes, unattributedBytes, bytes } = found.facts;
    expect(framingBytes + capturedBytes + unattributedBytes).toBe(bytes);
  });

  test('each is unwrapped', async () => {
    const packed = Object.fromEntries(Object.entries(files).map(([path, bytes]) => [`${path}.gz`, gzipSync(bytes)]));
    expect(await read('x.zip', zipSync(packed))).toMatchObject({ steps: ['zip', 'gzip'], payloads: [MESSAGE, OTHER] });
  });

  test('a schema and hidden files beside them do not count', async () => {
    const { facts, payloads } = await read(
      'x.zip',
      zipSync({ ...files, 'a/one.proto': utf8.encode('syntax = "proto3";') }),
    );
    expect(payloads).toEqual([MESSAGE, OTHER]);
    expect(facts).toMatchObject({ bytes: MESSAGE.length + OTHER.length, framingBytes: 0, unattributedBytes: 0 });
  });

  const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
  const alike = [MESSAGE, Uint8Array.from([...MESSAGE, ...MESSAGE])];
  test.each([
    ['base64', alike.map(base64).join('\n'), alike],
    ['base64 in quotes, with a last line end', alike.map((one) => `"${base64(one)}"\r\n`).join(''), alike],
    ['hex', alike.map(hexOf).join('\n'), alike],
  ])('lines of %s are a message each', async (_name, text, payloads) => {
    const found = await read('x.txt', utf8.encode(text));
    expect(found).toMatchObject({ steps: ['base64 or hex in lines'], payloads, flows: ['line 1', 'line 2'] });
    expect(found.facts.textEncoding.reason).toBe('a message a line');
    expect((await read('x.gz', gzipSync(text))).payloads).toEqual(payloads);
  });

  test.each([
    ['base64 of one message, wrapped', base64(LONG).replace(/.{64}/g, '$&\n'), LONG],
    ['hex of one message, wrapped', hexOf(LONG).replace(/.{32}/g, '$&\n'), LONG],
    ['hex of one message, a field a line', '0801\n1203666f6f\n', unhex('08011203666f6f')],
    ['hex of repeated records, wrapped where they end', hexOf(RECORDS).replace(/.{60}/g, '$&\n'), RECORDS],
  ])('lines are not a message each: %s', async (_name, text, payload) => {
    expect(await read('x.txt', utf8.encode(text))).toMatchObject({ steps: [], payloads: [payload] });
  });

  test('lines are judged as a whole, and within limits', async () => {
    const line = base64(MESSAGE);
    const many = `${line}\n`.repeat(1000);
    expect((await read('x', utf8.encode(many))).payloads).toHaveLength(1000);
    expect((await read('x', utf8.encode(`${many}(1000 rows)\n`))).facts.steps).toEqual([]);
    // Too many, too long a line, too long a text.
    for (const text of ['CgFh\n'.repeat(50_001), `abcd\nabcd\n${'a'.repeat(8 << 20)}`, `${line}\n`.repeat(60_000)])
      expect((await read('x', utf8.encode(text))).facts.steps).toEqual([]);
  });

  test('the user chooses one of them', async () => {
    const found = await read('x.tar', tar(files), ['tar:a/two.bin']);
    expect(found).toMatchObject({ steps: ['tar'], payloads: [OTHER] });
    expect(found.facts.steps[0]).toMatchObject({ member: 'a/two.bin' });
  });

  test('a name may be longer than the 100 bytes of a header', async () => {
    const path = `${'folder/'.repeat(20)}a.bin`;
    expect((await read('x.tar', tar({ [path]: MESSAGE, 'b.bin': OTHER }))).flows).toEqual([path, 'b.bin']);
  });

  test('a file without messages is named', async () => {
    const { facts } = await read('x.tar', tar({ ...files, 'README.md': utf8.encode('# About these messages\n') }));
    expect(facts).toMatchObject({ messages: 2, content: null });
    expect(facts.diagnostics.map(({ message }) => message)).toEqual(['No message is read from README.md.']);
  });
});

describe('a choice', () => {
  test('stops at the step that the user chose, and continues after it', async () => {
    const wrapped = gzipSync(encodeSnappy(MESSAGE));
    expect((await read('x', wrapped, ['none'])).steps).toEqual([]);
    expect((await read('x', wrapped, ['gzip', 'none'])).steps).toEqual(['gzip']);
    expect((await read('x', wrapped, ['gzip'])).steps).toEqual(['gzip', 'snappy']);
  });

  test('a step that does not fit is a finding with its reason, and the bytes stay', async () => {
    const { facts } = await read('x', MESSAGE, ['zstd']);
    expect(facts.diagnostics.map(({ code }) => code)).toEqual(['compression/malformed']);
    expect(facts).toMatchObject({ steps: [], messages: 1 });
  });
});

/** Its digits read as base64 of a message. */
const ID = json({ id: 'ea3582f6434dce61d410ade5' });

test('a message is not taken for a wrapped input', async () => {
  for (const bytes of [
    MESSAGE,
    OTHER,
    unhex('0a03666f6f109601'),
    unhex('78da0a03666f6f'),
    json({ a: 'text', b: 7 }),
    ID,
  ]) {
    expect((await read('x', bytes)).steps).toEqual([]);
  }
});
