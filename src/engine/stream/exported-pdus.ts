/**
 * Parts of streams that Wireshark exported ("Export PDUs to File"; `tshark -U "OSI layer 7"`), decrypted where it had
 * the keys: link type 252 (Wireshark, epan/exported_pdu.h).
 *
 *   record   tag×2 length×2 value, big-endian … │ 0×2 length×2 │ the part
 *            20 21 addresses of IPv4, 22 23 of IPv6; 24 the kind of the ports×4, 2 is TCP; 25 26 ports×4
 *
 * There are no sequence numbers: the parts of a direction follow each other.
 */
import { uint16be, uint32be } from '../bytes/integers.ts';
import type { IpHeader, TcpHeader } from './packet-headers.ts';

export const EXPORTED_PDUS = 252;

const Tag = {
  END: 0,
  IPV4_SOURCE: 20,
  IPV4_DESTINATION: 21,
  IPV6_SOURCE: 22,
  IPV6_DESTINATION: 23,
  PORT_KIND: 24,
  SOURCE_PORT: 25,
  DESTINATION_PORT: 26,
} as const;
const TCP_PORTS = 2;

export class ExportedPdus {
  /** By their ends: sequence number of the next part. */
  readonly #next = new Map<string, number>();

  /**
   * Reads the records of a packet, bytes[start, end), as headers: the part begins at `tcp.payload`.
   * @param wireEnd end of the packet before a snap length cut it @returns false: the packet is of something else than a stream of TCP
   */
  read(bytes: Uint8Array, start: number, end: number, wireEnd: number, ip: IpHeader, tcp: TcpHeader): boolean {
    let found = 0;
    let isTcp = false;
    let at = start;
    for (;;) {
      if (at + 4 > end) return false;
      const tag = uint16be(bytes, at);
      const value = at + 4;
      at = value + uint16be(bytes, at + 2);
      if (at > end) return false;
      if (tag === Tag.END) break;
      const size = at - value;
      if (size === 4 && (tag === Tag.IPV4_SOURCE || tag === Tag.IPV4_DESTINATION)) ip.version = 4;
      else if (size === 16 && (tag === Tag.IPV6_SOURCE || tag === Tag.IPV6_DESTINATION)) ip.version = 6;
      else if (size !== 4 || tag < Tag.PORT_KIND || tag > Tag.DESTINATION_PORT) continue;
      found |= 1 << (tag - Tag.IPV4_SOURCE);
      if (tag === Tag.IPV4_SOURCE || tag === Tag.IPV6_SOURCE) ip.source = value;
      else if (tag === Tag.IPV4_DESTINATION || tag === Tag.IPV6_DESTINATION) ip.destination = value;
      else if (tag === Tag.PORT_KIND) isTcp = uint32be(bytes, value) === TCP_PORTS;
      else if (tag === Tag.SOURCE_PORT) tcp.sourcePort = uint32be(bytes, value) & 0xffff;
      else tcp.destinationPort = uint32be(bytes, value) & 0xffff;
    }
    const ends = found & 0b1111;
    if (!isTcp || (found & 0b110_0000) !== 0b110_0000 || (ends !== 0b0011 && ends !== 0b1100)) return false;
    ip.end = wireEnd;
    tcp.flags = 0;
    tcp.payload = at;
    tcp.sequence = this.#place(bytes, ip, tcp, wireEnd - at);
    return true;
  }

  #place(bytes: Uint8Array, { version, source, destination }: IpHeader, tcp: TcpHeader, size: number): number {
    const width = version === 4 ? 4 : 16;
    const [from, to] = [bytes.subarray(source, source + width), bytes.subarray(destination, destination + width)];
    const key = `${from.join('.')}:${tcp.sourcePort} ${to.join('.')}:${tcp.destinationPort}`;
    const sequence = this.#next.get(key) ?? 1;
    this.#next.set(key, (sequence + size) >>> 0);
    return sequence;
  }
}
