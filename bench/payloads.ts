/** A kind of traffic → messages of it, deterministic, encoded by protobufjs from bench/payloads.proto. */
import { readFileSync } from 'node:fs';
import protobuf from 'protobufjs';
import { type Random, seeded } from './random.ts';

export interface Payload {
  readonly kind: PayloadKind;
  /** Full name of the messages' type. */
  readonly type: string;
  /** The messages, one after the other, with nothing between. */
  readonly bytes: Uint8Array;
  /** Where each message ends. */
  readonly ends: readonly number[];
}

export const SCHEMA_PATH = 'bench/payloads.proto';
export const SCHEMA_TEXT = readFileSync(new URL('./payloads.proto', import.meta.url), 'utf8');

/** The opponent's view of the schema. */
export const protobufjsRoot = protobuf.parse(SCHEMA_TEXT).root;

type Json = Readonly<Record<string, unknown>>;
const times = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make);

/** A label has a name from a small set and a value from a larger one. */
function remoteWrite(random: Random): Json {
  const names = ['job', 'instance', 'method', 'code', 'path', 'le', 'handler', 'cluster', 'pod'];
  const values = times(200, () => random.word(4, 20));
  return {
    series: times(500, () => ({
      labels: names.slice(0, random.between(5, names.length)).map((name) => ({ name, value: random.pick(values) })),
      samples: times(random.between(1, 2), () => ({
        value: random.between(0, 1000) / 8,
        timestamp: 1_700_000_000_000 + random.between(0, 1e6),
      })),
    })),
  };
}

function searchHit(random: Random): Json {
  const words = times(300, () => random.word(2, 10));
  const document = () => {
    const text = times(random.between(44, 123), () => random.pick(words)).join(' ');
    return JSON.stringify({
      '@timestamp': '2026-01-02T03:04:05.678Z',
      level: random.pick(['INFO', 'WARN']),
      message: text,
    });
  };
  return {
    took: random.between(1, 500),
    max_score: 1,
    hits: times(100, () => ({
      index: 'logs-2026.01',
      id: random.word(20, 20),
      score: random.next(),
      version: -1,
      seqNo: -2,
      source: new TextEncoder().encode(document()),
    })),
  };
}

function trace(random: Random): Json {
  const keys = [
    'http.request.method',
    'http.response.status_code',
    'server.address',
    'network.peer.port',
    'db.response.returned_rows',
    'messaging.destination',
    'thread.id',
    'code.function.name',
  ];
  const value = () =>
    random.pick([
      () => ({ text: random.word(30, 80) }),
      () => ({ text: random.word(2, 16) }),
      () => ({ flag: true }),
      () => ({ count: random.between(0, 70_000) }),
      () => ({ measure: random.next() }),
    ])();
  const attributes = (most: number) =>
    times(random.between(1, most), () => ({ key: random.pick(keys), value: value() }));
  const time = () => random.between(1, 2 ** 40);
  return {
    spans: times(150, () => ({
      traceId: random.bytes(16),
      spanId: random.bytes(8),
      ...(random.next() < 0.8 && { parentId: random.bytes(8) }),
      name: random.word(5, 20),
      kind: random.between(0, 2),
      start: time(),
      end: time(),
      attributes: attributes(8),
      events: times(random.between(0, 2), () => ({ time: time(), name: random.word(4, 9), attributes: attributes(2) })),
      status: random.next() < 0.1 ? { code: 2, message: random.word(5, 30) } : {},
    })),
  };
}

function numbers(random: Random): Json {
  const spread = () => Math.floor(2 ** (random.next() * 40));
  return {
    points: times(800, () => ({
      x: random.between(0, 300),
      y: random.between(-20, 300),
      weight: spread(),
      value: random.next(),
      delta: spread() - 2 ** 20,
      last: random.next() < 0.1,
    })),
    packedInt: times(2000, spread),
    packedDelta: times(2000, () => random.between(-9000, 9000)),
    packedDouble: times(700, random.next),
    packedHash: times(700, () => random.between(0, 2 ** 32 - 1)),
    looseInt: times(1500, spread),
    looseFloat: times(1000, random.next),
  };
}

const KINDS = {
  'remote-write': { type: 'bench.RemoteWrite', make: remoteWrite },
  'search-hit': { type: 'bench.SearchResult', make: searchHit },
  trace: { type: 'bench.Trace', make: trace },
  numbers: { type: 'bench.Numbers', make: numbers },
} as const satisfies Record<string, { readonly type: string; readonly make: (random: Random) => Json }>;

export type PayloadKind = keyof typeof KINDS;
export const PAYLOAD_KINDS = Object.keys(KINDS) as readonly PayloadKind[];

/** Messages of `kind` until there are at least `size` bytes. */
export function makePayload(kind: PayloadKind, size: number): Payload {
  const { type, make } = KINDS[kind];
  const encoder = protobufjsRoot.lookupType(type);
  const random = seeded(PAYLOAD_KINDS.indexOf(kind) + 1);
  const messages: Uint8Array[] = [];
  const ends: number[] = [];
  for (let length = 0; length < size; ) {
    const message = encoder.encode(encoder.fromObject(make(random))).finish();
    messages.push(message);
    length += message.length;
    ends.push(length);
  }
  // A plain array of its own: not a slice of protobufjs's pool, and not Node's Buffer, which reads differently.
  const bytes = new Uint8Array(ends.at(-1) ?? 0);
  messages.forEach((message, index) => {
    bytes.set(message, ends[index]! - message.length);
  });
  return { kind, type, bytes, ends };
}
