/**
 * A packet's bytes → the fields of its IP header (RFC 791, RFC 8200) and its TCP header (RFC 9293).
 *
 * The caller enters headers in the ledger. Checksums are ignored, because offloaded checksums are wrong by design.
 */
import { uint16be, uint32be } from '../bytes/integers.ts';

/** The fields of an IP header; reused from packet to packet. */
export interface IpHeader {
  version: 4 | 6;
  /** Number of the protocol after all IP headers; 6 is TCP. */
  protocol: number;
  /** Index of the first byte after the IP headers. */
  payload: number;
  /** Index one past the datagram on the wire. It is beyond the packet's bytes if a snap length cut them. */
  end: number;
  /** Indices of the addresses, 4 or 16 bytes each. */
  source: number;
  destination: number;
  /** Offset of a fragment in the whole payload, in bytes; −1: not a fragment. */
  fragmentOffset: number;
  moreFragments: boolean;
  identification: number;
}

export const createIpHeader = (): IpHeader => ({
  version: 4,
  protocol: 0,
  payload: 0,
  end: 0,
  source: 0,
  destination: 0,
  fragmentOffset: -1,
  moreFragments: false,
  identification: 0,
});

/**
 * @param end of the packet's bytes @param wireEnd end of the packet on the wire; it is used if the header has no length
 * (segmentation offload writes 0). @returns false: there is no valid header
 */
export function readIp(bytes: Uint8Array, at: number, end: number, wireEnd: number, into: IpHeader): boolean {
  return bytes[at]! >> 4 === 4 ? readIpv4(bytes, at, end, wireEnd, into) : readIpv6(bytes, at, end, wireEnd, into);
}

function readIpv4(bytes: Uint8Array, at: number, end: number, wireEnd: number, into: IpHeader): boolean {
  const headerSize = (bytes[at]! & 15) * 4;
  const total = uint16be(bytes, at + 2);
  const flags = uint16be(bytes, at + 6);
  if (headerSize < 20 || at + headerSize > end || (total !== 0 && total < headerSize)) return false;
  into.version = 4;
  into.protocol = bytes[at + 9]!;
  into.payload = at + headerSize;
  into.end = total === 0 ? wireEnd : at + total;
  into.source = at + 12;
  into.destination = at + 16;
  into.moreFragments = (flags & 0x2000) !== 0;
  into.fragmentOffset = (flags & 0x3fff) === 0 ? -1 : (flags & 0x1fff) * 8;
  into.identification = uint16be(bytes, at + 4);
  return true;
}

const Extension = { HOP_BY_HOP: 0, ROUTING: 43, FRAGMENT: 44, AUTHENTICATION: 51, DESTINATION: 60 } as const;

function readIpv6(bytes: Uint8Array, at: number, end: number, wireEnd: number, into: IpHeader): boolean {
  const length = uint16be(bytes, at + 4);
  into.version = 6;
  into.end = length === 0 ? wireEnd : at + 40 + length;
  into.source = at + 8;
  into.destination = at + 24;
  into.fragmentOffset = -1;
  into.moreFragments = false;
  let next = bytes[at + 6]!;
  let header = at + 40;
  for (;;) {
    const walks =
      next === Extension.HOP_BY_HOP ||
      next === Extension.ROUTING ||
      next === Extension.DESTINATION ||
      next === Extension.AUTHENTICATION;
    if (!walks && next !== Extension.FRAGMENT) break;
    if (header + 8 > end) return false;
    if (next === Extension.FRAGMENT) {
      const place = uint16be(bytes, header + 2);
      into.moreFragments = (place & 1) !== 0;
      into.fragmentOffset = place & 0xfff8;
      into.identification = uint16be(bytes, header + 4) * 65536 + uint16be(bytes, header + 6);
      next = bytes[header]!;
      header += 8;
      // An atomic fragment is a whole datagram (RFC 6946). The payload of any other fragment is a piece of a datagram.
      if (!into.moreFragments && into.fragmentOffset === 0) into.fragmentOffset = -1;
      else break;
      continue;
    }
    const size = next === Extension.AUTHENTICATION ? (bytes[header + 1]! + 2) * 4 : (bytes[header + 1]! + 1) * 8;
    next = bytes[header]!;
    header += size;
  }
  into.protocol = next;
  into.payload = header;
  return header <= end && header <= into.end;
}

/** The fields of a TCP header; reused from segment to segment. */
export interface TcpHeader {
  sourcePort: number;
  destinationPort: number;
  sequence: number;
  acknowledgement: number;
  flags: number;
  /** Index of the first payload byte. */
  payload: number;
}

export const TcpFlag = { FIN: 1, SYN: 2, RST: 4, ACK: 16 } as const;

export const createTcpHeader = (): TcpHeader => ({
  sourcePort: 0,
  destinationPort: 0,
  sequence: 0,
  acknowledgement: 0,
  flags: 0,
  payload: 0,
});

/**
 * @param wireEnd end of the datagram on the wire. @returns false: there is no valid header, or it is cut within its
 * first 20 bytes. If options are cut, the payload is empty
 */
export function readTcp(bytes: Uint8Array, at: number, end: number, wireEnd: number, into: TcpHeader): boolean {
  if (at + 20 > Math.min(end, wireEnd)) return false;
  const size = (bytes[at + 12]! >> 4) * 4;
  if (size < 20 || at + size > wireEnd) return false;
  into.sourcePort = uint16be(bytes, at);
  into.destinationPort = uint16be(bytes, at + 2);
  into.sequence = uint32be(bytes, at + 4);
  into.acknowledgement = uint32be(bytes, at + 8);
  into.flags = bytes[at + 13]!;
  into.payload = at + size;
  return true;
}
