/**
 * Dumps of packets (`tcpdump -X`, Wireshark’s copies of a frame and its JSON) → a pcapng file, which is read like any other capture.
 * https://www.ietf.org/archive/id/draft-ietf-opsawg-pcapng-02.html
 */

import { uint16be } from '../../bytes/integers.ts';
import { joinBytes } from '../../bytes/join.ts';

/** Link types, and the offset of the IP header in a packet: bare IP, Ethernet, with a VLAN, Linux cooked 1 and 2. */
const LINKS = [
  [101, 0],
  [1, 14],
  [1, 18],
  [113, 16],
  [276, 20],
] as const;
const [TCP, UDP] = [6, 17];
/** Types of blocks. A simple packet has no time: the lines between the dumps are not read. */
const [SECTION, INTERFACE, SIMPLE_PACKET, PACKET] = [0x0a0d0d0a, 1, 3, 6];
const BYTE_ORDER = 0x1a2b3c4d;
const ANY_LENGTH = 0xffffffff;
const NO_LIMIT = 0;
/** Bytes of the shortest headers of IP and UDP. */
const MIN_HEADERS = 28;

/** @param dumps the bytes of each dump. @returns null: none of them begins with the headers of a TCP or UDP packet */
export function pcapngOfDumps(dumps: readonly Uint8Array[]): Uint8Array | null {
  const link = dumps.map(linkOf).find((found) => found !== undefined);
  if (link === undefined) return null;
  const [linkType, at] = link;
  const blocks: Uint8Array[] = [];
  let limit = -1;
  for (const bytes of dumps) {
    const length = Math.max(bytes.length, at + (ipLength(bytes, at) ?? 0));
    const wanted = length > bytes.length ? bytes.length : NO_LIMIT;
    // The snap length of an interface shows where a packet is cut. A section has one interface of simple packets.
    if (wanted !== limit) blocks.push(section(), networkInterface(linkType, wanted));
    limit = wanted;
    blocks.push(block(SIMPLE_PACKET, [length], bytes));
  }
  return joinBytes(blocks);
}

export interface DumpedPacket {
  readonly bytes: Uint8Array;
  /** Bytes on the wire. */
  readonly length: number;
  /** Nanoseconds since the epoch; null: unknown. */
  readonly time: bigint | null;
  /** LINKTYPE_ number. */
  readonly linkType: number;
}

/** Packets with their times, an interface for each link type. */
export function pcapngOfPackets(packets: readonly DumpedPacket[]): Uint8Array {
  const links = [...new Set(packets.map(({ linkType }) => linkType))];
  const interfaces = links.map((linkType) => block(INTERFACE, [linkType << 16, NO_LIMIT, ...NANOSECONDS]));
  const blocks = packets.map(({ bytes, length, time, linkType }) => {
    const units = BigInt.asUintN(64, time ?? 0n);
    const moment = [Number(units >> 32n), Number(units & 0xffffffffn)];
    return block(PACKET, [links.indexOf(linkType), ...moment, bytes.length, length], bytes);
  });
  return joinBytes([section(), ...interfaces, ...blocks]);
}

/** The option if_tsresol, 10⁻⁹, and the end of the options. */
const NANOSECONDS = [0x00090001, 0x09000000, 0];

const section = (): Uint8Array => block(SECTION, [BYTE_ORDER, 0x10000, ANY_LENGTH, ANY_LENGTH]);

const networkInterface = (linkType: number, snapLength: number): Uint8Array =>
  block(INTERFACE, [linkType << 16, snapLength]);

/** @param words 32-bit numbers before the data */
function block(type: number, words: readonly number[], data: Uint8Array = new Uint8Array(0)): Uint8Array {
  const size = 12 + 4 * words.length + Math.ceil(data.length / 4) * 4;
  const bytes = new Uint8Array(size);
  const view = new DataView(bytes.buffer);
  for (const [n, word] of [type, size, ...words].entries()) view.setUint32(4 * n, word);
  bytes.set(data, 8 + 4 * words.length);
  view.setUint32(size - 4, size);
  return bytes;
}

const linkOf = (bytes: Uint8Array) => LINKS.find(([, at]) => ipLength(bytes, at) !== undefined);

/** Length of the IP packet at `at`, from its header; undefined: there is no header of a TCP or UDP packet. */
function ipLength(bytes: Uint8Array, at: number): number | undefined {
  const held = bytes.length - at;
  if (held < MIN_HEADERS) return undefined;
  const isV4 = bytes[at]! >> 4 === 4 && (bytes[at]! & 15) >= 5;
  if (!isV4 && bytes[at]! >> 4 !== 6) return undefined;
  const protocol = bytes[at + (isV4 ? 9 : 6)];
  if (protocol !== TCP && protocol !== UDP) return undefined;
  const length = isV4 ? uint16be(bytes, at + 2) : uint16be(bytes, at + 4) + 40;
  // The dump may be shorter than the packet, or longer by its padding.
  return held === length || (isV4 && hasChecksum(bytes, at)) ? length : undefined;
}

/** The 16-bit words of an IPv4 header add up to 0xffff in ones’ complement. */
function hasChecksum(bytes: Uint8Array, at: number): boolean {
  const end = at + (bytes[at]! & 15) * 4;
  if (end > bytes.length) return false;
  let sum = 0;
  for (let word = at; word < end; word += 2) sum += uint16be(bytes, word);
  return (sum & 0xffff) + (sum >> 16) === 0xffff;
}
