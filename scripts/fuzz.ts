/**
 * `npm run fuzz -- [--seconds N] [--seed S] [--door NAME]`: changed inputs through every door, each compared with its
 * oracle. A failure is printed with its seed and its bytes, which make a fixture.
 *
 * Inputs are mutated recordings, not guided by coverage.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { deflateRawSync, gunzipSync, gzipSync, inflateRawSync } from 'node:zlib';
import { zipSync } from 'fflate';
import { bytesSource } from '#engine/bytes/source.ts';
import { sumLayers } from '#engine/capture/containers/packets-layers.ts';
import { decodeBody } from '#engine/compression/registry.ts';
import { readPayloads } from '#engine/frame/payload.ts';
import { readCapture } from '#engine/frame/read-capture.ts';
import { inspect } from '#engine/inspect/inspect.ts';
import { deriveLayouts } from '#engine/native/derive.ts';
import { NATIVE_PROFILES } from '#engine/native/profiles.ts';
import { readNative } from '#engine/native/read.ts';
import { openSchema } from '#engine/schema/compile.ts';
import { headBytes, ownPayload } from '#engine/wire/rows.ts';
import { decodeFragment } from '#permalink/fragment.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
    door: { type: 'string' },
  },
});
const milliseconds = 1000 * Number(values.seconds);
const root = new URL('../', import.meta.url);
const fixture = (path: string): Uint8Array => new Uint8Array(readFileSync(new URL(path, root)));
const folder = (path: string, ends: RegExp): readonly Uint8Array[] =>
  readdirSync(new URL(path, root))
    .filter((name) => ends.test(name))
    .map((name) => fixture(`${path}${name}`))
    .filter(({ length }) => length < 300_000);

/** mulberry32: the same inputs for the same seed, on any machine. */
function randomOf(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}
type Random = (below: number) => number;

const joined = (...parts: readonly Uint8Array[]): Uint8Array => new Uint8Array(Buffer.concat(parts));

const AWKWARD = [0, 1, 0x7f, 0x80, 0xff, 0x0a, 0x1f, 0x22, 0x7b];

/** One to eight changes: a byte, a bit, a cut, a repetition, a piece from elsewhere, a large length. */
function mutate(bytes: Uint8Array, random: Random): Uint8Array {
  let changed: Uint8Array = bytes.slice();
  for (let count = 1 + random(8); count > 0; count--) {
    const at = random(changed.length + 1);
    const size = random(Math.min(64, changed.length - at) + 1);
    const before = changed.subarray(0, at);
    const behind = changed.subarray(at);
    switch (random(6)) {
      case 0:
        changed = joined(before, Uint8Array.of(random(256)), behind.subarray(1));
        break;
      case 1:
        changed = joined(before, Uint8Array.of(AWKWARD[random(AWKWARD.length)]!), behind);
        break;
      case 2:
        changed = joined(before, behind.subarray(size));
        break;
      case 3:
        changed = joined(before, behind.subarray(0, size), behind);
        break;
      case 4: {
        const from = random(changed.length + 1);
        changed = joined(before, changed.subarray(from, from + size), behind.subarray(size));
        break;
      }
      default:
        changed = joined(before, Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0x0f), behind.subarray(5));
    }
  }
  return changed;
}

/** An oracle says no. */
function expect(holds: boolean, what: string): void {
  if (!holds) throw new Error(what);
}

const messages = folder('fixtures/input/', /\.binpb$/);
const registry = openSchema([{ path: 'rw.fds', content: fixture('fixtures/input/prometheus-rw1.fds.binpb') }]).registry;
const types = [undefined, ...registry.messages.values()];
const layoutOf = deriveLayouts(NATIVE_PROFILES[0]!);
/** Bytes that a message may take in addition to 64 bytes a byte. */
const FIXED = 4 << 20;

interface Door {
  readonly seeds: readonly Uint8Array[];
  /** @throws where an oracle says no */
  readonly open: (bytes: Uint8Array, random: Random) => unknown;
}

const text = (content: string): Uint8Array => new TextEncoder().encode(content);

const DOORS: Readonly<Record<string, Door>> = {
  messages: {
    seeds: messages,
    open(bytes, random) {
      const { wire, native } = inspect(bytes, { type: types[random(types.length)], layoutOf });
      let own = 0;
      for (let row = 0; row < wire.table.length; row++) own += headBytes(wire.table, row) + ownPayload(wire.table, row);
      expect(own === bytes.length, `rows have ${own} of ${bytes.length} bytes`);
      const rows = wire.table.length + (native?.table.length ?? 0);
      expect(36 * rows + (native?.bytes.length ?? 0) <= FIXED + 64 * bytes.length, `${rows} rows`);
    },
  },
  captures: {
    seeds: folder('fixtures/capture/', /\.(pcap|pcapng|har)$/),
    async open(bytes) {
      const { layers, diagnostics } = await readCapture(bytesSource('capture', bytes), () => undefined);
      expect(sumLayers(layers) === bytes.length, `layers have ${sumLayers(layers)} of ${bytes.length} bytes`);
      const lost = layers.unattributed + layers.incomplete;
      expect(lost === 0 || diagnostics.length > 0, `${lost} bytes lost without a word`);
    },
  },
  payloads: {
    seeds: [
      ...messages,
      ...messages.map((bytes) => text(Buffer.from(bytes).toString('base64'))),
      ...messages.map((bytes) => text(Buffer.from(bytes).toString('hex'))),
      text('00000000  0a 02 68 69 10 07  |..hi..|\n'),
    ],
    async open(bytes) {
      const facts = await readPayloads(bytesSource('payload', bytes), {}, () => undefined);
      const sum = facts.framingBytes + facts.wireBytes + facts.unattributedBytes;
      expect(sum === facts.bytes, `framing, messages and rest have ${sum} of ${facts.bytes} bytes`);
    },
  },
  schemas: {
    seeds: [
      ...folder('fixtures/wire/', /\.proto$/),
      text('edition = "2023"; package a; message M { map<string, M> m = 1 [deprecated = true]; extensions 5 to 9; }'),
    ],
    open: (bytes) => openSchema([{ path: 'a.proto', content: bytes }]),
  },
  sets: {
    seeds: folder('fixtures/input/', /rw\d\.fds\.binpb$/),
    open: (bytes) => openSchema([{ path: 'a.fds', content: bytes }]),
  },
  archives: {
    seeds: [zipSync({ 'a.proto': text('syntax = "proto3"; message M { int32 a = 1; }') })],
    open: (bytes) => openSchema([{ path: 'a.zip', content: bytes }]),
  },
  links: {
    seeds: readFileSync(new URL('fixtures/permalinks.txt', root), 'utf8')
      .split(/\s+/)
      .filter((word) => /^w\d+-/.test(word))
      .map(text),
    open: (bytes) => decodeFragment(new TextDecoder().decode(bytes)),
  },
  compressed: {
    seeds: messages.flatMap((bytes) => [new Uint8Array(gzipSync(bytes)), new Uint8Array(deflateRawSync(bytes))]),
    open(bytes) {
      const isGzip = bytes[0] === 0x1f;
      const ours = decodeBody(bytes, isGzip ? 'gzip' : 'deflate', 1 << 20);
      const plain = ours.ok ? ours.bytes.slice() : null;
      for (const codec of ['snappy', 'snappy-framed', 'zstd', 'lz4-frame', 'lz4-block'])
        decodeBody(bytes, codec, 1 << 20);
      let theirs: Uint8Array | null = null;
      try {
        theirs = isGzip ? gunzipSync(bytes) : inflateRawSync(bytes);
      } catch {
        // A stream that zlib refuses may be read to its last flush.
      }
      if (theirs === null || plain === null || !isGzip) return;
      expect(Buffer.compare(theirs, plain) === 0, 'zlib gives other bytes');
    },
  },
  native: {
    seeds: messages,
    open(bytes, random) {
      const type = types[1 + random(types.length - 1)]!;
      const { table } = readNative(bytes, layoutOf(type), layoutOf);
      expect(table.end[0] === bytes.length, `${table.end[0]} of ${bytes.length} bytes`);
    },
  },
};

/** Milliseconds that one input may take: 1 µs a byte, and what starts up. */
const SLOWEST = (size: number): number => 5000 + size / 1000;

let failures = 0;
const doors = Object.entries(DOORS).filter(([name]) => values.door === undefined || name === values.door);
for (const [name, { seeds, open }] of doors) {
  const until = performance.now() + milliseconds / doors.length;
  let count = 0;
  for (; performance.now() < until; count++) {
    const seed = Number(values.seed) * 1_000_003 + count;
    const random = randomOf(seed);
    const bytes = mutate(seeds[random(seeds.length)]!, random);
    const start = performance.now();
    try {
      await open(bytes, random);
      const took = performance.now() - start;
      expect(took < SLOWEST(bytes.length), `took ${Math.round(took)} ms`);
    } catch (error) {
      failures++;
      console.log(`${name}, seed ${seed}: ${error instanceof Error ? error.stack : error}`);
      console.log(Buffer.from(bytes.subarray(0, 4096)).toString('base64'));
      break;
    }
  }
  console.log(`${name}: ${count} inputs`);
}
console.log(`${doors.length - failures} passed, ${failures} failed`);
process.exitCode = failures === 0 ? 0 : 1;
