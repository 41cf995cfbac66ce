/**
 * A packet that carries another one → where the packet within begins.
 *
 *   IP in IP  the packet itself                                                            RFC 2003, RFC 4213
 *   GRE       flags×2 type×2 │ checksum×4? key×4? sequence×4?                              RFC 2784, RFC 2890
 *   VXLAN     UDP×8 │ flags×1 policy×3 network×3 0×1 │ Ethernet                            RFC 7348
 *   GENEVE    UDP×8 │ version and length×1 flags×1 type×2 network×3 0×1 │ options×length   RFC 8926
 */
import { uint16be } from '../bytes/integers.ts';
import { ipOffset, LinkType } from './link-headers.ts';

const IpProtocol = { IPV4: 4, UDP: 17, IPV6: 41, GRE: 47 } as const;

/** By their IP protocol and by their port of UDP. */
const PROTOCOLS: Readonly<Record<number, string>> = {
  [IpProtocol.IPV4]: 'IPv4 in IP',
  [IpProtocol.IPV6]: 'IPv6 in IP',
  [IpProtocol.GRE]: 'GRE',
};
/** 8472: Linux, and networks of Kubernetes, from before there was a number. */
const PORTS: Readonly<Record<number, 'VXLAN' | 'GENEVE'>> = { 4789: 'VXLAN', 6081: 'GENEVE', 8472: 'VXLAN' };
/** Names of packets that carry packets. */
export const TUNNELS: ReadonlySet<string> = new Set([PROTOCOLS, PORTS].flatMap(Object.values<string>));

export interface Inner {
  readonly linkType: number;
  readonly start: number;
}

/** Names the tunnel of which [start, end) is a packet, after its IP header. */
export function tunnelName(protocol: number, bytes: Uint8Array, start: number, end: number): string | undefined {
  if (protocol === IpProtocol.UDP) return start + 4 <= end ? PORTS[uint16be(bytes, start + 2)] : undefined;
  return PROTOCOLS[protocol];
}

/** @returns null: [start, end) holds no packet that is read */
export function insideTunnel(protocol: number, bytes: Uint8Array, start: number, end: number): Inner | null {
  if (protocol === IpProtocol.IPV4 || protocol === IpProtocol.IPV6) return bareIp(bytes, start, end);
  if (protocol === IpProtocol.GRE) return insideGre(bytes, start, end);
  const name = protocol === IpProtocol.UDP ? tunnelName(protocol, bytes, start, end) : undefined;
  if (name === undefined || start + 16 > end) return null;
  return name === 'VXLAN' ? insideVxlan(bytes, start + 8, end) : insideGeneve(bytes, start + 8, end);
}

function insideGre(bytes: Uint8Array, at: number, end: number): Inner | null {
  if (at + 4 > end) return null;
  const flags = uint16be(bytes, at);
  // A source route, or another version: PPTP.
  if ((flags & 0x4007) !== 0) return null;
  const options = [0x8000, 0x2000, 0x1000].filter((flag) => (flags & flag) !== 0).length;
  return typed(uint16be(bytes, at + 2), bytes, at + 4 + 4 * options, end);
}

function insideVxlan(bytes: Uint8Array, at: number, end: number): Inner | null {
  const hasNetwork = (bytes[at]! & 0x08) !== 0 && bytes[at + 7] === 0;
  return hasNetwork ? ethernet(at + 8, end) : null;
}

function insideGeneve(bytes: Uint8Array, at: number, end: number): Inner | null {
  const first = bytes[at]!;
  if (first >> 6 !== 0 || bytes[at + 7] !== 0) return null;
  return typed(uint16be(bytes, at + 2), bytes, at + 8 + 4 * (first & 63), end);
}

/** @param type EtherType of what is within */
function typed(type: number, bytes: Uint8Array, at: number, end: number): Inner | null {
  if (type === 0x6558) return ethernet(at, end);
  return type === 0x0800 || type === 0x86dd ? bareIp(bytes, at, end) : null;
}

const ethernet = (at: number, end: number): Inner | null =>
  at + 14 <= end ? { linkType: LinkType.ETHERNET, start: at } : null;

const bareIp = (bytes: Uint8Array, at: number, end: number): Inner | null =>
  ipOffset(LinkType.RAW, bytes, at, end) < 0 ? null : { linkType: LinkType.RAW, start: at };
