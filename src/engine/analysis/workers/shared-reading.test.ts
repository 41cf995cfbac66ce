/** However many workers read a capture, its messages and facts are the same. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AbortError, bytesSource, type Source } from '../../bytes/source.ts';
import { emptyLayers } from '../../capture/containers/packets-layers.ts';
import { CaptureLog } from '../../capture/containers/packets-log.ts';
import { type WrittenPacket, writePcap, writeSegment } from '../../capture/containers/packets-writer.testing.ts';
import { createPcapReader } from '../../capture/containers/pcap.ts';
import { createPcapngReader } from '../../capture/containers/pcapng.ts';
import { isPcap } from '../../capture/containers/sniff-capture.ts';
import type { CaptureOptions } from '../../frame/capture-facts.ts';
import type { InputChoice } from '../../frame/payload.ts';
import { readBody } from '../../frame/read-body.ts';
import { TlsDecoder } from '../../frame/tls/tls-decoder.ts';
import { LANE_BUCKETS, MAX_CONNECTIONS } from '../../stream/connections.ts';
import { openInput } from '../read-input.ts';
import { storeMessages } from '../store/message-store.ts';
import { type Counted, nextTurn, poolOf } from './helper-port.testing.ts';
import type { Pool } from './pool.ts';
import { lanesOf, readShared } from './shared-reading.ts';

const file = (name: string): Uint8Array =>
  new Uint8Array(readFileSync(new URL(`../../../../fixtures/${name}`, import.meta.url)));

/** All that is stored of a capture, and the messages' bytes. */
async function read(
  bytes: Uint8Array,
  pool: Pool | undefined,
  options: CaptureOptions = {},
  choice: InputChoice = {},
): Promise<string> {
  const source: Source = { ...bytesSource('a.pcap', bytes), handle: bytes };
  const opened = await openInput(source, choice);
  const { store, input } = await storeMessages(opened, choice, { ...options, nextTurn, pool });
  const { messages } = store;
  const rows = Array.from({ length: messages.length }, (_, ordinal) => messages.messageAt(ordinal));
  const hash = createHash('sha1');
  for (const { body } of rows) {
    const payload = await readBody(store.source, body);
    hash.update(payload.ok ? payload.value : JSON.stringify(payload.diagnostics));
  }
  return JSON.stringify(
    { input, rows, payloads: hash.digest('hex'), groups: messages.groups.all(), flows: messages.flows.all() },
    null,
    1,
  );
}

const none = (): Counted => ({ ranges: 0, shares: 0 });

test.each([
  'among-others.pcapng',
  'connect-get.pcapng',
  'grpc-opensearch.pcap',
  'kafka.pcap',
  'opensearch-cooked2.pcap',
  'opensearch-cut-by-snaplen.pcapng',
  'opensearch-deflate.pcap',
  'opensearch-plain.pcap',
  'opensearch-shard-error.pcap',
  'otlp-http-gzip.pcapng',
  'remote-write-1-and-2.pcapng',
  'vitess-gzip.pcapng',
  'web-rpc.pcapng',
  'websocket-takeover.pcapng',
])('%s', async (name) => {
  const bytes = file(`capture/${name}`);
  const tls = () => new TlsDecoder('');
  const alone = await read(bytes, undefined, { tls: tls() });
  for (const workers of [2, 3, 8]) {
    const counted = none();
    for (const chunkBytes of [700, 20_000]) {
      expect(await read(bytes, poolOf(workers, counted), { tls: tls(), chunkBytes }), `${workers}`).toBe(alone);
    }
    expect(counted.shares).toBe(2 * (workers - 1));
  }
});

test('connections in a framing that a person describes', async () => {
  const framing = 'be16 [1 message]';
  const conversations = Array.from({ length: 40 }, (_, at) =>
    [0, 1].map((side) => {
      const said = Array.from({ length: 5 }, (_, n) => [0, 5, 9, 8, at, 16 + side * 8, n]).flat();
      return { ports: [1000 + at, 77] as const, side, said: Uint8Array.from(said) };
    }),
  ).flat();
  const capture = writePcap(
    conversations.map(({ ports: [client, server], side, said }, at) => ({
      time: at,
      bytes: writeSegment({
        ...{ source: Uint8Array.of(10, 0, 0, 1 + side), destination: Uint8Array.of(10, 0, 0, 2 - side) },
        ...{ sourcePort: side === 0 ? client : server, destinationPort: side === 0 ? server : client },
        ...{ sequence: 1, acknowledgement: 1, flags: 16, payload: said },
      }),
    })),
  );
  const alone = await read(capture, undefined, {}, { framing });
  expect(JSON.parse(alone)).toMatchObject({ input: { messages: 400 } });
  expect(JSON.parse(await read(capture, undefined))).toMatchObject({ input: { messages: 0 } });
  const counted = none();
  expect(await read(capture, poolOf(3, counted), { chunkBytes: 700 }, { framing })).toBe(alone);
  expect(counted.shares).toBe(2);
});

/** The packets of captures, interleaved by their times since the first one. */
const PACKETS: readonly WrittenPacket[] = [
  'opensearch-plain.pcap',
  'opensearch-deflate.pcap',
  'otlp-http-gzip.pcapng',
  'vitess-gzip.pcapng',
  'web-rpc.pcapng',
  'kafka.pcap',
  'among-others.pcapng',
]
  .flatMap((name) => packetsOf(file(`capture/${name}`)))
  .sort((a, b) => a.time - b.time);

function packetsOf(bytes: Uint8Array): readonly WrittenPacket[] {
  const packets: WrittenPacket[] = [];
  const log = new CaptureLog(emptyLayers());
  const open = isPcap(bytes) ? createPcapReader : createPcapngReader;
  const reader = open(
    ({ bytes: data, start, end, time, originalLength }) =>
      packets.push({ bytes: data.slice(start, end), time: time ?? 0, originalLength }),
    emptyLayers(),
    log,
  );
  reader.push(bytes);
  reader.end();
  const first = packets[0]!.time;
  return packets.map(({ time, ...rest }) => ({ ...rest, time: 1e9 + time - first }));
}

interface Damage {
  readonly from: number;
  readonly count: number;
  /** Distances of packets that are missing, repeated, cut, or with a bit turned; 0: none are. */
  readonly lose: number;
  readonly repeat: number;
  readonly cut: number;
  readonly turn: number;
  /** Packets change places with one this far away at most. */
  readonly shuffle: number;
  /** Milliseconds between two packets instead of their own times; 0: theirs. */
  readonly step: number;
  readonly seed: number;
}

function damaged({ from, count, lose, repeat, cut, turn, shuffle, step, seed }: Damage): Uint8Array {
  let state = seed;
  const next = (below: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (state >> 8) % below;
  };
  const hits = (distance: number): boolean => distance > 0 && next(distance) === 0;
  const packets = PACKETS.slice(from, from + count).flatMap((packet, at): readonly WrittenPacket[] => {
    if (hits(lose)) return [];
    const time = step === 0 ? packet.time : 1e9 + at * step + next(3) * step;
    let { bytes } = packet;
    if (hits(cut)) bytes = bytes.slice(0, next(bytes.length));
    if (hits(turn)) {
      bytes = bytes.slice();
      bytes[next(bytes.length)]! ^= 1 << next(8);
    }
    const changed = { ...packet, time, bytes };
    return hits(repeat) ? [changed, changed] : [changed];
  });
  for (let at = 0; shuffle > 0 && at + 1 < packets.length; at++) {
    const other = Math.min(packets.length - 1, at + next(shuffle));
    [packets[at], packets[other]] = [packets[other]!, packets[at]!];
  }
  return writePcap(packets);
}

test('damaged captures of many protocols', async () => {
  const damage = fc.record<Damage>({
    from: fc.nat(PACKETS.length - 1),
    count: fc.integer({ min: 1, max: 400 }),
    lose: fc.nat(40),
    repeat: fc.nat(20),
    cut: fc.nat(60),
    turn: fc.nat(40),
    shuffle: fc.nat(8),
    step: fc.constantFrom(0, 1, 90, 700, 2500),
    seed: fc.nat(),
  });
  const counted = none();
  await fc.assert(
    fc.asyncProperty(damage, fc.integer({ min: 2, max: 8 }), async (one, workers) => {
      const bytes = damaged(one);
      const alone = await read(bytes, undefined);
      expect(await read(bytes, poolOf(workers, counted), { chunkBytes: 3000 })).toBe(alone);
    }),
    { numRuns: 250, endOnFailure: true },
  );
  expect(counted.shares).toBeGreaterThan(250);
}, 120_000);

/** A packet with the same payload on each of `count` connections. */
const senders = (count: number, payload: Uint8Array): Uint8Array =>
  writePcap(
    Array.from({ length: count }, (_, at) => ({
      time: 1e9,
      bytes: writeSegment({
        source: Uint8Array.of(10, at >> 16, at >> 8, at),
        destination: Uint8Array.of(1, 1, 1, 1),
        sourcePort: 1,
        destinationPort: 2,
        sequence: 1,
        acknowledgement: 0,
        flags: 16,
        payload,
      }),
    })),
  );

describe('where the shares depend on each other, one reader reads all', () => {
  test('secrets of TLS in the capture', async () => {
    const bytes = file('tls/editcap-tls13-chacha20.pcapng');
    const counted = none();
    const alone = await read(bytes, undefined, { tls: new TlsDecoder('') });
    expect(alone).toContain('"transport": "');
    for (const workers of [2, 3, 4]) {
      expect(await read(bytes, poolOf(workers, counted), { tls: new TlsDecoder(''), chunkBytes: 500 })).toBe(alone);
    }
    expect(counted.shares).toBe(6);
  });

  test('given secrets: no other worker is asked', async () => {
    const keys = new TextDecoder().decode(file('tls/go-tls13-h2.keys'));
    const bytes = file('tls/go-tls13-h2.pcap');
    const counted = none();
    const alone = await read(bytes, undefined, { tls: new TlsDecoder(keys) });
    expect(await read(bytes, poolOf(2, counted), { tls: new TlsDecoder(keys) })).toBe(alone);
    expect(counted.shares).toBe(0);
  });

  test('connections that are closed early', async () => {
    const bytes = senders(MAX_CONNECTIONS + 5, new TextEncoder().encode('hello'));
    const alone = await read(bytes, undefined);
    expect(alone).toContain('stream/too-many-connections');
    expect(await read(bytes, poolOf(2, none()), { chunkBytes: 100_000 })).toBe(alone);
  });

  test('more compressed bodies than are unpacked', async () => {
    const plain = new Uint8Array(1_000_000).fill(0x20);
    plain.set([0x0a, 0xbd, 0x84, 0x3d]);
    const packed = gzipSync(plain);
    const head = `POST /a HTTP/1.1\r\ncontent-type: application/x-protobuf\r\ncontent-encoding: gzip\r\ncontent-length: ${packed.length}\r\n\r\n`;
    const payload = new Uint8Array(Buffer.concat([Buffer.from(head), packed]));
    const bytes = senders(90, payload);
    const limit = plain.length;
    const alone = await read(bytes, undefined, { limit });
    expect(alone).toContain('frame/unpacked-budget');
    expect(await read(bytes, poolOf(2, none()), { limit, chunkBytes: 3000 })).toBe(alone);
  });
});

test('where a worker does not start, this one reads all', async () => {
  const bytes = file('capture/opensearch-plain.pcap');
  const counted = none();
  const alone = await read(bytes, undefined);
  expect(await read(bytes, poolOf(2, counted, true), { chunkBytes: 3000 })).toBe(alone);
  expect(counted.shares).toBe(1);
});

test('an error of the receiver ends the reading', async () => {
  const bytes = file('capture/opensearch-plain.pcap');
  const source: Source = { ...bytesSource('a.pcap', bytes), handle: bytes };
  const broken = (): never => {
    throw new RangeError('no room');
  };
  await expect(readShared(source, broken, { chunkBytes: 3000 }, poolOf(8, none()))).rejects.toThrow('no room');
});

test.each([2, 3, 4, 5, 8])('%i lanes cover all connections', (count) => {
  const lanes = lanesOf(count);
  expect(lanes.map(({ index }) => index)).toEqual(Array.from({ length: count }, (_, at) => at));
  expect([lanes[0]!.from, ...lanes.map(({ to }) => to)]).toEqual([...lanes.map(({ from }) => from), LANE_BUCKETS]);
});

test('a cancelled reading stops', async () => {
  const bytes = file('capture/opensearch-plain.pcap');
  const signal = { aborted: false };
  const onProgress = (): void => {
    signal.aborted = true;
  };
  const reading = read(bytes, poolOf(3, none()), { chunkBytes: 100, signal, onProgress });
  await expect(reading).rejects.toThrow(AbortError);
});
