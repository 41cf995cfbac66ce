/**
 * Packets → TCP segments. Every byte that is not TCP payload is entered in the ledger:
 *
 *   link │ ip │ tcp │ payload … │ link (padding)
 */
import type { Packet, PacketSink } from '../capture/containers/packets.ts';
import type { LayerTally } from '../capture/containers/packets-layers.ts';
import type { CaptureLog } from '../capture/containers/packets-log.ts';
import { TrafficTally } from '../capture/containers/packets-traffic.ts';
import type { ConnectionTable } from './connections.ts';
import { EXPORTED_PDUS, ExportedPdus } from './exported-pdus.ts';
import { type FragmentPiece, FragmentTable } from './ip-fragments.ts';
import { ipOffset, isKnownLinkType } from './link-headers.ts';
import { createIpHeader, createTcpHeader, readIp, readTcp, TcpFlag } from './packet-headers.ts';
import { linkTypeText, nameIpPayload, nameWithoutIp } from './packet-names.ts';
import type { TcpSegment } from './reassembly.ts';
import { insideTunnel } from './tunnels.ts';

const TCP = 6;

export interface TcpPackets {
  readonly packet: PacketSink;
  /** The capture has ended. */
  end(): void;
}

export function createTcpPackets(
  connections: ConnectionTable,
  layers: LayerTally,
  log: CaptureLog,
  traffic: TrafficTally = new TrafficTally(),
): TcpPackets {
  const ip = createIpHeader();
  const tcp = createTcpHeader();
  const passFragment = (bytes: number, start: number): void => passOver('IP fragments', bytes, start);
  const fragments = new FragmentTable(passFragment, (bytes, start) => {
    if (ip.protocol === TCP) layers.retransmitted += bytes;
    else passFragment(bytes, start);
  });
  const exported = new ExportedPdus();
  const reported = new Set<number>();
  /** Reused from packet to packet. */
  const segment: { -readonly [K in keyof TcpSegment]: TcpSegment[K] } = {
    sequence: 0,
    bytes: new Uint8Array(0),
    start: 0,
    end: 0,
    captureOffset: 0,
    cut: 0,
    time: null,
  };

  function passOver(name: string, bytes: number, start: number): void {
    layers['other-protocols'] += bytes;
    if (bytes > 0) traffic.add({ name, unit: 'packet', bytes, isEncrypted: false, start, end: start + bytes });
  }

  /** Sequence number of the first payload byte. A SYN takes one sequence number. */
  const firstNumber = (): number => (tcp.flags & TcpFlag.SYN ? (tcp.sequence + 1) >>> 0 : tcp.sequence);

  /** The pieces of the datagram that is whole with this fragment; null: it is not yet. @param origin captureOffset of bytes[0] */
  function join(bytes: Uint8Array, origin: number, end: number): readonly FragmentPiece[] | null {
    const width = ip.version === 4 ? 4 : 16;
    const key = `${bytes.subarray(ip.source, ip.source + 2 * width).join()},${ip.protocol},${ip.identification}`;
    const data = bytes.subarray(ip.payload, end);
    return fragments.add(key, ip.fragmentOffset, ip.moreFragments, data, origin + ip.payload);
  }

  /** Each piece of a datagram is a segment, because the pieces are at different places of the capture. */
  function addPieces(
    datagram: Uint8Array,
    addresses: Uint8Array,
    pieces: readonly FragmentPiece[],
    end: number,
    time: number | null,
  ): void {
    const { payload } = tcp;
    const sequence = firstNumber();
    const data = pieces.filter(({ offset, bytes }) => offset < end && offset + bytes.length > payload);
    // One without data is passed on, too.
    for (const piece of data.length === 0 ? pieces.slice(-1) : data) {
      segment.start = Math.min(Math.max(piece.offset, payload), end);
      segment.end = Math.max(segment.start, Math.min(piece.offset + piece.bytes.length, end));
      segment.sequence = (sequence + segment.start - payload) >>> 0;
      segment.bytes = datagram;
      segment.captureOffset = piece.captureOffset + segment.start - piece.offset;
      segment.cut = 0;
      segment.time = time;
      connections.segment(addresses, ip, tcp, segment);
    }
  }

  function addWhole(bytes: Uint8Array, origin: number, end: number, time: number | null, isUnfinished: boolean): void {
    const start = Math.min(tcp.payload, end);
    segment.sequence = firstNumber();
    segment.bytes = bytes;
    segment.start = start;
    segment.end = end;
    segment.captureOffset = origin + start;
    // No bytes follow the last packet of a file, so it leaves no hole.
    segment.cut = isUnfinished ? 0 : Math.max(0, ip.end - Math.max(end, tcp.payload));
    segment.time = time;
    connections.segment(bytes, ip, tcp, segment);
  }

  function dissect(packet: Packet): void {
    const { captureOffset, isUnfinished, time } = packet;
    let { bytes, start, end, linkType } = packet;
    const origin = captureOffset - start;
    let wireEnd = Math.max(start + packet.originalLength, end);
    /** Places of the bytes, if they are a datagram that was in fragments. */
    let pieces: readonly FragmentPiece[] | null = null;
    if (linkType === EXPORTED_PDUS) {
      if (exported.read(bytes, start, end, wireEnd, ip, tcp)) {
        layers.link += tcp.payload - start;
        addWhole(bytes, origin, end, time, isUnfinished);
      } else passOver(nameWithoutIp(linkType, bytes, start, end), end - start, origin + start);
      return;
    }
    // A packet in a tunnel is in the payload of another one.
    for (;;) {
      const at = ipOffset(linkType, bytes, start, end);
      if (at < 0) {
        if (!isKnownLinkType(linkType) && !reported.has(linkType)) {
          reported.add(linkType);
          const text = `Packets of ${linkTypeText(linkType)} are not read.`;
          log.add('stream/link-type', 'warning', text, captureOffset, captureOffset + end - start);
        }
        passOver(nameWithoutIp(linkType, bytes, start, end), end - start, placeOf(start, origin, pieces));
        return;
      }
      if (!readIp(bytes, at, end, wireEnd, ip)) {
        layers.link += at - start;
        passOver('damaged IP', end - at, placeOf(at, origin, pieces));
        return;
      }
      const addresses = bytes;
      const ipEnd = Math.min(ip.end, end);
      layers.link += at - start + end - ipEnd;
      layers.ip += ip.payload - at;
      end = ipEnd;
      if (ip.fragmentOffset >= 0) {
        if (pieces !== null) {
          passFragment(end - ip.payload, placeOf(ip.payload, origin, pieces));
          return;
        }
        pieces = join(bytes, origin, end);
        if (pieces === null) return;
        bytes = bytesOf(pieces);
        end = bytes.length;
        ip.payload = 0;
        ip.end = end;
      }
      if (ip.protocol === TCP && readTcp(bytes, ip.payload, end, ip.end, tcp)) {
        layers.tcp += Math.min(tcp.payload, end) - ip.payload;
        if (pieces === null) addWhole(bytes, origin, end, time, isUnfinished);
        else addPieces(bytes, addresses, pieces, end, time);
        return;
      }
      const inner = insideTunnel(ip.protocol, bytes, ip.payload, end);
      if (inner === null) {
        passOver(
          nameIpPayload(ip.protocol, bytes, ip.payload, end),
          end - ip.payload,
          placeOf(ip.payload, origin, pieces),
        );
        return;
      }
      layers.link += inner.start - ip.payload;
      ({ start, linkType } = inner);
      wireEnd = ip.end;
    }
  }

  return {
    packet(packet) {
      dissect(packet);
      if (packet.time !== null) connections.tick(packet.time);
    },
    end() {
      fragments.end();
    },
  };
}

function bytesOf(pieces: readonly FragmentPiece[]): Uint8Array {
  const last = pieces.at(-1)!;
  const datagram = new Uint8Array(last.offset + last.bytes.length);
  for (const piece of pieces) datagram.set(piece.bytes, piece.offset);
  return datagram;
}

/** captureOffset of a byte of a packet, or of a datagram whose pieces are given. @param origin captureOffset of bytes[0] */
function placeOf(at: number, origin: number, pieces: readonly FragmentPiece[] | null): number {
  if (pieces === null) return origin + at;
  const piece = pieces.findLast(({ offset }) => offset <= at)!;
  return piece.captureOffset + at - piece.offset;
}
