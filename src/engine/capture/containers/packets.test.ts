import { describe, expect, test } from 'vitest';
import type { CaptureReader } from './capture-format.ts';
import type { PacketSink } from './packets.ts';
import { emptyLayers, type LayerTally, sumLayers } from './packets-layers.ts';
import { CaptureLog } from './packets-log.ts';
import { writePcap } from './packets-writer.testing.ts';
import { createPcapReader } from './pcap.ts';
import { createPcapngReader } from './pcapng.ts';
import { sniffCapture } from './sniff-capture.ts';

type Open = (sink: PacketSink, layers: LayerTally, log: CaptureLog) => CaptureReader;

/**
 * Each packet as `number time link: bytes+bytes cut off`, with `…` if the file ends within it; then what was found and
 * spent.
 */
function read(open: Open, bytes: Uint8Array, chunk = bytes.length) {
  const layers = emptyLayers();
  const log = new CaptureLog(layers);
  const packets: string[] = [];
  let payload = 0;
  const reader = open(
    (packet) => {
      const captured = packet.bytes.subarray(packet.start, packet.end);
      const cut = packet.originalLength - captured.length;
      const place = bytes.subarray(packet.captureOffset, packet.captureOffset + captured.length);
      expect(captured).toEqual(place);
      payload += captured.length;
      packets.push(
        `${packet.number} ${packet.time} ${packet.linkType}: ${Buffer.from(captured).toString('hex')}${cut > 0 ? `+${cut}` : ''}${packet.isUnfinished ? '…' : ''}`,
      );
    },
    layers,
    log,
  );
  for (let at = 0; at < bytes.length; at += chunk) reader.push(bytes.subarray(at, at + chunk));
  reader.end();
  expect(sumLayers(layers) + payload).toBe(bytes.length);
  return { packets, codes: log.finish().map(({ code }) => code), unattributed: layers.unattributed };
}

const hex = (text: string): Uint8Array => new Uint8Array(Buffer.from(text.replace(/\s|#.*$/gm, ''), 'hex'));

const PACKETS = [
  { time: 1_000_000_001.5, bytes: hex('0102') },
  { time: 1_000_000_002.25, bytes: hex('030405'), originalLength: 9 },
];
const READ = ['1 1000000001.5 1: 0102', '2 1000000002.25 1: 030405+6'];

describe('pcap', () => {
  test.each([
    ['little-endian, µs', { little: true, nanoseconds: false }],
    ['little-endian, ns', { little: true, nanoseconds: true }],
    ['big-endian, µs', { little: false, nanoseconds: false }],
    ['big-endian, ns', { little: false, nanoseconds: true }],
  ])('%s, in chunks of any size', (_name, form) => {
    const bytes = writePcap(PACKETS, form);
    expect(sniffCapture(bytes)).toBe('pcap');
    for (const chunk of [bytes.length, 1, 5, 24]) {
      expect(read(createPcapReader, bytes, chunk)).toEqual({ packets: READ, codes: [], unattributed: 0 });
    }
  });

  test.each([
    ['within its header', 20, [], 20],
    ['within a packet header', -10, [READ[0]], 9],
    ['within a packet', -1, [READ[0], '2 1000000002.25 1: 0304+7…'], 0],
  ])('that ends %s', (_name, end, packets, unattributed) => {
    const found = read(createPcapReader, writePcap(PACKETS).slice(0, end));
    expect(found).toEqual({ packets, codes: ['capture/ends-early'], unattributed });
  });

  test('an impossible length is damage, and the next packet is found', () => {
    const many = Array.from({ length: 4 }, (_, i) => ({ time: 1e12 + i, bytes: new Uint8Array(60).fill(i + 1) }));
    const bytes = writePcap(many);
    bytes.set([255, 255, 255, 127, 255, 255, 255, 127], 24 + 8 + 76);
    const { packets, codes, unattributed } = read(createPcapReader, bytes);
    expect(packets.length).toBe(3);
    expect(codes).toEqual(['capture/damaged']);
    expect(unattributed).toBe(76);
  });
});

test('a pcap of nanoseconds under the magic of microseconds is read, and that is reported once', () => {
  const packets = [
    { time: 1_000_000_000.25, bytes: hex('01') },
    { time: 1_000_000_000.5, bytes: hex('02') },
  ];
  const bytes = writePcap(packets, { little: true, nanoseconds: true });
  bytes.set(hex('d4c3b2a1'), 0);
  // 250,000 may be of either unit; 250,000,000 is of nanoseconds.
  expect(read(createPcapReader, bytes)).toEqual({
    packets: ['1 1000000250 1: 01', '2 1000000500 1: 02'],
    codes: [],
    unattributed: 0,
  });
  const later = writePcap(
    packets.map((packet) => ({ ...packet, time: packet.time + 249.75 })),
    { little: true, nanoseconds: true },
  );
  later.set(hex('d4c3b2a1'), 0);
  expect(read(createPcapReader, later)).toEqual({
    packets: ['1 1000000250 1: 01', '2 1000000250.25 1: 02'],
    codes: ['capture/nanoseconds'],
    unattributed: 0,
  });
});

test('fractions of more than a second are read, and that is reported once', () => {
  const packets = [
    { time: 1_000_000_000, bytes: hex('01') },
    { time: 1_000_000_250, bytes: hex('02') },
    { time: 1_000_001_000, bytes: hex('03') },
  ];
  const bytes = writePcap(packets, { little: true, nanoseconds: true });
  bytes.set(le(1_500_000_000), 24 + 4);
  bytes.set(le(4_000_000_000), 24 + 17 + 4);
  expect(read(createPcapReader, bytes)).toEqual({
    packets: ['1 1000001500 1: 01', '2 1000004000 1: 02', '3 1000001000 1: 03'],
    codes: ['capture/fraction'],
    unattributed: 0,
  });
});

const le = (value: number, size = 4): number[] =>
  Array.from({ length: size }, (_, i) => Math.floor(value / 256 ** i) & 255);
const be = (value: number, size = 4): number[] => le(value, size).reverse();

/** A block in either byte order; the body is padded. */
function block(order: typeof le, type: number, body: readonly number[]): number[] {
  const padded = [...body, ...Array<number>((4 - (body.length % 4)) % 4).fill(0)];
  const length = padded.length + 12;
  return [...order(type), ...order(length), ...padded, ...order(length)];
}

const section = (order: typeof le): number[] =>
  block(order, 0x0a0d0d0a, [...order(0x1a2b3c4d), ...order(1, 2), ...order(0, 2), ...Array<number>(8).fill(255)]);
const option = (order: typeof le, code: number, value: readonly number[]): number[] => [
  ...order(code, 2),
  ...order(value.length, 2),
  ...value,
  ...Array<number>((4 - (value.length % 4)) % 4).fill(0),
];
const iface = (order: typeof le, link: number, snap: number, ...options: readonly number[][]): number[] =>
  block(order, 1, [...order(link, 2), 0, 0, ...order(snap), ...options.flat(), ...order(0)]);
const enhanced = (order: typeof le, index: number, ticks: number, data: readonly number[], original = data.length) =>
  block(order, 6, [
    ...order(index),
    ...order(Math.floor(ticks / 2 ** 32)),
    ...order(ticks % 2 ** 32),
    ...order(data.length),
    ...order(original),
    ...data,
  ]);

describe('pcapng', () => {
  const file = new Uint8Array([
    ...section(be),
    ...block(be, 0x0bad, [1, 2, 3, 4, 5]),
    ...iface(be, 1, 0),
    ...iface(be, 276, 0, option(be, 2, [0x65, 0x6e]), option(be, 9, [9]), option(be, 14, be(10, 8))),
    ...enhanced(be, 0, 1_500, [1, 2, 3]),
    ...enhanced(be, 1, 2_500_000, [4], 100),
    ...section(le),
    ...iface(le, 101, 2, option(le, 9, [0x80 | 10])),
    ...block(le, 3, [...le(5), 7, 8]),
    ...block(le, 2, [...le(0, 2), ...le(0, 2), ...le(0), ...le(2048), ...le(2), ...le(2), 9, 9]),
  ]);
  const found = {
    packets: ['1 1.5 1: 010203', '2 10002.5 276: 04+99', '3 null 101: 0708+3', '4 2000 101: 0909'],
    codes: [],
    unattributed: 0,
  };

  test('both byte orders, several sections and interfaces, clocks, all packet blocks', () => {
    expect(sniffCapture(file)).toBe('pcapng');
    for (const chunk of [file.length, 1, 7]) expect(read(createPcapngReader, file, chunk)).toEqual(found);
  });

  test('a time that no date has is not known', () => {
    const bytes = new Uint8Array([
      ...section(le),
      ...iface(le, 1, 0, option(le, 9, [0])),
      ...enhanced(le, 0, 8.64e12, [1]),
      ...enhanced(le, 0, 8.64e12 + 1, [2]),
    ]);
    expect(read(createPcapngReader, bytes)).toMatchObject({ packets: ['1 8640000000000000 1: 01', '2 null 1: 02'] });
  });

  test('a packet of an interface that is not described', () => {
    const bytes = new Uint8Array([...section(le), ...enhanced(le, 3, 0, [1])]);
    expect(read(createPcapngReader, bytes)).toEqual({ packets: [], codes: ['capture/no-interface'], unattributed: 1 });
  });

  test('an impossible length is damage, and the next block is found', () => {
    const bytes = new Uint8Array([
      ...section(le),
      ...iface(le, 1, 0),
      ...enhanced(le, 0, 1000, [1]),
      ...enhanced(le, 0, 2000, [2]),
      ...enhanced(le, 0, 3000, [3]),
    ]);
    bytes.set([0xf0, 255, 255, 127], 28 + 24 + 36 + 4);
    const { packets, codes, unattributed } = read(createPcapngReader, bytes, 11);
    expect(packets).toEqual(['1 1 1: 01', '2 3 1: 03']);
    expect(codes).toEqual(['capture/damaged']);
    expect(unattributed).toBe(36);
  });

  const damaged = (at: number, value: readonly number[]): Uint8Array => {
    const bytes = new Uint8Array([
      ...section(le),
      ...iface(le, 1, 0, option(le, 2, [0x65, 0x6e])),
      ...enhanced(le, 0, 1000, [1, 2, 3, 4]),
    ]);
    bytes.set(value, at);
    return bytes;
  };
  /** Four bytes captured, and behind them option 1, which claims 500. */
  const withOption = new Uint8Array([
    ...section(le),
    ...iface(le, 1, 0),
    ...enhanced(le, 0, 1000, [1, 2, 3, 4, ...le(1, 2), ...le(500, 2), 0, 0, 0, 0]),
  ]);
  withOption.set(le(4), 28 + iface(le, 1, 0).length + 20);
  test.each([
    ['another length at the end of a block', damaged(28 + 32 + 32, le(40)), ['1 1 1: 01020304']],
    ['more captured bytes than the block has', damaged(28 + 32 + 20, le(9)), ['1 1 1: 01020304']],
    ['an option longer than its block', damaged(28 + 18, le(500, 2)), ['1 1 1: 01020304']],
    ['an option of a packet longer than its block', withOption, ['1 1 1: 01020304+8']],
  ])('%s is a fault, and the rest is read', (_name, bytes, packets) => {
    expect(read(createPcapngReader, bytes)).toEqual({ packets, codes: ['capture/bad-block'], unattributed: 0 });
  });

  test.each([
    ['within a packet', enhanced(le, 0, 1000, [1, 2, 3, 4]), -6, '1 1 1: 0102+2…'],
    ['after a packet, within its block', enhanced(le, 0, 1000, [1, 2, 3, 4], 9), -2, '1 1 1: 01020304+5'],
    ['within a simple packet', block(le, 3, [...le(4), 1, 2, 3, 4]), -6, '1 null 1: 0102+2…'],
    ['after a simple packet, within its block', block(le, 3, [...le(4), 1, 2, 3, 4]), -2, '1 null 1: 01020304'],
  ])('a file that ends %s gives the part before the end', (_name, last, end, packet) => {
    const bytes = new Uint8Array([...section(le), ...iface(le, 1, 0), ...last]).slice(0, end);
    expect(read(createPcapngReader, bytes)).toMatchObject({ packets: [packet], codes: ['capture/ends-early'] });
  });
});

test.each([
  ['gzip', '1f8b08', 'gzip'],
  ['a HAR', Buffer.from('{ "log": {').toString('hex'), 'har'],
  ['a protobuf', '0a0d0a', null],
  ['nothing', '', null],
])('%s is known by its first bytes', (_name, bytes, id) => {
  expect(sniffCapture(hex(bytes))).toBe(id);
});
