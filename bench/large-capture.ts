/**
 * Real captures → one of any size, with the same messages again and again:
 *
 *   tsx bench/large-capture.ts OUT MEGABYTES [CAPTURE…]        without CAPTURE: the sound ones of fixtures/capture
 *
 * A connection captured from its middle continues, its sequence numbers shifted by the bytes it sent before. A
 * connection whose start or end was captured is repeated from other addresses. Interleaved connections stay
 * interleaved. The file is written in pieces as it is made, so its size costs no memory.
 */
import { open, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { PacketSink } from '#engine/capture/containers/packets.ts';
import { emptyLayers } from '#engine/capture/containers/packets-layers.ts';
import { CaptureLog } from '#engine/capture/containers/packets-log.ts';
import { createPcapReader } from '#engine/capture/containers/pcap.ts';
import { createPcapngReader } from '#engine/capture/containers/pcapng.ts';
import { isPcap } from '#engine/capture/containers/sniff-capture.ts';
import { ipOffset } from '#engine/stream/link-headers.ts';
import { createIpHeader, createTcpHeader, readIp, readTcp, TcpFlag } from '#engine/stream/packet-headers.ts';

const ETHERNET = 1;
const TCP = 6;
const PIECE = 4 << 20;
/** Values of the two bytes of an address that say which repetition of which original a connection belongs to. */
const ADDRESSES = 65_536;

const FIXTURES = fileURLToPath(new URL('../fixtures/capture/', import.meta.url));
const SOUND = [
  'opensearch-plain.pcap',
  'opensearch-deflate.pcap',
  'otlp-http-gzip.pcapng',
  'remote-write.pcapng',
  'vitess-gzip.pcapng',
].map((name) => `${FIXTURES}${name}`);

/** One direction of a connection. */
interface Direction {
  /** Sequence numbers of its first byte and after its last; −1: it sends nothing. */
  first: number;
  end: number;
}

interface Template {
  readonly bytes: Uint8Array;
  /** Nanoseconds since its capture's first packet. */
  readonly time: number;
  readonly wireLength: number;
  /** Which original it is of. */
  readonly of: number;
  /** Offset of the source address; the destination follows. 4 or 16 bytes each. */
  readonly addresses: number;
  readonly width: number;
  readonly tcp: number;
  readonly connection: { restarts: boolean };
  readonly own: Direction;
  readonly other: Direction;
}

export interface LargeCapture {
  readonly bytes: number;
  readonly packets: number;
  readonly repeats: number;
}

/** @param size least size in bytes: the last repetition is whole */
export async function writeLargeCapture(
  path: string,
  size: number,
  originals: readonly string[] = SOUND,
): Promise<LargeCapture> {
  const templates: Template[] = [];
  for (const [index, original] of originals.entries()) {
    readTemplates(new Uint8Array(await readFile(original)), index, templates);
  }
  if (templates.length === 0) throw new Error('No TCP packets over Ethernet in the originals.');
  templates.sort((a, b) => a.time - b.time);
  const span = Math.ceil((templates.at(-1)!.time + 1e6) / 1e6) * 1e6;
  const file = await open(path, 'w');
  const piece = new Uint8Array(PIECE + (1 << 20));
  const view = new DataView(piece.buffer);
  let at = writeFileHeader(view);
  let bytes = 0;
  let packets = 0;
  const mostRepeats = Math.floor(ADDRESSES / originals.length);
  let repeat = 0;
  try {
    for (; bytes + at < size; repeat++) {
      if (repeat === mostRepeats)
        throw new Error(`At most ${mostRepeats} repetitions; give fewer or larger originals.`);
      for (const template of templates) {
        const turn = template.connection.restarts ? repeat : 0;
        at += writePacket(view, piece, at, template, repeat, template.of * mostRepeats + turn, span);
        packets++;
        if (at < PIECE) continue;
        await file.write(piece, 0, at);
        bytes += at;
        at = 0;
      }
    }
    await file.write(piece, 0, at);
    bytes += at;
  } finally {
    await file.close();
  }
  return { bytes, packets, repeats: repeat };
}

/** pcap with nanoseconds, little-endian. */
function writeFileHeader(view: DataView): number {
  view.setUint32(0, 0xa1b23c4d, true);
  view.setUint16(4, 2, true);
  view.setUint16(6, 4, true);
  view.setUint32(16, 262_144, true);
  view.setUint32(20, ETHERNET, true);
  return 24;
}

function writePacket(
  view: DataView,
  piece: Uint8Array,
  at: number,
  template: Template,
  repeat: number,
  address: number,
  span: number,
): number {
  const { bytes, addresses, width, tcp, connection, own, other } = template;
  // In 2026, so that clocks of other tools read it as a time.
  const time = repeat * span + template.time;
  const seconds = Math.floor(time / 1e9);
  view.setUint32(at, 1_780_000_000 + seconds, true);
  view.setUint32(at + 4, time - seconds * 1e9, true);
  view.setUint32(at + 8, bytes.length, true);
  view.setUint32(at + 12, template.wireLength, true);
  const packet = at + 16;
  piece.set(bytes, packet);
  for (const end of [packet + addresses + width, packet + addresses + 2 * width]) {
    view.setUint16(end - 3, address);
  }
  const shift = (by: Direction): number => (connection.restarts ? repeat * 1_000_003 : repeat * (by.end - by.first));
  view.setUint32(packet + tcp + 4, (view.getUint32(packet + tcp + 4) + shift(own)) >>> 0);
  view.setUint32(packet + tcp + 8, (view.getUint32(packet + tcp + 8) + shift(other)) >>> 0);
  return 16 + bytes.length;
}

function readTemplates(bytes: Uint8Array, of: number, into: Template[]): void {
  const ip = createIpHeader();
  const tcp = createTcpHeader();
  const directions = new Map<string, Direction>();
  const connections = new Map<string, { restarts: boolean }>();
  let began = -1;

  const remember = <T>(map: Map<string, T>, key: string, make: () => T): T => {
    const known = map.get(key) ?? make();
    map.set(key, known);
    return known;
  };

  const sink: PacketSink = ({ bytes, start: first, end, linkType, originalLength, time }) => {
    const packet = bytes.slice(first, end);
    const start = linkType === ETHERNET ? ipOffset(linkType, packet, 0, packet.length) : -1;
    if (
      start < 0 ||
      !readIp(packet, start, packet.length, originalLength, ip) ||
      ip.protocol !== TCP ||
      ip.fragmentOffset >= 0
    )
      return;
    if (!readTcp(packet, ip.payload, packet.length, ip.end, tcp)) return;
    const width = ip.version === 4 ? 4 : 16;
    const from = `${packet.subarray(ip.source, ip.source + width)}:${tcp.sourcePort}`;
    const to = `${packet.subarray(ip.destination, ip.destination + width)}:${tcp.destinationPort}`;
    const own = remember(directions, `${from} ${to}`, () => ({ first: -1, end: -1 }));
    const other = remember(directions, `${to} ${from}`, () => ({ first: -1, end: -1 }));
    const connection = remember(connections, [from, to].sort().join(' '), () => ({ restarts: false }));
    if (tcp.flags & (TcpFlag.SYN | TcpFlag.FIN | TcpFlag.RST)) connection.restarts = true;
    const length = ip.end - tcp.payload;
    if (length > 0) widen(own, tcp.sequence, length);
    if (began < 0) began = time ?? 0;
    into.push({
      bytes: packet,
      time: Math.max(0, Math.round(((time ?? 0) - began) * 1e6)),
      wireLength: originalLength,
      of,
      addresses: ip.source,
      width,
      tcp: ip.payload,
      connection,
      own,
      other,
    });
  };

  const reader = (isPcap(bytes) ? createPcapReader : createPcapngReader)(
    sink,
    emptyLayers(),
    new CaptureLog(emptyLayers()),
  );
  reader.push(bytes);
  reader.end();
}

/** Numbers after the first captured one may pass 2³²; ones before it are negative from there. */
function widen(direction: Direction, sequence: number, length: number): void {
  if (direction.first < 0) {
    direction.first = sequence;
    direction.end = sequence + length;
    return;
  }
  const from = direction.first + ((sequence - direction.first) | 0);
  direction.first = Math.min(direction.first, from);
  direction.end = Math.max(direction.end, from + length);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , out, megabytes, ...captures] = process.argv;
  if (out === undefined || !(Number(megabytes) > 0)) {
    console.error('usage: tsx bench/large-capture.ts OUT MEGABYTES [CAPTURE…]');
    process.exit(1);
  }
  const { bytes, packets, repeats } = await writeLargeCapture(
    out,
    Number(megabytes) * 1e6,
    captures.length > 0 ? captures : undefined,
  );
  console.log(`${out}: ${bytes} bytes, ${packets} packets, ${repeats} repetitions`);
}
