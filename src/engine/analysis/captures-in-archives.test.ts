/** An archive with a capture in it is read as the capture. */
import { readFileSync } from 'node:fs';
import { deflateSync, gzipSync } from 'node:zlib';
import { strToU8, zipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { bytesSource } from '../bytes/source.ts';
import { tarHeader, tarPadding } from '../compression/archives/tar.ts';
import type { InputChoice } from '../frame/payload.ts';
import { TlsDecoder } from '../frame/tls/tls-decoder.ts';
import { readInput } from './read-input.ts';

const fixture = (name: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(readFileSync(new URL(`../../../fixtures/capture/${name}`, import.meta.url)));
const VITESS = fixture('vitess-gzip.pcapng');
const HAR = fixture('web-rpc.har');
const FLOW = fixture('mitmproxy.flow');
const GRPC_LOG = fixture('grpc-go.binlog');
const JSON_PACKETS = fixture('wireshark.json');
const SAZ = zipSync({
  'raw/1_c.txt': strToU8(
    'POST https://x/a HTTP/1.1\r\nContent-Type: application/x-protobuf\r\nContent-Length: 2\r\n\r\n\b\x01',
  ),
  'raw/1_s.txt': strToU8('HTTP/1.1 204 No Content\r\n\r\n'),
});
const TLS = fixture('../tls/node-tls13-chacha20.pcap');
const KEYS = fixture('../tls/node-tls13-chacha20.keys');
const OTHER_KEYS = fixture('../tls/go-tls13-h2.keys');
const NOTES = strToU8('Recorded on the second node.');

type Files = Readonly<Record<string, Uint8Array>>;

function tar(files: Files): Uint8Array {
  const parts = Object.entries(files).flatMap(([path, bytes]) => [
    tarHeader(path, bytes.length),
    bytes,
    new Uint8Array(tarPadding(bytes.length)),
  ]);
  return new Uint8Array(Buffer.concat([...parts, new Uint8Array(1024)]));
}

async function read(name: string, bytes: Uint8Array, choice: InputChoice = {}, keys = '') {
  const payloads: string[] = [];
  const sink = (_: unknown, payload: Uint8Array) => void payloads.push(Buffer.from(payload).toString('hex'));
  const input = await readInput(bytesSource(name, bytes), choice, sink, { tls: new TlsDecoder(keys) });
  return { input, payloads, codes: input.diagnostics.map(({ code }) => code) };
}

const steps = ({ input }: Awaited<ReturnType<typeof read>>) =>
  input.steps.map(({ id, member }) => (member === null ? id : `${id}:${member}`));

describe.each<[string, (files: Files) => Uint8Array]>([
  ['zip', (files) => zipSync(files)],
  ['tar', tar],
])('%s', (id, pack) => {
  test.each<[string, Files, string, Uint8Array, string | null]>([
    ['a capture alone', { 'a/x.pcapng': VITESS }, 'a/x.pcapng', VITESS, null],
    ['a capture and notes', { 'notes.txt': NOTES, 'x.pcapng': VITESS }, 'x.pcapng', VITESS, 'notes.txt.'],
    ['a capture and a message', { 'x.bin': Uint8Array.of(8, 1), 'x.pcapng': VITESS }, 'x.pcapng', VITESS, 'x.bin.'],
    [
      'packets in Wireshark’s JSON and notes',
      { 'x.json': JSON_PACKETS, 'n.txt': NOTES },
      'x.json',
      JSON_PACKETS,
      'n.txt.',
    ],
    ['a SAZ and notes', { 'x.saz': SAZ, 'n.txt': NOTES }, 'x.saz', SAZ, 'n.txt.'],
    ['flows and notes', { 'x.flow': FLOW, 'notes.txt': NOTES }, 'x.flow', FLOW, 'notes.txt.'],
    ['gRPC’s binary log and notes', { 'x.txt': GRPC_LOG, 'notes.txt': NOTES }, 'x.txt', GRPC_LOG, 'notes.txt.'],
    ['two captures: the larger one', { 'x.pcapng': VITESS, 'x.har': HAR }, 'x.har', HAR, 'x.pcapng.'],
  ])('%s', async (_name, files, member, capture, left) => {
    const alone = await read('x', capture);
    const inside = await read(`x.${id}`, pack(files));
    expect(inside.input.kind).toBe('capture');
    expect(steps(inside)[0]).toBe(`${id}:${member}`);
    expect(inside.payloads.length).toBeGreaterThan(0);
    expect(inside.payloads).toEqual(alone.payloads);
    const beside = inside.input.diagnostics.filter(({ code }) => code === 'archive/files-beside');
    expect(beside.map(({ message }) => message.split('not read: ')[1])).toEqual(left === null ? [] : [left]);
    expect(inside.codes.filter((code) => code !== 'archive/files-beside')).toEqual(alone.codes);
  });

  test('a compressed capture and notes', async () => {
    const inside = await read(`x.${id}`, pack({ 'x.pcap.gz': gzipSync(VITESS), 'notes.txt': NOTES }));
    expect(inside.input.kind).toBe('capture');
    expect(steps(inside)).toEqual([`${id}:x.pcap.gz`, 'gzip']);
    expect(inside.payloads).toEqual((await read('x', VITESS)).payloads);
  });

  test.each<[string, Files, number]>([
    ['a capture and its key log', { 'x.pcap': TLS, 'keys.txt': KEYS }, 1],
    ['the same in a folder, compressed, with notes', { 'a/x.pcap.gz': gzipSync(TLS), 'a/k': KEYS, 'n.txt': NOTES }, 1],
    ['two key logs, the first of another connection', { 'a.keys': OTHER_KEYS, 'b.keys': KEYS, 'x.pcap': TLS }, 2],
    ['a capture and its key log, compressed', { 'x.pcap': TLS, 'keys.txt.gz': gzipSync(KEYS) }, 1],
    ['both compressed', { 'x.pcap.gz': gzipSync(TLS), 'keys.z': deflateSync(KEYS), 'n.txt': NOTES }, 1],
    ['a chosen capture', { 'keys.txt': KEYS, 'x.pcap': TLS, 'y.pcapng': VITESS }, 1],
  ])('%s: it is decrypted', async (_name, files, keyLogs) => {
    const alone = await read('x.pcap', TLS, {}, Buffer.from(KEYS).toString());
    const steps = 'y.pcapng' in files ? [`${id}:x.pcap`] : undefined;
    const inside = await read(`x.${id}`, pack(files), { steps });
    expect(alone.payloads).toHaveLength(6);
    expect(inside.payloads).toEqual(alone.payloads);
    expect(inside.input.steps[0]).toMatchObject({ id, keyLogs });
    expect(inside.codes.filter((code) => code !== 'archive/files-beside')).toEqual(alone.codes);
    expect(inside.input.diagnostics.map(({ message }) => message).join()).not.toMatch(/keys|a\/k/);
  });

  test.each<[string, Files, string, number]>([
    ['messages', { 'x.bin': Uint8Array.of(8, 1), 'y.bin': Uint8Array.of(8, 2), 'keys.txt': KEYS }, '0801,0802', 1],
    [
      'archives',
      { 'a.zip': zipSync({ 'x.bin': Uint8Array.of(8, 1), k: KEYS }), 'y.bin': Uint8Array.of(8, 2) },
      '0801,0802',
      1,
    ],
  ])('a key log among %s is left out of them, and counted', async (_name, files, expected, keyLogs) => {
    const { input, payloads } = await read(`x.${id}`, pack(files));
    expect([payloads.join(), input.steps[0]?.keyLogs]).toEqual([expected, keyLogs]);
  });

  test('a chosen file, and all files, are read as chosen', async () => {
    const packed = pack({ 'x.bin': Uint8Array.of(8, 1), 'x.pcapng': VITESS, 'x.har': HAR });
    const one = await read(`x.${id}`, packed, { steps: [`${id}:x.pcapng`] });
    expect([one.input.kind, one.payloads.length, one.codes]).toEqual(['capture', 6, []]);
    const all = await read(`x.${id}`, packed, { steps: [id] });
    expect([all.input.kind, all.payloads.length]).toEqual(['payloads', 3]);
  });
});

describe('files that only look like a capture stay messages', () => {
  /** Field 1, length 13: a fixed32 whose first byte is 0a, and more. */
  const point = (at: number) => Uint8Array.of(0x0a, 13, 0x0d, 0x0a, at, 1, 2, 0x10, at, 0x18, at, 0x20, at, 0x28, at);
  const points = Object.fromEntries([1, 2, 3].map((at) => [`m${at}.bin`, point(at)]));

  test.each<[string, Files, number]>([
    ['messages that begin with the magic number of pcapng', points, 3],
    ['messages that begin with one of pcap', { 'a.bin': Uint8Array.of(0xa1, 0xb2, 0xc3, 0xd4, 8, 1), ...points }, 4],
    ['a HAR without exchanges', { 'x.har': strToU8('{"log":{"version":"1.2","entries":[]}}'), ...points }, 4],
    ['a compressed message that is named as a capture', { 'x.cap.gz': gzipSync(point(9)), ...points }, 4],
    ['a capture in one of several archives', { 'a.zip': zipSync({ 'x.pcapng': VITESS, ...points }), ...points }, 7],
  ])('%s', async (_name, files, messages) => {
    const { input, payloads, codes } = await read('x.zip', zipSync(files));
    expect([input.kind, payloads.length, codes.filter((code) => code.startsWith('archive/'))]).toEqual([
      'payloads',
      messages,
      [],
    ]);
  });

  test('names of files are on one line of the finding', async () => {
    const { input } = await read(
      'x.zip',
      zipSync({ 'x.pcapng': VITESS, [`no\n\u001btes${'s'.repeat(200)}.txt`]: NOTES }),
    );
    const message = input.diagnostics.find(({ code }) => code === 'archive/files-beside')!.message;
    expect(message).toMatch(/not read: …s{75}\.txt\.$/);
    expect(message).not.toMatch(/\p{Cc}/u);
  });
});

test.each(['x.har', 'x.har.gz'])(
  'a HAR whose bodies are base64, as %s, is not taken for JSON with messages in it',
  async (name) => {
    const text = Buffer.from(fixture('../input/codecfixture.rw1.binpb')).toString('base64');
    const postData = { mimeType: 'application/x-protobuf', encoding: 'base64', text };
    const entry = { request: { method: 'POST', url: 'https://x/a', headers: [], postData }, response: { status: 204 } };
    const har = strToU8(JSON.stringify({ log: { entries: [entry, entry] } }));
    const { input, payloads } = await read('x.zip', zipSync({ [name]: name === 'x.har' ? har : gzipSync(har) }));
    expect([input.kind, payloads.length]).toEqual(['capture', 2]);
  },
);

test('JSON that begins like a HAR, in files of other names, stays messages', async () => {
  const files = { 'a.json': strToU8('{"log":"a"}'), 'b.json': strToU8('{"log":"b"}') };
  const { input, payloads } = await read('x.zip', zipSync(files));
  expect([input.kind, payloads.length]).toEqual(['payloads', 2]);
});

describe('the bodies of a HAR that Playwright stores beside it', () => {
  const MESSAGE =
    '0a080a036164631096010a080a036164631096010a080a036164631096010a080a036164631096010a080a036164631096011d80ffc328';

  test('are read, from requests and responses', async () => {
    const { input, payloads, codes } = await read('x.zip', fixture('playwright-attached.zip'));
    expect(input).toMatchObject({ kind: 'capture', format: 'har' });
    expect(payloads).toEqual([
      ...Array.from({ length: 10 }, () => MESSAGE),
      ...['{"a":"ü"}', '{"b":"é"}'].map((text) => Buffer.from(text).toString('hex')),
    ]);
    // The page is a body, too.
    expect(codes).toEqual([]);
  });
});

describe('bodies beside a HAR', () => {
  const answer = (file: unknown) => ({
    request: { method: 'POST', url: 'https://x/a' },
    response: { status: 200, headers: [], content: { mimeType: 'application/x-protobuf', size: 2, _file: file } },
  });
  const harOf = (...entries: readonly unknown[]) => strToU8(JSON.stringify({ log: { entries } }));
  const BODY = Uint8Array.of(8, 1);

  test.each<[string, Files, readonly string[], readonly string[]]>([
    ['in its folder', { 'a/x.har': harOf(answer('b.dat')), 'a/b.dat': BODY }, ['0801'], []],
    [
      'in another folder',
      { 'a/x.har': harOf(answer('b.dat')), 'b.dat': BODY },
      [],
      ['archive/files-beside', 'http/no-contents'],
    ],
    ['twice the same', { 'x.har': harOf(answer('b.dat'), answer('b.dat')), 'b.dat': BODY }, ['0801', '0801'], []],
    [
      'one is absent',
      { 'x.har': harOf(answer('b.dat'), answer('c.dat')), 'b.dat': BODY },
      ['0801'],
      ['http/no-contents'],
    ],
    [
      'a name that is not a text',
      { 'x.har': harOf(answer(7), null), 'b.dat': BODY },
      [],
      ['archive/files-beside', 'http/no-contents'],
    ],
    [
      'a HAR that is cut off',
      { 'x.har': harOf(answer('b.dat')).subarray(0, -3), 'b.dat': BODY },
      ['0801'],
      ['capture/ends-early'],
    ],
    [
      'named as a schema',
      { 'x.har': harOf(answer('b.proto')), 'b.proto': BODY, 'c.txt': BODY },
      ['0801'],
      ['archive/files-beside'],
    ],
    [
      'in a HAR of deep JSON',
      {
        'x.har': strToU8(
          `{"log":{"entries":[${JSON.stringify(answer('b.dat'))}],"_deep":${'['.repeat(200_000)}${']'.repeat(200_000)}}}`,
        ),
        'b.dat': BODY,
      },
      ['0801'],
      [],
    ],
    [
      'its name within a text, and of a key that is another',
      { 'x.har': harOf({ ...answer('c.dat'), comment: '"_file": "b.dat"', _file: { _file: 7 } }), 'b.dat': BODY },
      [],
      ['archive/files-beside', 'http/no-contents'],
    ],
  ])('%s', async (_name, files, expected, codes) => {
    const found = await read('x.zip', zipSync(files));
    expect([found.payloads, found.codes]).toEqual([expected, codes]);
  });
});

test('entries of gRPC’s binary log are messages if their framing is chosen', async () => {
  const calls = await read('log.txt', GRPC_LOG);
  const entries = await read('log.txt', GRPC_LOG, { framing: 'be32' });
  expect([calls.input.kind, calls.payloads.length]).toEqual(['capture', 27]);
  expect([entries.input.kind, entries.payloads.length]).toEqual(['payloads', 56]);
});
