/**
 * A packet's bytes → the places and fields of its IP header and its TCP header.
 *
 *   Ethernet  destination×6 source×6 │ type×2      (8100, 88a8, 9100: 4 bytes of VLAN, then the type;
 *             8847, 8848: labels of MPLS, 4 bytes each; a length: LLC and SNAP, RFC 1042, then the type)
 *   SLL       kind×2 hardware×2 length×2 address×8 │ type×2
 *   SLL2      type×2 │ 0×2 interface×4 hardware×2 kind×1 length×1 address×8
 *   loopback  address family×4, in the writer's byte order
 *   PPP       (ff 03) │ protocol×2, or ×1 where it is odd (RFC 1661 §5, RFC 1662 §3.1)
 *   HDLC      address control │ type×2 (Cisco's)
 *   IPv4      RFC 791      IPv6 RFC 8200      TCP RFC 9293
 *
 * The caller enters headers in the ledger. Checksums are ignored, because offloaded checksums are wrong by design.
 */
import { uint16be, uint32be } from '../bytes/integers.ts';

export const LinkType = {
  NULL: 0,
  ETHERNET: 1,
  PPP: 9,
  PPP_SERIAL: 50,
  RAW: 101,
  CISCO_HDLC: 104,
  LOOP: 108,
  SLL: 113,
  IPV4: 228,
  IPV6: 229,
  SLL2: 276,
} as const;
/** Numbers for raw IP in files that OpenBSD and others write. */
const RAW_ALIASES = new Set<number>([LinkType.RAW, 12, 14]);
const EtherType = { IPV4: 0x0800, IPV6: 0x86dd } as const;
/** EtherTypes before 2 bytes of VLAN and another EtherType. */
export const VLAN: ReadonlySet<number> = new Set([0x8100, 0x88a8, 0x9100]);
const PPPOE_SESSION = 0x8864;
const PppProtocol = { IPV4: 0x21, IPV6: 0x57 } as const;
const MPLS = new Set([0x8847, 0x8848]);
/** LLC header and the organisation of EtherTypes, before the type. */
const SNAP = [0xaa, 0xaa, 3, 0, 0, 0];

/** Index of the IP header in the packet, which is bytes[start, end); −1: not found. */
export function ipOffset(linkType: number, bytes: Uint8Array, start: number, end: number): number {
  if (linkType === LinkType.ETHERNET) {
    let at = start + 12;
    if (at + 2 <= end && bytes[at] === 8 && bytes[at + 1] === 0) return ipAt(bytes, at + 2, end);
    while (at + 6 <= end && VLAN.has(uint16be(bytes, at))) at += 4;
    if (at + 10 <= end && uint16be(bytes, at) === PPPOE_SESSION) return ipAt(bytes, at + 10, end);
    const isSnap = at + 8 <= end && SNAP.every((byte, n) => bytes[at + 2 + n] === byte);
    return isSnap ? typed(bytes, at + 8, at + 10, end) : typed(bytes, at, at + 2, end);
  }
  if (linkType === LinkType.SLL) {
    const hasVlan = start + 16 <= end && VLAN.has(uint16be(bytes, start + 14));
    return hasVlan ? typed(bytes, start + 18, start + 20, end) : typed(bytes, start + 14, start + 16, end);
  }
  if (linkType === LinkType.SLL2) return typed(bytes, start, start + 20, end);
  if (linkType === LinkType.NULL || linkType === LinkType.LOOP) return ipAt(bytes, start + 4, end);
  if (linkType === LinkType.PPP || linkType === LinkType.PPP_SERIAL) return afterPpp(bytes, start, end);
  if (linkType === LinkType.CISCO_HDLC) return typed(bytes, start + 2, start + 4, end);
  const isBare = RAW_ALIASES.has(linkType) || linkType === LinkType.IPV4 || linkType === LinkType.IPV6;
  return isBare ? ipAt(bytes, start, end) : -1;
}

export const isKnownLinkType = (linkType: number): boolean =>
  (Object.values(LinkType) as number[]).includes(linkType) || RAW_ALIASES.has(linkType);

function afterPpp(bytes: Uint8Array, start: number, end: number): number {
  const at = start + 2 <= end && bytes[start] === 0xff && bytes[start + 1] === 3 ? start + 2 : start;
  if (at + 2 > end) return -1;
  const isShort = (bytes[at]! & 1) !== 0;
  const protocol = isShort ? bytes[at]! : uint16be(bytes, at);
  const isIp = protocol === PppProtocol.IPV4 || protocol === PppProtocol.IPV6;
  return isIp ? ipAt(bytes, at + (isShort ? 1 : 2), end) : -1;
}

function typed(bytes: Uint8Array, typeAt: number, ip: number, end: number): number {
  if (typeAt + 2 > end) return -1;
  const type = uint16be(bytes, typeAt);
  if (MPLS.has(type)) return pastLabels(bytes, ip, end);
  return type === EtherType.IPV4 || type === EtherType.IPV6 ? ipAt(bytes, ip, end) : -1;
}

/** The last label has a bit (RFC 3032). */
function pastLabels(bytes: Uint8Array, labels: number, end: number): number {
  let at = labels;
  while (at + 4 <= end) {
    at += 4;
    if ((bytes[at - 2]! & 1) !== 0) return ipAt(bytes, at, end);
  }
  return -1;
}

function ipAt(bytes: Uint8Array, at: number, end: number): number {
  if (at + 20 > end) return -1;
  const version = bytes[at]! >> 4;
  return version === 4 || (version === 6 && at + 40 <= end) ? at : -1;
}

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
