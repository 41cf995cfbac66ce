/**
 * Packets → TCP segments, and every byte that is not TCP payload into the ledger:
 *
 *   link │ ip │ tcp │ payload … │ link (padding)
 */
import type { PacketSink } from '../capture/packets.ts';
import type { LayerTally } from '../capture/packets-layers.ts';
import type { CaptureLog } from '../capture/packets-log.ts';
import type { ConnectionTable } from './connections.ts';
import { FragmentTable } from './ip-fragments.ts';
import {
  createIpHeader,
  createTcpHeader,
  type IpHeader,
  ipOffset,
  isKnownLinkType,
  readIp,
  readTcp,
} from './packet-headers.ts';

const TCP = 6;

export interface TcpPackets {
  readonly packet: PacketSink;
  /** The capture ends. */
  end(): void;
}

export function createTcpPackets(connections: ConnectionTable, layers: LayerTally, log: CaptureLog): TcpPackets {
  const ip = createIpHeader();
  const tcp = createTcpHeader();
  const fragments = new FragmentTable();
  const reported = new Set<number>();

  function addFragment(bytes: Uint8Array, captureOffset: number, end: number, time: number | null): void {
    const width = ip.version === 4 ? 4 : 16;
    const key = `${bytes.subarray(ip.source, ip.source + 2 * width).join()},${ip.protocol},${ip.identification}`;
    const data = bytes.subarray(ip.payload, end);
    const { whole, forgotten } = fragments.add(
      key,
      ip.fragmentOffset,
      ip.moreFragments,
      data,
      captureOffset + ip.payload,
    );
    layers['other-protocols'] += forgotten;
    if (whole === null) return;
    const last = whole.at(-1)!;
    const datagram = new Uint8Array(last.offset + last.bytes.length);
    for (const piece of whole) datagram.set(piece.bytes, piece.offset);
    if (ip.protocol !== TCP || !readTcp(datagram, 0, datagram.length, tcp)) {
      layers['other-protocols'] += datagram.length;
      return;
    }
    layers.tcp += tcp.payload;
    const headerEnd = tcp.payload;
    const sequence = tcp.sequence;
    // A datagram of several pieces is fed as as many segments, since each lies elsewhere in the capture.
    for (const piece of whole) {
      const start = Math.max(piece.offset, headerEnd);
      const stop = piece.offset + piece.bytes.length;
      if (stop <= start && piece !== last) continue;
      tcp.sequence = (sequence + start - headerEnd) >>> 0;
      const at = piece.captureOffset + start - piece.offset;
      connections.segment(bytes, ip.source, ip.destination, width, tcp, datagram.subarray(start, stop), at, 0, time);
    }
  }

  function wholeDatagram(header: IpHeader, bytes: Uint8Array, captureOffset: number, end: number, time: number | null) {
    if (!readTcp(bytes, header.payload, header.end, tcp)) {
      layers['other-protocols'] += end - header.payload;
      return;
    }
    const start = Math.min(tcp.payload, end);
    layers.tcp += start - header.payload;
    const cut = Math.max(0, header.end - Math.max(end, tcp.payload));
    const width = header.version === 4 ? 4 : 16;
    connections.segment(
      bytes,
      header.source,
      header.destination,
      width,
      tcp,
      bytes.subarray(start, end),
      captureOffset + start,
      cut,
      time,
    );
  }

  return {
    packet({ bytes, captureOffset, linkType, originalLength, time }) {
      const at = ipOffset(linkType, bytes);
      if (at < 0) {
        if (!isKnownLinkType(linkType) && !reported.has(linkType)) {
          reported.add(linkType);
          log.add(
            'stream/link-type',
            'warning',
            `Packets of link type ${linkType} are not read.`,
            captureOffset,
            captureOffset + bytes.length,
          );
        }
        layers['other-protocols'] += bytes.length;
        return;
      }
      if (!readIp(bytes, at, Math.max(originalLength, bytes.length), ip)) {
        layers.link += at;
        layers['other-protocols'] += bytes.length - at;
        return;
      }
      const end = Math.min(ip.end, bytes.length);
      layers.link += at + bytes.length - end;
      layers.ip += ip.payload - at;
      if (ip.fragmentOffset >= 0) addFragment(bytes, captureOffset, end, time);
      else if (ip.protocol === TCP) wholeDatagram(ip, bytes, captureOffset, end, time);
      else layers['other-protocols'] += end - ip.payload;
    },
    end() {
      layers['other-protocols'] += fragments.end();
    },
  };
}
