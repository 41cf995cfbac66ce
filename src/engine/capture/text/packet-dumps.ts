/**
 * Dumps of packets (`tcpdump -X`, Wireshark’s copies of a frame) → a pcap file, which is read like any other capture.
 * https://www.ietf.org/archive/id/draft-ietf-opsawg-pcap-05.html
 */

import { uint16be } from '../../bytes/integers.ts';

/** Link types, and the offset of the IP header in a packet: bare IP, Ethernet, with a VLAN, Linux cooked 1 and 2. */
const LINKS = [
  [101, 0],
  [1, 14],
  [1, 18],
  [113, 16],
  [276, 20],
] as const;
const [TCP, UDP] = [6, 17];
const FILE_HEADER = 24;
const RECORD_HEADER = 16;
const MAGIC = 0xa1b2c3d4;
const SNAP_LENGTH = 262_144;
const MICROSECONDS = 1e6;
/** Bytes of the shortest headers of IP and UDP. */
const MIN_HEADERS = 28;

/** @param dumps the bytes of each dump. @returns null: none of them begins with the headers of a TCP or UDP packet */
export function pcapOfDumps(dumps: readonly Uint8Array[]): Uint8Array | null {
  const link = dumps.map(linkOf).find((found) => found !== undefined);
  if (link === undefined) return null;
  const [linkType, at] = link;
  const file = new Uint8Array(dumps.reduce((sum, { length }) => sum + RECORD_HEADER + length, FILE_HEADER));
  const view = new DataView(file.buffer);
  view.setUint32(0, MAGIC);
  view.setUint16(4, 2);
  view.setUint16(6, 4);
  view.setUint32(16, SNAP_LENGTH);
  view.setUint32(20, linkType);
  let end = FILE_HEADER;
  for (const [n, bytes] of dumps.entries()) {
    // The dumps may have no times. One microsecond from packet to packet keeps their order.
    view.setUint32(end, n / MICROSECONDS);
    view.setUint32(end + 4, n % MICROSECONDS);
    view.setUint32(end + 8, bytes.length);
    view.setUint32(end + 12, Math.max(bytes.length, at + (ipLength(bytes, at) ?? 0)));
    file.set(bytes, end + RECORD_HEADER);
    end += RECORD_HEADER + bytes.length;
  }
  return file;
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
