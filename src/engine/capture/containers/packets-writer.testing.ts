/**
 * Packets → a capture, and TCP segments → packets: what examples, resegmented captures and large inputs are made with.
 *
 *   Ethernet 14 │ IPv4 20 or IPv6 40 │ TCP 20 │ payload        checksums are zero, as offloading leaves them
 */

export interface WrittenPacket {
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly bytes: Uint8Array;
  /** Bytes on the wire, if more than captured. */
  readonly originalLength?: number;
}

export interface WrittenSegment {
  /** Four or sixteen bytes each. */
  readonly source: Uint8Array;
  readonly destination: Uint8Array;
  readonly sourcePort: number;
  readonly destinationPort: number;
  readonly sequence: number;
  readonly acknowledgement: number;
  readonly flags: number;
  readonly payload: Uint8Array;
}

const ETHERNET = 14;
const TCP = 20;

export function writeSegment(segment: WrittenSegment): Uint8Array {
  const { source, destination, payload } = segment;
  const isV4 = source.length === 4;
  const ip = isV4 ? 20 : 40;
  const bytes = new Uint8Array(ETHERNET + ip + TCP + payload.length);
  const view = new DataView(bytes.buffer);
  view.setUint16(12, isV4 ? 0x0800 : 0x86dd);
  if (isV4) {
    view.setUint16(ETHERNET, 0x4500);
    view.setUint16(ETHERNET + 2, (ip + TCP + payload.length) & 0xffff);
    view.setUint16(ETHERNET + 8, 0x4006);
  } else {
    view.setUint16(ETHERNET, 0x6000);
    view.setUint16(ETHERNET + 4, (TCP + payload.length) & 0xffff);
    view.setUint16(ETHERNET + 6, 0x0640);
  }
  const addresses = ETHERNET + (isV4 ? 12 : 8);
  bytes.set(source, addresses);
  bytes.set(destination, addresses + source.length);
  const tcp = ETHERNET + ip;
  view.setUint16(tcp, segment.sourcePort);
  view.setUint16(tcp + 2, segment.destinationPort);
  view.setUint32(tcp + 4, segment.sequence);
  view.setUint32(tcp + 8, segment.acknowledgement);
  view.setUint16(tcp + 12, 0x5000 | segment.flags);
  view.setUint16(tcp + 14, 0xffff);
  bytes.set(payload, tcp + TCP);
  return bytes;
}

/** A pcap file of either byte order, with microseconds or nanoseconds. */
export function writePcap(
  packets: readonly WrittenPacket[],
  {
    linkType = 1,
    nanoseconds = false,
    little = true,
  }: {
    readonly linkType?: number;
    readonly nanoseconds?: boolean;
    readonly little?: boolean;
  } = {},
): Uint8Array {
  const size = packets.reduce((sum, { bytes }) => sum + 16 + bytes.length, 24);
  const file = new Uint8Array(size);
  const view = new DataView(file.buffer);
  view.setUint32(0, nanoseconds ? 0xa1b23c4d : 0xa1b2c3d4, little);
  view.setUint16(4, 2, little);
  view.setUint16(6, 4, little);
  view.setUint32(16, 262_144, little);
  view.setUint32(20, linkType, little);
  let at = 24;
  for (const { time, bytes, originalLength } of packets) {
    const seconds = Math.floor(time / 1000);
    view.setUint32(at, seconds, little);
    view.setUint32(at + 4, Math.floor((time - seconds * 1000) * (nanoseconds ? 1e6 : 1e3)), little);
    view.setUint32(at + 8, bytes.length, little);
    view.setUint32(at + 12, originalLength ?? bytes.length, little);
    file.set(bytes, at + 16);
    at += 16 + bytes.length;
  }
  return file;
}

export interface Saying {
  readonly side: 0 | 1;
  readonly bytes: Uint8Array;
  /** The segment was not captured: a hole. */
  readonly lost?: boolean;
  /** The segment was captured after all others. */
  readonly late?: boolean;
}

/** One TCP connection as a capture: `10.0.0.1:1000` and `10.0.0.2:9300`, a millisecond from segment to segment. */
export function writeConversation(
  sayings: readonly Saying[],
  { whole = true, segment = 1460 }: { readonly whole?: boolean; readonly segment?: number } = {},
): Uint8Array {
  const packets: WrittenPacket[] = [];
  const next: [number, number] = [1, 1];
  const ends = [Uint8Array.of(10, 0, 0, 1), Uint8Array.of(10, 0, 0, 2)] as const;
  const ports = [1000, 9300] as const;
  const put = (side: 0 | 1, sequence: number, flags: number, payload: Uint8Array): void => {
    const other = side === 0 ? 1 : 0;
    const bytes = writeSegment({
      source: ends[side],
      destination: ends[other],
      sourcePort: ports[side],
      destinationPort: ports[other],
      sequence,
      acknowledgement: next[other],
      flags,
      payload,
    });
    packets.push({ time: packets.length + 1, bytes });
  };
  const [SYN, ACK] = [2, 16];
  if (whole) {
    put(0, 0, SYN, new Uint8Array(0));
    put(1, 0, SYN | ACK, new Uint8Array(0));
  }
  const putLate: (() => void)[] = [];
  for (const { side, bytes, lost, late } of sayings) {
    for (let at = 0; at < bytes.length; at += segment) {
      const payload = bytes.subarray(at, at + segment);
      const sequence = next[side];
      if (late === true) putLate.push(() => put(side, sequence, ACK, payload));
      else if (lost !== true) put(side, sequence, ACK, payload);
      next[side] += payload.length;
    }
  }
  for (const putOne of putLate) putOne();
  return writePcap(packets);
}
