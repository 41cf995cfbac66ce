/**
 * Messages do not depend on how bytes were cut into segments, in which order packets were captured, or which were repeated
 * twice.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Source } from '../bytes/source.ts';
import { emptyLayers, sumLayers } from '../capture/containers/packets-layers.ts';
import { CaptureLog } from '../capture/containers/packets-log.ts';
import { type WrittenPacket, writePcap, writeSegment } from '../capture/containers/packets-writer.testing.ts';
import { createPcapReader } from '../capture/containers/pcap.ts';
import { createPcapngReader } from '../capture/containers/pcapng.ts';
import { isPcap } from '../capture/containers/sniff-capture.ts';
import type { ConnectionSide } from '../stream/connection-sink.ts';
import { ConnectionTable } from '../stream/connections.ts';
import { createTcpPackets } from '../stream/tcp-packets.ts';
import type { MessageSink } from './message.ts';
import { readCapture } from './read-capture.ts';

const FOLDER = new URL('../../../fixtures/capture/', import.meta.url);
const ACK = 16;
const SYN = 2;

interface Sent {
  readonly connection: number;
  readonly side: ConnectionSide;
  readonly bytes: Uint8Array;
  readonly time: number;
}

/** The bytes that each side of each connection of a real capture sent, in the order captured. */
function recordSent(name: string): readonly Sent[] {
  const bytes = new Uint8Array(readFileSync(new URL(name, FOLDER)));
  const layers = emptyLayers();
  const log = new CaptureLog(layers);
  const sent: Sent[] = [];
  const table = new ConnectionTable(
    ({ id }) => ({
      data: (side, data, start, end, _at, time) =>
        sent.push({ connection: id, side, bytes: data.slice(start, end), time: time ?? 0 }),
      hole: () => undefined,
      late: () => undefined,
      end: () => undefined,
    }),
    layers,
  );
  const tcp = createTcpPackets(table, layers, log);
  const reader = (isPcap(bytes) ? createPcapReader : createPcapngReader)(tcp.packet, layers, log);
  reader.push(bytes);
  reader.end();
  tcp.end();
  table.end();
  return sent.sort((a, b) => a.time - b.time);
}

interface Wire {
  /** Longest segment. */
  readonly segment: number;
  /** First sequence number of each side. */
  readonly initial: number;
  /** The starts of the connections are captured. */
  readonly syn: boolean;
  /** Distance of repeated packets; 0: none. */
  readonly repeat: number;
  /** Distance of packets that begin earlier, over bytes already sent; 0: none. */
  readonly overlap: number;
  /** Packets change places with one this far away at most. */
  readonly shuffle: number;
  readonly seed: number;
  readonly ipv6: boolean;
}

function capture(sent: readonly Sent[], wire: Wire): Uint8Array {
  const packets: WrittenPacket[] = [];
  const next = new Map<string, number>();
  const before = new Map<string, Uint8Array>();
  let count = 0;
  const address = (connection: number, side: ConnectionSide): Uint8Array => {
    const bytes = new Uint8Array(wire.ipv6 ? 16 : 4).fill(side + 1);
    bytes[bytes.length - 1] = connection;
    return bytes;
  };
  const put = (
    connection: number,
    side: ConnectionSide,
    sequence: number,
    flags: number,
    payload: Uint8Array,
    time: number,
  ) => {
    const other: ConnectionSide = side === 0 ? 1 : 0;
    packets.push({
      time,
      bytes: writeSegment({
        source: address(connection, side),
        destination: address(connection, other),
        sourcePort: 1000 + side,
        destinationPort: 1000 + other,
        sequence: sequence >>> 0,
        acknowledgement: (next.get(`${connection}/${other}`) ?? wire.initial + other * 1000) >>> 0,
        flags,
        payload,
      }),
    });
  };
  for (const { connection, side, bytes, time } of sent) {
    if (wire.syn && !next.has(`${connection}/0`)) {
      put(connection, 0, wire.initial, SYN, new Uint8Array(0), time);
      next.set(`${connection}/0`, wire.initial + 1);
      put(connection, 1, wire.initial + 1000, SYN | ACK, new Uint8Array(0), time);
      next.set(`${connection}/1`, wire.initial + 1001);
    }
    const key = `${connection}/${side}`;
    let sequence = next.get(key) ?? wire.initial + side * 1000;
    for (let at = 0; at < bytes.length; at += wire.segment) {
      const payload = bytes.subarray(at, at + wire.segment);
      const held = before.get(key);
      count++;
      if (wire.overlap > 0 && count % wire.overlap === 0 && held !== undefined) {
        const joined = new Uint8Array(held.length + payload.length);
        joined.set(held);
        joined.set(payload, held.length);
        put(connection, side, sequence - held.length, ACK, joined, time);
      } else put(connection, side, sequence, ACK, payload, time);
      if (wire.repeat > 0 && count % wire.repeat === 0) put(connection, side, sequence, ACK, payload, time);
      before.set(key, payload);
      sequence += payload.length;
    }
    next.set(key, sequence);
  }
  let state = wire.seed;
  for (let i = 0; wire.shuffle > 0 && i + 1 < packets.length; i++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    const other = Math.min(packets.length - 1, i + 1 + ((state >> 8) % wire.shuffle));
    [packets[i], packets[other]] = [packets[other]!, packets[i]!];
    i += wire.shuffle;
  }
  return writePcap(packets);
}

const PLAIN: Wire = {
  segment: 65_000,
  initial: 1000,
  syn: true,
  repeat: 0,
  overlap: 0,
  shuffle: 0,
  seed: 1,
  ipv6: false,
};

/** Overwrites the memory that it gets back: code that still reads it sees no message of the capture. */
const forgetful = (bytes: Uint8Array): Source => ({
  name: 'made',
  size: bytes.length,
  read: async (start, end) => bytes.slice(start, end),
  letGo: (given) => given.fill(0xa5),
});

async function messagesOf(bytes: Uint8Array, chunkBytes = bytes.length): Promise<readonly string[]> {
  const found: string[] = [];
  const sink: MessageSink = (message, payload) => {
    const { transport, direction, method, status, typeHint } = message;
    const sum = createHash('sha1').update(payload).digest('hex');
    found.push([transport, direction, method, status, typeHint, sum].join(' '));
  };
  const facts = await readCapture(forgetful(bytes), sink, { chunkBytes });
  expect(sumLayers(facts.layers)).toBe(bytes.length);
  expect(facts.diagnostics.filter(({ severity }) => severity !== 'info')).toEqual([]);
  return found.sort();
}

const wires = fc.record<Wire>({
  segment: fc.integer({ min: 40, max: 9000 }),
  initial: fc.oneof(fc.constantFrom(2 ** 32 - 1500, 2 ** 32 - 5, 2 ** 31 - 700, 0), fc.nat(2 ** 32 - 1)),
  syn: fc.boolean(),
  repeat: fc.nat(6),
  overlap: fc.nat(6),
  shuffle: fc.nat(4),
  seed: fc.nat(),
  ipv6: fc.boolean(),
});

describe.each([
  ['opensearch-plain.pcap', 260],
  ['opensearch-deflate.pcap', 260],
  ['vitess-gzip.pcapng', 260],
  ['otlp-http-gzip.pcapng', 260],
  ['remote-write.pcapng', 160],
  ['websocket-takeover.pcapng', 160],
] as const)('%s', (name, numRuns) => {
  const sent = recordSent(name);

  test('gives the same messages for any segmentation, order, repetition and chunking', async () => {
    const expected = await messagesOf(capture(sent, PLAIN));
    expect(expected.length).toBeGreaterThan(0);
    await fc.assert(
      fc.asyncProperty(wires, fc.integer({ min: 2000, max: 200_000 }), async (wire, chunkBytes) => {
        expect(await messagesOf(capture(sent, wire), chunkBytes)).toEqual(expected);
      }),
      // The response comes before the last packet of its request.
      { numRuns, examples: [[{ ...PLAIN, segment: 1161, syn: false, repeat: 1, shuffle: 3, seed: 0 }, 2000]] },
    );
  }, 120_000);
});
