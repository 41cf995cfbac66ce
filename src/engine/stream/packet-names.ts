/** Names of packets that carry no TCP, by the numbers that IANA and IEEE assign. */
import { uint16be } from '../bytes/integers.ts';

/** Packets that carry packets, by their IP protocol and by their port of UDP. */
const TUNNEL_PROTOCOLS: Readonly<Record<number, string>> = { 4: 'IPv4 in IP', 41: 'IPv6 in IP', 47: 'GRE' };
/** 8472: Linux, and networks of Kubernetes, from before there was a number. */
const TUNNEL_PORTS: Readonly<Record<number, string>> = { 4789: 'VXLAN', 6081: 'GENEVE', 8472: 'VXLAN' };
/** Names of packets that carry packets, whose connections are not read. */
export const TUNNELS: ReadonlySet<string> = new Set([TUNNEL_PROTOCOLS, TUNNEL_PORTS].flatMap(Object.values<string>));

const UDP = 17;
/** https://www.iana.org/assignments/protocol-numbers */
const IP_PROTOCOLS: Readonly<Record<number, string>> = {
  ...TUNNEL_PROTOCOLS,
  1: 'ICMP',
  2: 'IGMP',
  6: 'damaged TCP',
  [UDP]: 'UDP',
  50: 'ESP',
  58: 'ICMPv6',
  89: 'OSPF',
  132: 'SCTP',
};

/** https://www.iana.org/assignments/ieee-802-numbers */
const ETHER_TYPES: Readonly<Record<number, string>> = {
  2048: 'damaged IPv4',
  2054: 'ARP',
  34525: 'damaged IPv6',
  34887: 'MPLS',
  34915: 'PPPoE',
  34916: 'PPPoE',
  34958: 'EAPOL',
  35020: 'LLDP',
  35063: 'PTP',
};
/** Smaller values are a length (IEEE 802.3), for example in spanning tree packets. */
const FIRST_ETHER_TYPE = 0x600;
const VLAN = new Set([0x8100, 0x88a8, 0x9100]);

/** Names what an IP packet carries in [start, end). */
export function nameIpPayload(protocol: number, bytes: Uint8Array, start: number, end: number): string {
  const tunnel = protocol === UDP && start + 4 <= end ? TUNNEL_PORTS[uint16be(bytes, start + 2)] : undefined;
  return tunnel ?? IP_PROTOCOLS[protocol] ?? `IP protocol ${protocol}`;
}

/** Names a packet without an IP header. */
export function nameWithoutIp(linkType: number, bytes: Uint8Array, start: number, end: number): string {
  const type = etherType(linkType, bytes, start, end);
  if (type === null) return `link type ${linkType}`;
  if (type < FIRST_ETHER_TYPE) return 'LLC';
  return ETHER_TYPES[type] ?? `EtherType 0x${type.toString(16).padStart(4, '0')}`;
}

/** null: the link layer has no type, or it is cut off. */
function etherType(linkType: number, bytes: Uint8Array, start: number, end: number): number | null {
  let at = linkType === 1 ? start + 12 : linkType === 113 ? start + 14 : linkType === 276 ? start : end;
  while (at + 6 <= end && VLAN.has(uint16be(bytes, at))) at += 4;
  return at + 2 <= end ? uint16be(bytes, at) : null;
}
