/** Names of packets that carry no TCP, by the numbers that IANA, IEEE and tcpdump.org assign. */
import { etherType, FIRST_ETHER_TYPE } from './link-headers.ts';
import { tunnelName } from './tunnels.ts';

/** https://www.iana.org/assignments/protocol-numbers */
const IP_PROTOCOLS: Readonly<Record<number, string>> = {
  1: 'ICMP',
  2: 'IGMP',
  6: 'damaged TCP',
  17: 'UDP',
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
/** https://www.tcpdump.org/linktypes.html; 147 to 162 are for private use. */
const LINK_TYPES: Readonly<Record<number, string>> = {
  0: 'loopback',
  1: 'Ethernet',
  6: 'Token Ring',
  10: 'FDDI',
  51: 'PPPoE',
  105: 'Wi-Fi',
  107: 'Frame Relay',
  113: 'Linux cooked',
  117: 'OpenBSD pflog',
  119: 'Wi-Fi with Prism headers',
  127: 'Wi-Fi with radiotap headers',
  163: 'Wi-Fi with AVS headers',
  187: 'Bluetooth HCI',
  189: 'USB of Linux',
  192: 'PPI',
  195: 'IEEE 802.15.4',
  201: 'Bluetooth HCI',
  220: 'USB of Linux',
  227: 'CAN of Linux',
  230: 'IEEE 802.15.4',
  239: 'NFLOG of Linux',
  249: 'USBPcap',
  251: 'Bluetooth Low Energy',
  252: 'exported by Wireshark',
  253: 'Netlink of Linux',
  258: 'pktap of Apple',
  276: 'Linux cooked 2',
};

/** Names what an IP packet carries in [start, end). */
export function nameIpPayload(protocol: number, bytes: Uint8Array, start: number, end: number): string {
  return tunnelName(protocol, bytes, start, end) ?? IP_PROTOCOLS[protocol] ?? `IP protocol ${protocol}`;
}

/** `link type 127 (Wi-Fi with radiotap headers)`, `link type 147` */
export const linkTypeText = (linkType: number): string =>
  `link type ${linkType}${LINK_TYPES[linkType] === undefined ? '' : ` (${LINK_TYPES[linkType]})`}`;

/** Names a packet without an IP header. */
export function nameWithoutIp(linkType: number, bytes: Uint8Array, start: number, end: number): string {
  const type = etherType(linkType, bytes, start, end);
  if (type === null) return linkTypeText(linkType);
  if (type < FIRST_ETHER_TYPE) return 'LLC';
  return ETHER_TYPES[type] ?? `EtherType 0x${type.toString(16).padStart(4, '0')}`;
}
