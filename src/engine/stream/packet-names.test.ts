import { describe, expect, test } from 'vitest';
import { nameIpPayload, nameWithoutIp } from './packet-names.ts';

const macs = new Array<number>(12).fill(0);
const [ETHERNET, SLL, SLL2, WIFI] = [1, 113, 276, 105];

describe('a packet without TCP', () => {
  test.each<[string, number, readonly number[], string]>([
    ['ARP', ETHERNET, [...macs, 8, 6, 0, 1], 'ARP'],
    ['ARP in a VLAN', ETHERNET, [...macs, 0x81, 0, 0, 7, 8, 6, 0, 1], 'ARP'],
    ['spanning tree', ETHERNET, [...macs, 0, 38, 0x42, 0x42], 'LLC'],
    ['LLDP', ETHERNET, [...macs, 0x88, 0xcc, 2, 7], 'LLDP'],
    ['unknown EtherType', ETHERNET, [...macs, 0x88, 0xff, 0, 0], 'EtherType 0x88ff'],
    ['damaged IPv4', ETHERNET, [...macs, 8, 0, 0x45], 'damaged IPv4'],
    ['cut within its addresses', ETHERNET, [0, 0, 0], 'link type 1 (Ethernet)'],
    ['cooked', SLL, [...macs, 0, 0, 8, 6], 'ARP'],
    ['cooked, version 2', SLL2, [8, 6, 0, 0, 0, 0], 'ARP'],
    ['Wi-Fi', WIFI, [0x80, 0, 0, 0, 8, 6, 8, 6], 'link type 105 (Wi-Fi)'],
    ['of private use', 147, [0, 0, 0], 'link type 147'],
  ])('%s', (_name, linkType, bytes, expected) => {
    const padded = new Uint8Array([9, 9, ...bytes]);
    expect(nameWithoutIp(linkType, padded, 2, padded.length)).toBe(expected);
  });

  test.each([
    [4, [0x45, 0], 'IPv4 in IP'],
    [17, [18, 181, 18, 182], 'UDP'],
    [17, [200, 0, 18, 181, 0, 30, 0, 0], 'VXLAN'],
    [17, [200, 0, 23, 193, 0, 30, 0, 0], 'GENEVE'],
    [17, [200, 0, 18], 'UDP'],
    [41, [0x60, 0], 'IPv6 in IP'],
    [47, [0, 0, 8, 0], 'GRE'],
    [58, [], 'ICMPv6'],
    [132, [], 'SCTP'],
    [253, [], 'IP protocol 253'],
  ])('IP protocol %i, %o', (protocol, payload, expected) => {
    // Bytes after the packet would complete a port.
    const bytes = new Uint8Array([9, ...payload, 181, 181]);
    expect(nameIpPayload(protocol, bytes, 1, 1 + payload.length)).toBe(expected);
  });
});
