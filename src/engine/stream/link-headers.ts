/**
 * A packet's link header → the place of its IP header (https://www.tcpdump.org/linktypes.html).
 *
 *   Ethernet     destination×6 source×6 │ type×2     a length ≤ 1500 in place of the type: LLC
 *   tags         8100 88a8 9100 VLAN×2 │ 8926 VN-Tag×4 │ 893f E-Tag×6, then the type; 88e7 I-Tag×4, then Ethernet
 *   MPLS         labels of 4 bytes (RFC 3032), then IP; after a word whose first four bits are 0, Ethernet (RFC 4385)
 *   LLC          06 06 03 │ aa aa 03 organisation×3 type×2                                    RFC 948, RFC 1042
 *   PPP          (ff 03) │ protocol×2, or ×1 where it is odd                                  RFC 1661 §5, RFC 1662 §3.1
 *   Wi-Fi        control×2 … addresses, sequence │ QoS×2? HT×4? │ LLC                         IEEE 802.11 §9.2
 *   Frame Relay  address×2 to 4 │ 03 0? protocol×1, or the type×2 (Cisco's)                   RFC 2427
 *   SLL, SLL2    Linux cooked: what a capture of all interfaces has in place of their headers
 *   pktap        length×4 next×4 link type×4 …, then a packet of that type                    Apple's of all interfaces
 *   NFLOG        family×1 version×1 resource×2 │ records: length×2 type×2 value, to 4 bytes; 9 is the packet
 */
import { integerAt, littleEndian, uint16be, uint32, uint32be } from '../bytes/integers.ts';

export const LinkType = { ETHERNET: 1, RAW: 101 } as const;

export const EtherType = {
  IPV4: 0x0800,
  IPV6: 0x86dd,
  VN_TAG: 0x8926,
  E_TAG: 0x893f,
  I_TAG: 0x88e7,
  PPPOE_SESSION: 0x8864,
  MPLS: 0x8847,
  MPLS_MULTICAST: 0x8848,
} as const;
/** Smaller values are a length (IEEE 802.3), for example in spanning tree packets. */
export const FIRST_ETHER_TYPE = 0x600;
const PppProtocol = { IPV4: 0x21, IPV6: 0x57 } as const;
/** Network layer protocol identifiers (ISO/IEC TR 9577). */
const Nlpid = { SNAP: 0x80, IPV6: 0x8e, IPV4: 0xcc } as const;

/** Index of a packet's IP header in [start, end); −1: not found. */
type FindIp = (bytes: Uint8Array, start: number, end: number) => number;

const after =
  (size: number, find: FindIp): FindIp =>
  (bytes, start, end) =>
    find(bytes, start + size, end);

function ipAt(bytes: Uint8Array, at: number, end: number): number {
  if (at + 20 > end) return -1;
  const version = bytes[at]! >> 4;
  return version === 4 || (version === 6 && at + 40 <= end) ? at : -1;
}

const isIp = (type: number): boolean => type === EtherType.IPV4 || type === EtherType.IPV6;

/** Index of the EtherType after all tags; there may be none before `end`. */
function pastTags(bytes: Uint8Array, typeAt: number, end: number): number {
  for (let at = typeAt; ; ) {
    const type = at + 2 <= end ? uint16be(bytes, at) : 0;
    if (type === 0x8100 || type === 0x88a8 || type === 0x9100) at += 4;
    else if (type === EtherType.VN_TAG) at += 6;
    else if (type === EtherType.E_TAG) at += 8;
    else return at;
  }
}

/**
 * @param typeAt of the EtherType; what it names begins at `next`, unless there are tags. @param isInner of a frame that
 * is in another one: a third one is not followed
 */
function typed(bytes: Uint8Array, typeAt: number, next: number, end: number, isInner = false): number {
  const at = pastTags(bytes, typeAt, end);
  if (at + 2 > end) return -1;
  const type = uint16be(bytes, at);
  const content = next + at - typeAt;
  if (isIp(type)) return ipAt(bytes, content, end);
  if (type < FIRST_ETHER_TYPE) return insideLlc(bytes, content, end);
  if (type === EtherType.MPLS || type === EtherType.MPLS_MULTICAST) return pastLabels(bytes, content, end, isInner);
  if (type === EtherType.PPPOE_SESSION) return insidePppoe(bytes, content, end);
  return type === EtherType.I_TAG && !isInner ? insideEthernet(bytes, content + 4, end, true) : -1;
}

function insideEthernet(bytes: Uint8Array, start: number, end: number, isInner = false): number {
  const at = start + 12;
  // Most packets, before all that others have.
  if (at + 2 <= end && bytes[at] === 8 && bytes[at + 1] === 0) return ipAt(bytes, at + 2, end);
  return typed(bytes, at, at + 2, end, isInner);
}

/** The last label has a bit. */
function pastLabels(bytes: Uint8Array, labels: number, end: number, isInner: boolean): number {
  let at = labels;
  while (at + 4 <= end) {
    at += 4;
    if ((bytes[at - 2]! & 1) === 0) continue;
    const isEthernet = at + 4 <= end && bytes[at]! >> 4 === 0 && !isInner;
    return isEthernet ? insideEthernet(bytes, at + 4, end, true) : ipAt(bytes, at, end);
  }
  return -1;
}

function insideLlc(bytes: Uint8Array, at: number, end: number): number {
  if (at + 3 > end || bytes[at + 2] !== 3) return -1;
  const [to, from] = [bytes[at]!, bytes[at + 1]!];
  if (to === 6 && from === 6) return ipAt(bytes, at + 3, end);
  return to === 0xaa && from === 0xaa ? insideSnap(bytes, at + 3, end) : -1;
}

/** A SNAP header of organisation 0 has an EtherType. */
function insideSnap(bytes: Uint8Array, at: number, end: number): number {
  const isTyped = at + 5 <= end && bytes[at] === 0 && bytes[at + 1] === 0 && bytes[at + 2] === 0;
  return isTyped ? typed(bytes, at + 3, at + 5, end) : -1;
}

const insidePppoe = (bytes: Uint8Array, start: number, end: number): number => insidePpp(bytes, start + 6, end);

function insidePpp(bytes: Uint8Array, start: number, end: number): number {
  const hasAddress = start + 2 <= end && bytes[start] === 0xff && bytes[start + 1] === 3;
  return afterPppAddress(bytes, hasAddress ? start + 2 : start, end);
}

function afterPppAddress(bytes: Uint8Array, at: number, end: number): number {
  if (at + 2 > end) return -1;
  const isShort = (bytes[at]! & 1) !== 0;
  const protocol = isShort ? bytes[at]! : uint16be(bytes, at);
  const carriesIp = protocol === PppProtocol.IPV4 || protocol === PppProtocol.IPV6;
  return carriesIp ? ipAt(bytes, at + (isShort ? 1 : 2), end) : -1;
}

/** A bit in the sender's address says that a route follows. */
function insideTokenRing(bytes: Uint8Array, start: number, end: number): number {
  const route = start + 14;
  if (route >= end) return -1;
  const isRouted = (bytes[start + 8]! & 0x80) !== 0;
  return insideLlc(bytes, route + (isRouted ? bytes[route]! & 31 : 0), end);
}

/** @param isPadded the header is filled to 4 bytes. Encrypted frames and several packets in a frame are not read. */
function insideWifi(bytes: Uint8Array, start: number, end: number, isPadded: boolean): number {
  if (start + 24 > end) return -1;
  const kind = bytes[start]! & 0x0c;
  const subtype = bytes[start]! >> 4;
  const flags = bytes[start + 1]!;
  const [hasQos, isEmpty] = [(subtype & 8) !== 0, (subtype & 4) !== 0];
  if (kind !== 8 || isEmpty || (flags & 0x40) !== 0) return -1;
  const hasFourth = (flags & 3) === 3;
  const qos = start + 24 + (hasFourth ? 6 : 0);
  if (hasQos && (bytes[qos]! & 0x80) !== 0) return -1;
  const size = qos - start + (hasQos ? ((flags & 0x80) !== 0 ? 6 : 2) : 0);
  return insideLlc(bytes, start + (isPadded ? (size + 3) & ~3 : size), end);
}

const insideBareWifi: FindIp = (bytes, start, end) => insideWifi(bytes, start, end, false);

/** https://www.radiotap.org: the fields in the order of their bits; the second one has flags. */
function insideRadiotap(bytes: Uint8Array, start: number, end: number): number {
  if (start + 8 > end) return -1;
  const content = start + littleEndian(bytes, start + 2, 2);
  let words = start + 4;
  while (words + 4 <= end && (bytes[words + 3]! & 0x80) !== 0) words += 4;
  const [hasTime, hasFlags] = [(bytes[start + 4]! & 1) !== 0, (bytes[start + 4]! & 2) !== 0];
  const first = words + 4 - start;
  const flags = start + (hasTime ? ((first + 7) & ~7) + 8 : first);
  const isPadded = hasFlags && flags < end && (bytes[flags]! & 0x20) !== 0;
  return insideWifi(bytes, content, end, isPadded);
}

/** Prism's and AVS' headers have their length second; AVS', which also follows in captures of Prism's, in network order. */
function insidePrism(bytes: Uint8Array, start: number, end: number): number {
  if (start + 8 > end) return -1;
  const isAvs = (uint32be(bytes, start) & 0xfffff000) >>> 0 === 0x80211000;
  return insideWifi(bytes, start + uint32(bytes, start + 4, !isAvs), end, false);
}

/** Per-packet information of CACE: length×2 at 2, link type×4 at 4, little-endian. */
function insidePpi(bytes: Uint8Array, start: number, end: number): number {
  if (start + 8 > end) return -1;
  return inside(littleEndian(bytes, start + 4), bytes, start + littleEndian(bytes, start + 2, 2), end);
}

function insidePktap(bytes: Uint8Array, start: number, end: number): number {
  if (start + 12 > end) return -1;
  const size = littleEndian(bytes, start);
  return size < 12 || start + size > end ? -1 : inside(littleEndian(bytes, start + 8), bytes, start + size, end);
}

function insideFrameRelay(bytes: Uint8Array, start: number, end: number): number {
  let at = start + 1;
  while (at < end && at < start + 4 && (bytes[at - 1]! & 1) === 0) at++;
  if (at + 3 > end) return -1;
  if (bytes[at] !== 3) return typed(bytes, at, at + 2, end);
  const protocol = at + (bytes[at + 1] === 0 ? 2 : 1);
  if (bytes[protocol] === Nlpid.SNAP) return insideSnap(bytes, protocol + 1, end);
  return bytes[protocol] === Nlpid.IPV4 || bytes[protocol] === Nlpid.IPV6 ? ipAt(bytes, protocol + 1, end) : -1;
}

/** The header's own length is without its padding. */
function insidePflog(bytes: Uint8Array, start: number, end: number): number {
  return start < end ? ipAt(bytes, start + ((bytes[start]! + 3) & ~3), end) : -1;
}

/** Lengths and types are in the byte order of the machine that captured. */
function insideNflog(bytes: Uint8Array, start: number, end: number): number {
  const first = start + 4;
  if (first + 4 > end) return -1;
  // The first record is a short one.
  const isLittle = littleEndian(bytes, first, 2) <= uint16be(bytes, first);
  for (let at = first; at + 4 <= end; ) {
    const size = integerAt(bytes, at, 2, isLittle);
    if ((integerAt(bytes, at + 2, 2, isLittle) & 0x7fff) === 9) return ipAt(bytes, at + 4, end);
    if (size < 4) return -1;
    at += (size + 3) & ~3;
  }
  return -1;
}

/** @param at offset of the EtherType. @param size of the link header */
const withType =
  (at: number, size: number): FindIp =>
  (bytes, start, end) =>
    typed(bytes, start + at, start + size, end);

interface Link {
  readonly ip: FindIp;
  /** Offset of the EtherType, for packets without IP; absent: none, or not at a fixed place. */
  readonly type?: number;
}

/** For private use: Apple's tools have pktap here. */
const USER2 = 149;

/** How packets begin, by link type. 12 and 14 are raw IP in the files of OpenBSD and of others. */
const LINKS: Readonly<Record<number, Link>> = {
  0: { ip: after(4, ipAt) },
  1: { ip: insideEthernet, type: 12 },
  6: { ip: insideTokenRing },
  8: { ip: after(16, ipAt) },
  9: { ip: insidePpp },
  10: { ip: after(13, insideLlc) },
  12: { ip: ipAt },
  14: { ip: ipAt },
  50: { ip: insidePpp },
  51: { ip: insidePppoe },
  100: { ip: insideLlc },
  101: { ip: ipAt },
  104: { ip: withType(2, 4), type: 2 },
  105: { ip: insideBareWifi },
  107: { ip: insideFrameRelay },
  108: { ip: after(4, ipAt) },
  109: { ip: after(12, ipAt) },
  113: { ip: withType(14, 16), type: 14 },
  117: { ip: insidePflog },
  119: { ip: insidePrism },
  122: { ip: after(16, insideLlc) },
  127: { ip: insideRadiotap },
  138: { ip: withType(16, 18), type: 16 },
  [USER2]: { ip: insidePktap },
  163: { ip: insidePrism },
  166: { ip: after(2, afterPppAddress) },
  192: { ip: insidePpi },
  204: { ip: after(1, insidePpp) },
  226: { ip: after(24, ipAt) },
  228: { ip: ipAt },
  229: { ip: ipAt },
  239: { ip: insideNflog },
  240: { ip: after(4, insideEthernet), type: 16 },
  242: { ip: withType(40, 44), type: 40 },
  258: { ip: insidePktap },
  276: { ip: withType(0, 20), type: 0 },
  281: { ip: withType(16, 18), type: 16 },
  282: { ip: after(4, insideEthernet), type: 16 },
  284: { ip: withType(16, 18), type: 16 },
  285: { ip: withType(20, 22), type: 20 },
};

/** A packet of another link type behind a header that names it; one such header does not follow another. */
function inside(linkType: number, bytes: Uint8Array, start: number, end: number): number {
  const find = LINKS[linkType]?.ip;
  return find === undefined || find === insidePpi || find === insidePktap ? -1 : find(bytes, start, end);
}

/** Index of the IP header in the packet, which is bytes[start, end); −1: not found. */
export const ipOffset = (linkType: number, bytes: Uint8Array, start: number, end: number): number =>
  linkType === LinkType.ETHERNET ? insideEthernet(bytes, start, end) : (LINKS[linkType]?.ip(bytes, start, end) ?? -1);

export const isKnownLinkType = (linkType: number): boolean => linkType !== USER2 && LINKS[linkType] !== undefined;

/** A packet's EtherType, after all tags; null: its link type has none, or it is cut off. */
export function etherType(linkType: number, bytes: Uint8Array, start: number, end: number): number | null {
  const offset = LINKS[linkType]?.type;
  if (offset === undefined) return null;
  const at = pastTags(bytes, start + offset, end);
  return at + 2 <= end ? uint16be(bytes, at) : null;
}
