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
import { FragmentTable } from './ip-fragments.ts';
import {
  createIpHeader,
  createTcpHeader,
  ipOffset,
  isKnownLinkType,
  readIp,
  readTcp,
  TcpFlag,
} from './packet-headers.ts';
import { nameIpPayload, nameWithoutIp } from './packet-names.ts';
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

  /** @param captureOffset of bytes[0] */
  function addFragment(bytes: Uint8Array, captureOffset: number, end: number, time: number | null): void {
    const width = ip.version === 4 ? 4 : 16;
    const key = `${bytes.subarray(ip.source, ip.source + 2 * width).join()},${ip.protocol},${ip.identification}`;
    const data = bytes.subarray(ip.payload, end);
    const whole = fragments.add(key, ip.fragmentOffset, ip.moreFragments, data, captureOffset + ip.payload);
    if (whole === null) return;
    const last = whole.at(-1)!;
    const datagram = new Uint8Array(last.offset + last.bytes.length);
    for (const piece of whole) datagram.set(piece.bytes, piece.offset);
    if (ip.protocol !== TCP || !readTcp(datagram, 0, datagram.length, datagram.length, tcp)) {
      const name = nameIpPayload(ip.protocol, datagram, 0, datagram.length);
      passOver(name, datagram.length, whole[0]!.captureOffset);
      return;
    }
    layers.tcp += tcp.payload;
    const headerEnd = tcp.payload;
    const sequence = firstNumber();
    segment.bytes = datagram;
    segment.cut = 0;
    segment.time = time;
    // Each piece of a datagram is a segment, because the pieces are at different places of the capture.
    for (const piece of whole) {
      segment.start = Math.max(piece.offset, headerEnd);
      segment.end = piece.offset + piece.bytes.length;
      if (segment.end <= segment.start && piece !== last) continue;
      segment.end = Math.max(segment.start, segment.end);
      segment.sequence = (sequence + segment.start - headerEnd) >>> 0;
      segment.captureOffset = piece.captureOffset + segment.start - piece.offset;
      connections.segment(bytes, ip, tcp, segment);
    }
  }

  /** @param captureOffset of bytes[0] */
  function wholeDatagram(
    bytes: Uint8Array,
    captureOffset: number,
    end: number,
    time: number | null,
    isUnfinished: boolean,
  ): void {
    if (!readTcp(bytes, ip.payload, end, ip.end, tcp)) {
      passOver(nameIpPayload(TCP, bytes, ip.payload, end), end - ip.payload, captureOffset + ip.payload);
      return;
    }
    const start = Math.min(tcp.payload, end);
    layers.tcp += start - ip.payload;
    segment.sequence = firstNumber();
    segment.bytes = bytes;
    segment.start = start;
    segment.end = end;
    segment.captureOffset = captureOffset + start;
    // No bytes follow the last packet of a file, so it leaves no hole.
    segment.cut = isUnfinished ? 0 : Math.max(0, ip.end - Math.max(end, tcp.payload));
    segment.time = time;
    connections.segment(bytes, ip, tcp, segment);
  }

  function dissect(packet: Packet): void {
    const { bytes, captureOffset, isUnfinished, time } = packet;
    let { start, end, linkType } = packet;
    const origin = captureOffset - start;
    let wireEnd = Math.max(start + packet.originalLength, end);
    // A packet in a tunnel is in the payload of another one.
    for (;;) {
      const at = ipOffset(linkType, bytes, start, end);
      if (at < 0) {
        if (!isKnownLinkType(linkType) && !reported.has(linkType)) {
          reported.add(linkType);
          const text = `Packets of link type ${linkType} are not read.`;
          log.add('stream/link-type', 'warning', text, captureOffset, captureOffset + end - start);
        }
        passOver(nameWithoutIp(linkType, bytes, start, end), end - start, origin + start);
        return;
      }
      if (!readIp(bytes, at, end, wireEnd, ip)) {
        layers.link += at - start;
        passOver('damaged IP', end - at, origin + at);
        return;
      }
      const ipEnd = Math.min(ip.end, end);
      layers.link += at - start + end - ipEnd;
      layers.ip += ip.payload - at;
      if (ip.fragmentOffset >= 0) {
        addFragment(bytes, origin, ipEnd, time);
        return;
      }
      if (ip.protocol === TCP) {
        wholeDatagram(bytes, origin, ipEnd, time, isUnfinished);
        return;
      }
      const inner = insideTunnel(ip.protocol, bytes, ip.payload, ipEnd);
      if (inner === null) {
        passOver(nameIpPayload(ip.protocol, bytes, ip.payload, ipEnd), ipEnd - ip.payload, origin + ip.payload);
        return;
      }
      layers.link += inner.start - ip.payload;
      ({ start, linkType } = inner);
      end = ipEnd;
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
