/** The entry points ("doors") of untrusted bytes: for each its seeds, its words, its grammar and its oracles. */

import { readdirSync, readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { brotliDecompressSync, deflateRawSync, gunzipSync, gzipSync, inflateRawSync, inflateSync } from 'node:zlib';
import fc from 'fast-check';
import { gzipSync as fflateGzip, strToU8, zipSync } from 'fflate';
import { bytesSource } from '#engine/bytes/source.ts';
import { sumLayers } from '#engine/capture/containers/packets-layers.ts';
import { type Saying, writeConversation } from '#engine/capture/containers/packets-writer.testing.ts';
import { decodeBody } from '#engine/compression/registry.ts';
import { compareProfile } from '#engine/cost/compare.ts';
import { bytesIn, PROTOBUF, totalIn } from '#engine/cost/profile.ts';
import { Ledgers } from '#engine/cost/type-profiler.ts';
import { readPayloads } from '#engine/frame/payload.ts';
import { readCapture } from '#engine/frame/read-capture.ts';
import { inspect } from '#engine/inspect/inspect.ts';
import { endAt } from '#engine/model/annotation.ts';
import { deriveLayouts } from '#engine/native/derive.ts';
import { NATIVE_PROFILES, type NativeProfile } from '#engine/native/profiles.ts';
import { readNative } from '#engine/native/read.ts';
import { openSchema } from '#engine/schema/compile.ts';
import type { MessageDescriptor } from '#engine/schema/descriptor.ts';
import { headBytes, ownPayload } from '#engine/wire/rows.ts';
import { printAnalysisFile, readFile } from '#permalink/file.ts';
import { decodeFragment, encodeFragment } from '#permalink/fragment.ts';
import { arbitraryProto } from '../../src/testing/arbitrary-schema.ts';
import { arbitraryShared } from '../../src/testing/arbitrary-shared.ts';
import { arbitraryWire } from '../../src/testing/arbitrary-wire.ts';
import { joined } from './mutate.ts';
import { pick, type Random } from './random.ts';

export interface Door {
  readonly seeds: readonly Uint8Array[];
  readonly words: readonly Uint8Array[];
  /** An input that the format's grammar allows. */
  readonly grammar?: (random: Random) => Uint8Array;
  /** @throws if an oracle finds a fault */
  readonly open: (bytes: Uint8Array, random: Random) => unknown;
}

const root = new URL('../../', import.meta.url);
const fixture = (path: string): Uint8Array => new Uint8Array(readFileSync(new URL(path, root)));
const folder = (path: string, ends: RegExp): readonly Uint8Array[] =>
  readdirSync(new URL(path, root))
    .filter((name) => ends.test(name))
    .map((name) => fixture(`${path}${name}`))
    .filter(({ length }) => length < 300_000);
const words = (...list: readonly (string | readonly number[])[]): readonly Uint8Array[] =>
  list.map((word) => (typeof word === 'string' ? strToU8(word) : Uint8Array.from(word)));
const sample = <T>(arbitrary: fc.Arbitrary<T>, random: Random): T =>
  fc.sample(arbitrary, { seed: random(2 ** 31), numRuns: 1 })[0]!;

/** An oracle found a fault. */
export function expect(holds: boolean, what: string): void {
  if (!holds) throw new Error(what);
}

const messages = folder('fixtures/input/', /\.binpb$/);
const schemas = folder('fixtures/wire/', /\.proto$/);
const { registry } = openSchema([
  { path: 'rw.fds', content: fixture('fixtures/input/prometheus-rw1.fds.binpb') },
  { path: 'every-type.proto', content: fixture('fixtures/wire/every-type.proto') },
]);
const types = [...registry.messages.values()];
const profiles = NATIVE_PROFILES.map((profile) => ({ profile, layoutOf: deriveLayouts(profile) }));
/** Bytes that a message may take in addition to 64 bytes a byte. */
const FIXED = 4 << 20;

const tag = (number: number, protobuf: number): readonly number[] => [(number << 3) | protobuf];
const WIRE_WORDS = words(
  ...[0, 1, 2, 3, 4, 5].map((protobuf) => tag(1, protobuf)),
  ...[0, 1, 2, 3, 4, 5].map((protobuf) => tag(15, protobuf)),
  [0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01],
  [0xff, 0xff, 0xff, 0xff, 0x07],
  [0x80, 0x00],
  [0xc0, 0x80],
  [0xed, 0xa0, 0x80],
);

const PREFACE = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n';
const frame = (type: number, flags: number, stream: number, payload: Uint8Array): Uint8Array =>
  joined(Uint8Array.of(0, payload.length >> 8, payload.length & 255, type, flags, 0, 0, 0, stream), payload);
const literal = (name: string, value: string): Uint8Array =>
  joined(Uint8Array.of(0x40, name.length), strToU8(name), Uint8Array.of(value.length), strToU8(value));
const grpcHead = joined(Uint8Array.of(0x83), literal(':path', '/p.S/M'), literal('content-type', 'application/grpc'));
const record = (body: Uint8Array): Uint8Array => joined(Uint8Array.of(0, 0, 0, body.length >> 8, body.length), body);
const transport = (body: Uint8Array): Uint8Array =>
  joined(
    strToU8('ES'),
    Uint8Array.of(
      0,
      0,
      (body.length + 17) >> 8,
      body.length + 17,
      0,
      0,
      0,
      0,
      0,
      0,
      0,
      7,
      1,
      8,
      0x21,
      0x6b,
      0xdb,
      0,
      0,
      0,
      0,
    ),
    body,
  );
const small = messages.filter(({ length }) => length < 2000);
const http = (head: string, body: Uint8Array): Uint8Array => joined(strToU8(`${head}\r\n\r\n`), body);
const STREAMS: readonly Uint8Array[] = small.flatMap((body) => [
  http(`POST /a HTTP/1.1\r\nhost: a\r\ncontent-type: application/x-protobuf\r\ncontent-length: ${body.length}`, body),
  http(
    'HTTP/1.1 200 OK\r\ncontent-type: application/x-protobuf\r\ntransfer-encoding: chunked',
    joined(strToU8(`${body.length.toString(16)};x=y\r\n`), body, strToU8('\r\n0\r\nend: 1\r\n\r\n')),
  ),
  http(
    `HTTP/1.1 200 OK\r\ncontent-type: application/x-protobuf\r\ncontent-encoding: gzip\r\ncontent-length: ${gzipSync(body).length}`,
    gzipSync(body),
  ),
  joined(strToU8(PREFACE), frame(4, 0, 0, new Uint8Array()), frame(1, 4, 1, grpcHead), frame(0, 1, 1, record(body))),
  joined(frame(4, 0, 0, new Uint8Array()), frame(0, 0, 1, record(body)), frame(3, 0, 1, Uint8Array.of(0, 0, 0, 8))),
  transport(body),
  joined(Uint8Array.of(0, 0, body.length >> 8, body.length), body),
]);

/** Both directions of one connection, in segments of any size, some of them lost. */
function conversation(bytes: Uint8Array, random: Random): Uint8Array {
  const sayings: Saying[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = random(3) === 0 ? at + 1 + random(200) : bytes.length;
    const isLost = random(20) === 0;
    sayings.push({ side: random(8) === 0 ? 1 : 0, bytes: bytes.slice(at, end), ...(isLost ? { lost: true } : {}) });
    at = end;
  }
  return writeConversation(sayings, { segment: 1 + random(1460) });
}

async function openCapture(bytes: Uint8Array): Promise<void> {
  const { layers, diagnostics } = await readCapture(bytesSource('capture', bytes), () => undefined);
  expect(sumLayers(layers) === bytes.length, `layers have ${sumLayers(layers)} of ${bytes.length} bytes`);
  for (const [name, size] of Object.entries(layers)) expect(size >= 0, `${name} has ${size} bytes`);
  const lost = layers.unattributed + layers.incomplete;
  expect(lost === 0 || diagnostics.length > 0, `${lost} bytes lost without a word`);
}

const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);

/**
 * The profile of one message, entered at once and in steps. @param written bytes of its native side; undefined: it has
 * none
 */
function addUp(
  bytes: Uint8Array,
  type: MessageDescriptor | undefined,
  native: NativeProfile,
  written: number | undefined,
): void {
  const ledgers = new Ledgers(type, native);
  ledgers.add(bytes);
  const profile = ledgers.profile();
  const { fields, unattributed } = profile;
  const explained = sum(fields.map((field) => bytesIn(field, PROTOBUF)));
  expect(explained + unattributed === bytes.length, `fields have ${explained} of ${bytes.length} bytes`);
  const inSteps = new Ledgers(type, native);
  for (const _ of inSteps.addInSteps(bytes, 1 << 10));
  expect(isDeepStrictEqual(inSteps.profile(), profile), 'the profile differs in steps');
  if (type === undefined) return;
  const size = totalIn(profile, native.id);
  expect(sum(fields.map((field) => bytesIn(field, native.id))) === size, `native fields do not sum to ${size}`);
  expect(written === undefined || written === size, `native: ${size} bytes in the profile, ${written} written`);
  const causes = sum(compareProfile(profile).map((caused) => caused.bytes));
  expect(causes === bytes.length - size, `causes sum to ${causes}, the difference is ${bytes.length - size}`);
}

const text = (bytes: Uint8Array, encoding: 'base64' | 'base64url' | 'hex'): Uint8Array =>
  strToU8(Buffer.from(bytes).toString(encoding));
const printed = (bytes: Uint8Array): readonly string[] => [
  Buffer.from(bytes).toString('hex').replaceAll(/../g, '$& '),
  `[${bytes.join(', ')}]`,
  `b'${Buffer.from(bytes).toString('hex').replaceAll(/../g, '\\x$&')}'`,
  JSON.stringify(Buffer.from(bytes).toString('latin1')),
  JSON.stringify(Buffer.from(bytes)),
  Buffer.from(bytes).toString('hex').replaceAll(/../g, '%$&'),
  `00000000  ${Buffer.from(bytes.subarray(0, 16)).toString('hex').replaceAll(/../g, '$& ')} |................|\n00000010\n`,
];

/** Second implementations of what Node.js can decode; null: it refuses. */
const REFERENCES: Readonly<Record<string, (bytes: Uint8Array) => Uint8Array>> = {
  gzip: (bytes) => gunzipSync(bytes, { maxOutputLength: 1 << 20 }),
  brotli: (bytes) => brotliDecompressSync(bytes, { maxOutputLength: 1 << 20 }),
  zlib: (bytes) => inflateSync(bytes, { maxOutputLength: 1 << 20 }),
  dfl: (bytes) => inflateRawSync(bytes, { maxOutputLength: 1 << 20 }),
};

export const DOORS: Readonly<Record<string, Door>> = {
  messages: {
    seeds: [...messages, fixture('fixtures/wire/every-type.binpb')],
    words: WIRE_WORDS,
    grammar: (random) => sample(arbitraryWire(pick(types, random)), random),
    open(bytes, random) {
      const type = random(8) === 0 ? undefined : pick(types, random);
      const { profile, layoutOf } = pick(profiles, random);
      const { protobuf, native } = inspect(bytes, { type, layoutOf });
      let own = 0;
      for (let row = 0; row < protobuf.table.length; row++)
        own += headBytes(protobuf.table, row) + ownPayload(protobuf.table, row);
      expect(own === bytes.length, `rows have ${own} of ${bytes.length} bytes`);
      const rows = protobuf.table.length + (native?.table.length ?? 0);
      expect(36 * rows + (native?.bytes.length ?? 0) <= FIXED + 64 * bytes.length, `${rows} rows`);
      addUp(bytes, type, profile, native?.bytes.length);
    },
  },
  captures: {
    seeds: folder('fixtures/capture/', /\.(pcap|pcapng|har)$/),
    words: words(
      PREFACE,
      'HTTP/1.1 200 OK\r\n',
      'Content-Length: -5\r\n',
      'Transfer-Encoding: chunked\r\n',
      'content-encoding: gzip\r\n',
      'application/grpc-web+proto',
      'PUBLISH sip:a@b SIP/2.0\r\n',
      'ES',
      [0x30, 0x82, 0x01, 0x22],
      [0x16, 3, 3],
      [0, 0, 4, 3, 0, 0, 0, 0, 1, 0, 0, 0, 8],
      [0, 0, 0, 4, 0, 0, 0, 0, 0],
      [0, 0, 0, 0, 5],
      [0x1f, 0x8b, 8, 0],
      [0x0a, 0x0d, 0x0d, 0x0a],
      [6, 0, 0, 0],
      [0xd4, 0xc3, 0xb2, 0xa1],
    ),
    grammar: (random) => conversation(joined(pick(STREAMS, random), pick(STREAMS, random)), random),
    open: openCapture,
  },
  payloads: {
    seeds: [
      ...messages,
      ...messages.flatMap((bytes) => [text(bytes, 'base64'), text(bytes, 'base64url'), text(bytes, 'hex')]),
      ...small.flatMap((bytes) => printed(bytes).map((line) => strToU8(line))),
    ],
    words: words(
      '\\x',
      '0x',
      '%',
      '=',
      '"',
      "'",
      'b"',
      '[',
      ']',
      '}',
      ',',
      '\n',
      '00000000',
      '\\u',
      '…',
      '|',
      '```',
      '\ufeff',
    ),
    async open(bytes) {
      const facts = await readPayloads(bytesSource('payload', bytes), {}, () => undefined);
      const sum = facts.framingBytes + facts.capturedBytes + facts.unattributedBytes;
      expect(sum === facts.bytes, `framing, messages and rest have ${sum} of ${facts.bytes} bytes`);
    },
  },
  schemas: {
    seeds: [
      ...schemas,
      ...folder('fixtures/schema/rules/', /\.proto$/),
      ...folder('fixtures/schema/weird/', /\.proto$/),
      strToU8(
        'edition = "2023"; package a; message M { map<string, M> m = 1 [deprecated = true]; extensions 5 to 9; }',
      ),
    ],
    words: words(
      ...'message enum extend oneof map< group service rpc returns stream option reserved extensions to max import public weak package syntax edition optional required repeated { } [ ] ( ) < > = ; , . : - # // /* */ " \' \\ \\u{ 0x 1e 0 inf nan default json_name packed'
        .split(' ')
        .map((word) => ` ${word} `),
      '\0',
      '\ufeff',
      '[type.googleapis.com/a.M]',
      '18446744073709551616',
    ),
    grammar: (random) => strToU8(sample(arbitraryProto, random)),
    open: (bytes) => openSchema([{ path: 'a.proto', content: bytes }]),
  },
  sets: {
    seeds: [...folder('fixtures/input/', /\.fds\.binpb$/), ...folder('fixtures/schema/weird/', /\.binpb$/)],
    words: WIRE_WORDS,
    open: (bytes) => openSchema([{ path: 'a.fds', content: bytes }]),
  },
  archives: {
    seeds: [
      zipSync({ 'a.proto': strToU8('syntax = "proto3"; message M { int32 a = 1; }') }),
      zipSync(
        { 'a/b.proto': schemas[0]!, 'a/c.fds': fixture('fixtures/input/prometheus-rw1.fds.binpb') },
        { level: 0 },
      ),
      zipSync({ 'in.zip': zipSync({ 'a.proto': strToU8('message M { }') }), '../up.proto': strToU8('message N { }') }),
      fflateGzip(strToU8('syntax = "proto3"; message M { int32 a = 1; }')),
    ],
    words: words(
      'PK\x03\x04',
      'PK\x01\x02',
      'PK\x05\x06',
      'PK\x06\x06',
      '../',
      '/',
      '.proto',
      [0xff, 0xff, 0xff, 0xff],
      [0, 0],
    ),
    open: (bytes) => openSchema([{ path: 'a.zip', content: bytes }]),
  },
  links: {
    seeds: readFileSync(new URL('fixtures/permalinks.txt', root), 'utf8')
      .split(/\s+/)
      .filter((word) => /^w\d+-/.test(word))
      .map((word) => strToU8(word)),
    words: words('w1-', 'w2-', 'w3-', 'w4-', '-', '_', 'AAAA', '=', '%'),
    grammar(random) {
      const shared = sample(arbitraryShared, random);
      return strToU8(random(2) === 0 ? encodeFragment(shared)! : printAnalysisFile(shared));
    },
    open(bytes) {
      readFile(new TextDecoder().decode(bytes));
      return decodeFragment(new TextDecoder().decode(bytes));
    },
  },
  compressed: {
    seeds: [
      ...messages.flatMap((bytes) => [new Uint8Array(gzipSync(bytes)), new Uint8Array(deflateRawSync(bytes))]),
      ...folder('fixtures/bits/', /\.(zst|deflate|gz|snappy|sz|lz4b?|zz)$/),
    ],
    words: words(
      [0x1f, 0x8b, 8],
      [0x28, 0xb5, 0x2f, 0xfd],
      [4, 0x22, 0x4d, 0x18],
      [0xff, 6, 0, 0],
      [0, 0, 0xff, 0xff],
      [0x78, 0x9c],
    ),
    open(bytes) {
      for (const codec of ['snappy', 'snappy-framed', 'zstd', 'lz4-frame', 'lz4-block', 'deflate'])
        decodeBody(bytes, codec, 1 << 20);
      for (const [codec, reference] of Object.entries(REFERENCES)) {
        const ours = decodeBody(bytes, codec === 'zlib' ? 'deflate' : codec, 1 << 20);
        const plain = ours.ok ? ours.bytes.slice() : null;
        let theirs: Uint8Array | null = null;
        try {
          theirs = reference(bytes);
        } catch {
          // A stream that zlib refuses may be read to its last flush.
        }
        if (theirs === null || plain === null) continue;
        expect(Buffer.compare(theirs, plain) === 0, `${codec}: zlib gives other bytes`);
      }
    },
  },
  native: {
    seeds: messages,
    words: words([0xff, 0xff, 0xff, 0xff, 0x0f], [0x7f], [0x80, 0x01], [0, 0, 0, 1], [0, 0, 0xc0, 0x7f]),
    open(bytes, random) {
      const type = pick(types, random);
      const { layoutOf } = pick(profiles, random);
      const { table } = readNative(bytes, layoutOf(type), layoutOf);
      expect(endAt(table, 0) === bytes.length, `${endAt(table, 0)} of ${bytes.length} bytes`);
    },
  },
};
