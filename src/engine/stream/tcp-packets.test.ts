import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { emptyLayers, type Layer, sumLayers } from '../capture/containers/packets-layers.ts';
import { CaptureLog } from '../capture/containers/packets-log.ts';
import { writeSegment } from '../capture/containers/packets-writer.testing.ts';
import { ConnectionTable, MAX_CONNECTIONS } from './connections.ts';
import { ipOffset, isKnownLinkType } from './link-headers.ts';
import { createTcpPackets } from './tcp-packets.ts';

const hex = (text: string): number[] => [...Buffer.from(text.replaceAll(' ', ''), 'hex')];

/** Packets of one link type → what was said, each saying with its captureOffset, and the ledger's filled layers. */
function dissect(linkType: number, packets: readonly (readonly number[])[], originalLength = 0) {
  const layers = emptyLayers();
  const log = new CaptureLog(layers);
  const said: string[] = [];
  let heard = 0;
  const table = new ConnectionTable(
    ({ endpoints }) => ({
      data: (side, bytes, start, end, captureOffset) => {
        said.push(`${endpoints[side]} ${captureOffset}: ${new TextDecoder().decode(bytes.subarray(start, end))}`);
        heard += end - start;
      },
      hole: (_side, size) => said.push(`<${size}>`),
      late: () => undefined,
      end: () => undefined,
    }),
    layers,
  );
  const tcp = createTcpPackets(table, layers, log);
  let captureOffset = 0;
  for (const [index, packet] of packets.entries()) {
    // Other packets' bytes are around it, and say nothing.
    const bytes = Uint8Array.from([0x45, 8, 0, ...packet, 0x45, 0x45, 0x45]);
    tcp.packet({
      number: index + 1,
      captureOffset,
      bytes,
      start: 3,
      end: 3 + packet.length,
      originalLength: originalLength || packet.length,
      isUnfinished: false,
      time: index,
      linkType,
    });
    captureOffset += packet.length;
  }
  tcp.end();
  table.end();
  expect(sumLayers(layers) + heard).toBe(captureOffset);
  const spent = Object.fromEntries(Object.entries(layers).filter(([, bytes]) => bytes > 0)) as Partial<
    Record<Layer, number>
  >;
  const found = log.finish();
  return { said, spent, codes: found.map(({ code }) => code), findings: found.map(({ message }) => message) };
}

const segment = (width: 4 | 16, text: string, sequence = 1): number[] => [
  ...writeSegment({
    source: new Uint8Array(width).fill(1),
    destination: new Uint8Array(width).fill(2),
    sourcePort: 10,
    destinationPort: 20,
    sequence,
    acknowledgement: 0,
    flags: 16,
    payload: new TextEncoder().encode(text),
  }),
];
const V4 = segment(4, 'hello').slice(14);
const V6 = segment(16, 'hello').slice(14);
const zeros = (count: number): number[] => Array<number>(count).fill(0);
const MACS = zeros(12);
const TO = zeros(6);
const LLC = hex('aaaa03 000000 0800');
const pktap = (linkType: string): number[] => [...hex(`6c000000 01000000 ${linkType}000000`), ...zeros(96)];
/** From an access point. */
const WIFI = [0x08, 0x02, ...zeros(22)];

/** A packet, the bytes of its link layer, and those in front of its IP header if others follow the datagram. */
type LinkRow = [name: string, linkType: number, packet: readonly number[], link: number, at?: number];

describe('link types', () => {
  test.each<LinkRow>([
    ['Ethernet', 1, [...MACS, ...hex('0800'), ...V4], 14],
    ['Ethernet with VLAN', 1, [...MACS, ...hex('8100 0001 0800'), ...V4], 18],
    ['Ethernet with a VLAN of 9100', 1, [...MACS, ...hex('9100 0001 0800'), ...V4], 18],
    ['Ethernet with two VLANs', 1, [...MACS, ...hex('88a8 0001 8100 0002 0800'), ...V4], 22],
    ['Ethernet with PPPoE', 1, [...MACS, ...hex('8864 1100 0001 0030 0021'), ...V4], 22],
    ['Ethernet with MPLS', 1, [...MACS, ...hex('8847 00064040 00010140'), ...V4], 22],
    ['Ethernet with VLAN and MPLS', 1, [...MACS, ...hex('8100 0001 8848 00064140'), ...V4], 22],
    ['Ethernet with a length, LLC and SNAP', 1, [...MACS, ...hex('0035 aaaa03 000000 0800'), ...V4], 22],
    ['Ethernet with VN-Tag and VLAN', 1, [...MACS, ...hex('8926 40010003 8100 0001 0800'), ...V4], 24],
    ['Ethernet with E-Tag', 1, [...MACS, ...hex('893f 100101000000 0800'), ...V4], 22],
    ['Ethernet in Ethernet with I-Tag', 1, [...MACS, ...hex('88e7 00000001'), ...MACS, ...hex('0800'), ...V4], 32],
    ['Ethernet in MPLS', 1, [...MACS, ...hex('8847 00064140 00000000'), ...MACS, ...hex('0800'), ...V4], 36],
    ['Ethernet with LLC of IP', 1, [...MACS, ...hex('0030 060603'), ...V4], 17],
    ['Linux cooked', 113, [...zeros(14), ...hex('0800'), ...V4], 16],
    ['Linux cooked with VLAN', 113, [...zeros(14), ...hex('8100 0001 0800'), ...V4], 20],
    ['Linux cooked 2', 276, [...hex('0800'), ...zeros(18), ...V4], 20],
    ['loopback, little-endian', 0, [...hex('02000000'), ...V4], 4],
    ['loopback, network order', 108, [...hex('00000002'), ...V4], 4],
    ['PPP', 9, [...hex('0021'), ...V4], 2],
    ['PPP with a short protocol', 9, [...hex('21'), ...V4], 1],
    ['PPP in HDLC', 50, [...hex('ff03 0021'), ...V4], 4],
    ['PPPoE', 51, [...hex('1100 0001 0030 0021'), ...V4], 8],
    ['PPP of pppd', 166, [...hex('0103 0021'), ...V4], 4],
    ['PPP with a direction', 204, [...hex('01 ff03 0021'), ...V4], 5],
    ["Cisco's HDLC", 104, [...hex('0f00 0800'), ...V4], 4],
    ['Token Ring', 6, [...hex('1040'), ...MACS, ...LLC, ...V4], 22],
    [
      'Token Ring with a route',
      6,
      [...hex('1040'), ...TO, 0x80, ...TO.slice(1), ...hex('0410 0010'), ...LLC, ...V4],
      26,
    ],
    ['FDDI', 10, [...hex('50'), ...MACS, ...LLC, ...V4], 21],
    ['ATM', 100, [...LLC, ...V4], 8],
    ['Frame Relay', 107, [...hex('1841 03 cc'), ...V4], 4],
    ['Frame Relay with SNAP', 107, [...hex('1841 03 00 80 000000 0800'), ...V4], 10],
    ["Cisco's Frame Relay", 107, [...hex('1841 0800'), ...V4], 4],
    ['Frame Relay with a long address', 107, [...hex('18400001 03 cc'), ...V4], 6],
    ['Fibre Channel', 122, [...zeros(16), ...LLC, ...V4], 24],
    ['FireWire', 138, [...zeros(16), ...hex('0800'), ...V4], 18],
    ['InfiniBand', 242, [...zeros(40), ...hex('0800 0000'), ...V4], 44],
    ['Wi-Fi', 105, [...WIFI, ...LLC, ...V4], 32],
    ['Wi-Fi with quality of service', 105, [0x88, ...WIFI.slice(1), ...hex('0000'), ...LLC, ...V4], 34],
    ['Wi-Fi with HT control', 105, [0x88, 0x82, ...WIFI.slice(2), ...zeros(6), ...LLC, ...V4], 38],
    ['Wi-Fi between access points', 105, [0x08, 0x03, ...WIFI.slice(2), ...zeros(6), ...LLC, ...V4], 38],
    ['Wi-Fi with radiotap headers', 127, [...hex('0000 0800 00000000'), ...WIFI, ...LLC, ...V4], 40],
    [
      'Wi-Fi with radiotap headers, padded',
      127,
      [
        ...hex('0000 1900 03000080 00000000 00000000'),
        ...zeros(8),
        0x20,
        0x88,
        ...WIFI.slice(1),
        ...zeros(4),
        ...LLC,
        ...V4,
      ],
      61,
    ],
    [
      'Wi-Fi with radiotap headers, padded, without a time',
      127,
      [...hex('0000 0900 02000000 20'), 0x88, ...WIFI.slice(1), ...zeros(4), ...LLC, ...V4],
      45,
    ],
    [
      'Wi-Fi with radiotap headers that could be padded',
      127,
      [...hex('0000 0900 02000000 00'), 0x88, ...WIFI.slice(1), ...zeros(2), ...LLC, ...V4],
      43,
    ],
    ['Wi-Fi with Prism headers', 119, [...hex('44000000 90000000'), ...zeros(136), ...WIFI, ...LLC, ...V4], 176],
    ['Wi-Fi with AVS headers', 163, [...hex('80211001 00000040'), ...zeros(56), ...WIFI, ...LLC, ...V4], 96],
    ['Wi-Fi with PPI', 192, [...hex('0000 0800 69000000'), ...WIFI, ...LLC, ...V4], 40],
    ["OpenBSD's pflog", 117, [61, 2, ...zeros(62), ...V4], 64],
    ["OpenBSD's enc", 109, [...hex('00000002'), ...zeros(8), ...V4], 12],
    ["Solaris' ipnet", 226, [1, 2, ...zeros(22), ...V4], 24],
    ['pktap of Ethernet', 258, [...pktap('01'), ...MACS, ...hex('0800'), ...V4], 122],
    ['pktap of raw IP, as Apple numbers it', 149, [...pktap('0c'), ...V4], 108],
    ['NFLOG', 239, [...hex('02000000 0800 0100 08000000 0500 0a00 61000000 3100 0900'), ...V4, 0, 0, 0], 27, 24],
    ['NFLOG of another byte order', 239, [...hex('02000000 0008 0001 08000000 0031 0009'), ...V4, 0, 0, 0], 19, 16],
    ['netANALYZER', 240, [...zeros(4), ...MACS, ...hex('0800'), ...V4, ...zeros(4)], 22, 18],
    ["Broadcom's tag of a switch", 281, [...MACS, ...hex('20000001 0800'), ...V4], 18],
    ["Broadcom's tag in front", 282, [...hex('20000001'), ...MACS, ...hex('0800'), ...V4], 18],
    ["Marvell's tag of a switch", 284, [...MACS, ...hex('40000000 0800'), ...V4], 18],
    ["Marvell's tag with an EtherType", 285, [...MACS, ...hex('dada0000 40000000 0800'), ...V4], 22],
    ['SLIP', 8, [...zeros(16), ...V4], 16],
    ['raw IP', 101, V4, 0],
    ['raw IP as OpenBSD numbers it', 12, V4, 0],
    ['raw IP as others number it', 14, V4, 0],
    ['raw IPv4', 228, V4, 0],
  ])('%s', (_name, linkType, packet, link, at = link) => {
    const { said, spent, codes } = dissect(linkType, [packet]);
    expect(said).toEqual([`1.1.1.1:10 ${at + 40}: hello`]);
    expect(spent).toEqual({ ...(link > 0 ? { link } : {}), ip: 20, tcp: 20 });
    expect(codes).toEqual([]);
  });

  test('an unknown link type is reported once', () => {
    const { findings, ...rest } = dissect(187, [V4, V4]);
    expect(rest).toEqual({ said: [], spent: { 'other-protocols': 90 }, codes: ['stream/link-type'] });
    expect(findings).toEqual(['Packets of link type 187 (Bluetooth HCI) are not read.']);
  });

  test('the IP header of any bytes is within them, or not found', () => {
    const types = fc.constantFrom(...Array.from({ length: 300 }, (_, type) => type).filter(isKnownLinkType), 149);
    const bytes = fc.array(fc.constantFrom(...hex('00 01 03 04 06 08 45 47 60 6c 80 81 88 a8 aa cc e7 ff')), {
      maxLength: 90,
    });
    fc.assert(
      fc.property(types, bytes, (linkType, packet) => {
        const around = Uint8Array.from([...V4, ...packet, ...V4]);
        const [start, end] = [V4.length, V4.length + packet.length];
        const at = ipOffset(linkType, around, start, end);
        expect(at === -1 || (at >= start && at + 20 <= end)).toBe(true);
      }),
      { numRuns: 3000 },
    );
  });

  test('padding after the datagram belongs to the link layer', () => {
    expect(dissect(1, [[...MACS, ...hex('0800'), ...V4, 0, 0, 0]]).spent).toEqual({ link: 17, ip: 20, tcp: 20 });
  });

  test.each([
    ['ARP', [...MACS, ...hex('0806 0001 0203')]],
    ['SNAP of another organisation', [...MACS, ...hex('0035 aaaa03 00000c 0800'), ...V4]],
    ['nothing behind the link header', [...MACS, ...hex('0800')]],
    ['UDP', [...MACS, ...hex('0800'), ...V4.map((byte, at) => (at === 9 ? 17 : byte))]],
    ['a broken IP header', [...MACS, ...hex('0800 4100'), ...V4.slice(2)]],
    ['a broken TCP header', [...MACS, ...hex('0800'), ...V4.map((byte, at) => (at === 32 ? 0x10 : byte))]],
  ])('%s is another protocol', (_name, packet) => {
    expect(dissect(1, [packet]).said).toEqual([]);
  });

  test.each([
    ['encrypted', [0x08, 0x42, ...WIFI.slice(2)]],
    ['for management', [0x00, ...WIFI.slice(1)]],
    ['without contents', [0x48, ...WIFI.slice(1)]],
    ['of several packets', [0x88, ...WIFI.slice(1), 0x80, 0]],
  ])('a Wi-Fi frame %s is another protocol', (_name, header) => {
    expect(dissect(105, [[...header, ...LLC, ...V4]]).said).toEqual([]);
  });
});

describe('IPv6', () => {
  test.each([
    ['bare', 101, []],
    ['bare, by its own link type', 229, []],
    ['on Ethernet', 1, [...MACS, ...hex('86dd')]],
    ['on Ethernet with VLAN', 1, [...MACS, ...hex('8100 0001 86dd')]],
    ['Linux cooked', 113, [...zeros(14), ...hex('86dd')]],
    ['Linux cooked 2', 276, [...hex('86dd'), ...zeros(18)]],
    ['loopback', 0, hex('1e000000')],
    ['PPP', 9, hex('0057')],
    ["Cisco's HDLC", 104, hex('0f00 86dd')],
    ['Frame Relay', 107, hex('1841 03 8e')],
  ])('%s', (_name, linkType, link) => {
    const said = `[101:101:101:101:101:101:101:101]:10 ${link.length + 60}: hello`;
    expect(dissect(linkType, [[...link, ...V6]]).said).toEqual([said]);
  });

  test('with hop-by-hop, destination and authentication headers', () => {
    const extensions = [
      ...hex('3c00 0000 0000 0000'),
      ...hex('3301 0000 0000 0000 0000 0000 0000 0000'),
      ...hex('0601 0000 0000 0000 0000 0000'),
    ];
    const header = V6.slice(0, 40);
    header[6] = 0;
    header[5] = header[5]! + extensions.length;
    const { said, spent } = dissect(101, [[...header, ...extensions, ...V6.slice(40)]]);
    expect(said).toEqual([`[101:101:101:101:101:101:101:101]:10 ${60 + extensions.length}: hello`]);
    expect(spent).toEqual({ ip: 40 + extensions.length, tcp: 20 });
  });

  test('a whole datagram after a fragment header', () => {
    const header = V6.slice(0, 40);
    header[6] = 44;
    header[5] = header[5]! + 8;
    const packet = [...header, 6, 0, 0, 0, ...hex('00000007'), ...V6.slice(40)];
    expect(dissect(101, [packet])).toMatchObject({
      said: ['[101:101:101:101:101:101:101:101]:10 68: hello'],
      spent: { ip: 48, tcp: 20 },
    });
  });

  test('in fragments', () => {
    const fragment = (offset: number, more: number, bytes: readonly number[]): number[] => {
      const header = V6.slice(0, 40);
      header[6] = 44;
      header[5] = bytes.length + 8;
      return [...header, 6, 0, 0, offset | more, ...hex('00000007'), ...bytes];
    };
    const tcp = V6.slice(40);
    const { said } = dissect(101, [fragment(8, 0, tcp.slice(8)), fragment(0, 1, tcp.slice(0, 8))]);
    expect(said).toEqual(['[101:101:101:101:101:101:101:101]:10 60: hello']);
  });
});

describe('a packet in a tunnel', () => {
  const ethernet = [...MACS, ...hex('0800'), ...V4];
  const outer = (protocol: number, payload: readonly number[]): number[] => {
    const header = V4.slice(0, 20);
    header[3] = 20 + payload.length;
    header[9] = protocol;
    return [...header, ...payload];
  };
  const udp = (port: string, payload: readonly number[]): number[] =>
    outer(17, [...hex(`c000 ${port} 0000 0000`), ...payload]);
  const gre = (head: string, payload: readonly number[]): number[] => outer(47, [...hex(head), ...payload]);

  test.each<[string, readonly number[], { ip: number; link?: number }]>([
    ['IPv4 in IP', outer(4, V4), { ip: 40 }],
    ['IPv4 in IPv4 in IPv4', outer(4, outer(4, V4)), { ip: 60 }],
    ['GRE', gre('0000 0800', V4), { ip: 40, link: 4 }],
    ['GRE with a checksum', gre('8000 0800 00000000', V4), { ip: 40, link: 8 }],
    ['GRE with a sequence', gre('1000 0800 00000001', V4), { ip: 40, link: 8 }],
    ['GRE with checksum, key and sequence', gre('b000 0800 00000000 00000001 00000002', V4), { ip: 40, link: 16 }],
    ['Ethernet in GRE', gre('2000 6558 00000700', ethernet), { ip: 40, link: 22 }],
    ['VXLAN', udp('12b5', [...hex('08000000 00000700'), ...ethernet]), { ip: 40, link: 30 }],
    ['VXLAN of Linux, with a policy', udp('2118', [...hex('88000009 00000700'), ...ethernet]), { ip: 40, link: 30 }],
    ['GENEVE', udp('17c1', [...hex('01006558 00000700 01020304'), ...ethernet]), { ip: 40, link: 34 }],
    ['IP in GENEVE', udp('17c1', [...hex('00000800 00000700'), ...V4]), { ip: 40, link: 16 }],
    [
      'IP in GRE in VXLAN',
      udp('12b5', [...hex('08000000 00000700'), ...MACS, 8, 0, ...gre('00000800', V4)]),
      { ip: 60, link: 34 },
    ],
  ])('%s', (_name, packet, around) => {
    const { said, spent } = dissect(101, [packet]);
    expect(said).toEqual([`1.1.1.1:10 ${packet.length - 5}: hello`]);
    expect(spent).toEqual({ ...around, tcp: 20 });
  });

  test.each<[string, readonly number[]]>([
    ['IP', outer(41, V6)],
    ['GRE', gre('0000 86dd', V6)],
  ])('IPv6 in %s', (_name, packet) => {
    const said = `[101:101:101:101:101:101:101:101]:10 ${packet.length - 5}: hello`;
    expect(dissect(101, [packet]).said).toEqual([said]);
  });

  test('fragments in a tunnel', () => {
    const whole = segment(4, 'hello, fragments').slice(14);
    const fragment = (at: number, size: number, flags: number): number[] => {
      const bytes = whole.slice(20 + at, 20 + at + size);
      const header = whole.slice(0, 20);
      [header[3], header[6], header[7]] = [20 + bytes.length, flags, at / 8];
      return gre('0000 0800', [...header, ...bytes]);
    };
    const { said, spent } = dissect(101, [fragment(24, 100, 0), fragment(0, 24, 0x20)]);
    expect(said.map((text) => text.split(': ')[1])).toEqual(['hell', 'o, fragments']);
    expect(spent).toEqual({ ip: 80, link: 8, tcp: 20 });
  });

  test('a packet in a tunnel whose own packets are fragments', () => {
    const packet = udp('12b5', [...hex('08000000 00000700'), ...ethernet, 0, 0]);
    const fragment = (at: number, size: number, flags: number): number[] => {
      const bytes = packet.slice(20 + at, 20 + at + size);
      const header = packet.slice(0, 20);
      [header[3], header[6], header[7]] = [20 + bytes.length, flags, at / 8];
      return [...header, ...bytes];
    };
    const { said, spent } = dissect(101, [fragment(72, 100, 0), fragment(0, 72, 0x20)]);
    expect(said).toEqual(['1.1.1.1:10 115: he', '1.1.1.1:10 20: llo']);
    expect(spent).toEqual({ ip: 60, link: 32, tcp: 20 });
  });

  test('a connection captured outside and inside of its tunnel counts once', () => {
    const { said, spent } = dissect(101, [gre('0000 0800', V4), V4]);
    expect(said).toEqual(['1.1.1.1:10 64: hello']);
    expect(spent).toEqual({ ip: 60, link: 4, tcp: 40, retransmitted: 5 });
  });

  test('a snap length that cuts the packet within leaves a hole', () => {
    const [cut, whole] = [gre('0000 0800', V4), gre('0000 0800', segment(4, 'again', 6).slice(14))];
    expect(dissect(101, [cut.slice(0, -2), whole], cut.length).said).toEqual([
      '1.1.1.1:10 64: hel',
      '<2>',
      '1.1.1.1:10 131: again',
    ]);
  });

  test.each<[string, readonly number[]]>([
    ['PPTP', gre('3001 880b 00000000', V4)],
    ['a source route', gre('4000 0800 00000000', V4)],
    ['GRE of another type', gre('0000 88be', V4)],
    ['VXLAN without a network', udp('12b5', [...hex('00000000 00000700'), ...ethernet])],
    ['VXLAN with more behind its network', udp('12b5', [...hex('08000000 00000701'), ...ethernet])],
    ['GENEVE with more behind its network', udp('17c1', [...hex('00006558 00000701'), ...ethernet])],
    ['GENEVE of another version', udp('17c1', [...hex('40006558 00000700'), ...ethernet])],
    ['one that is cut off', udp('12b5', hex('08000000'))],
    ['something else within', outer(4, hex('00'.repeat(40)))],
  ])('%s is another protocol', (_name, packet) => {
    expect(dissect(101, [packet])).toEqual({
      said: [],
      spent: { ip: 20, 'other-protocols': packet.length - 20 },
      codes: [],
      findings: [],
    });
  });
});

describe('parts of streams that Wireshark exported', () => {
  const ends = hex('0014 0004 01010101 0015 0004 02020202');
  const ports = hex('0018 0004 00000002 0019 0004 0000000a 001a 0004 00000014');
  const head = [...hex('000c 0008 6874747032000000'), ...ends, ...ports, ...hex('001e 0004 00000007 0000 0000')];
  const part = (text: string): number[] => [...head, ...new TextEncoder().encode(text)];

  test('follow each other', () => {
    const { said, spent } = dissect(252, [part('hello, '), part('parts')]);
    expect(said).toEqual([`1.1.1.1:10 ${head.length}: hello, `, `1.1.1.1:10 ${2 * head.length + 7}: parts`]);
    expect(spent).toEqual({ link: 2 * head.length });
  });

  test('between addresses of IPv6', () => {
    const wide = [0x16, 0x17].flatMap((tag) => [0, tag, 0, 16, ...zeros(16)]);
    const [said] = dissect(252, [[...wide, ...ports, ...zeros(4), ...hex('6869')]]).said;
    expect(said).toBe(`[::]:10 ${wide.length + ports.length + 4}: hi`);
  });

  const ONE = { source: 1, destination: 2, sourcePort: 10, destinationPort: 20 };
  test.each<[string, Partial<typeof ONE>]>([
    ['another source', { source: 3 }],
    ['another destination', { destination: 3 }],
    ['another port of the source', { sourcePort: 30 }],
    ['another port of the destination', { destinationPort: 30 }],
    ['the other side', { source: 2, destination: 1, sourcePort: 20, destinationPort: 10 }],
  ])('among those of %s follow each other', (_name, changed) => {
    for (const [width, tag] of [[4, 20] as const, [16, 22] as const]) {
      const record = (kind: number, size: number, value: number) => [0, kind, 0, size, ...zeros(size - 1), value];
      const from = (ends: typeof ONE, text: string): readonly number[] => [
        ...[...record(tag, width, ends.source), ...record(tag + 1, width, ends.destination)],
        ...[...record(24, 4, 2), ...record(25, 4, ends.sourcePort), ...record(26, 4, ends.destinationPort)],
        ...[...zeros(4), ...new TextEncoder().encode(text)],
      ];
      const { said } = dissect(252, [from(ONE, 'hello, '), from({ ...ONE, ...changed }, 'others'), from(ONE, 'parts')]);
      expect(said.map((line) => line.split(/: (?!:)/).at(-1)).sort()).toEqual(['hello, ', 'others', 'parts']);
    }
  });

  test('and that a snap length cut leave a hole', () => {
    expect(dissect(252, [part('hel'), part('again')], head.length + 5).said.map((line) => line.slice(-5))).toEqual([
      ': hel',
      '<2>',
      'again',
    ]);
  });

  test.each<[string, readonly number[]]>([
    ['of UDP', part('hi').map((byte, at) => (at === 35 ? 3 : byte))],
    ['without ports', [...ends, ...zeros(4)]],
    ['without a port of the destination', [...ends, ...ports.slice(0, 16), ...zeros(4)]],
    ['with a port of 2 bytes', [...ends, ...ports.slice(0, 16), ...hex('001a 0002 0014'), ...zeros(4)]],
    ['without addresses', [...ports, ...zeros(4)]],
    ['with addresses of two versions', [...ends.slice(0, 8), 0, 0x17, 0, 16, ...zeros(16), ...ports, ...zeros(4)]],
    ['with an address of 3 bytes', [...hex('0014 0003 010101'), ...ends.slice(8), ...ports, ...zeros(4)]],
    ['whose records do not end', part('').slice(0, -4)],
    ['with a record that is cut off', part('').slice(0, -9)],
  ])('%s are another protocol', (_name, packet) => {
    expect(dissect(252, [packet])).toMatchObject({ said: [], spent: { 'other-protocols': packet.length }, codes: [] });
  });
});

describe('IPv4 fragments', () => {
  const whole = segment(4, 'hello, fragments').slice(14);
  const fragment = (offset: number, size: number, more: boolean): number[] => {
    const bytes = whole.slice(20 + offset, 20 + offset + size);
    const header = whole.slice(0, 20);
    header[3] = 20 + bytes.length;
    header[6] = more ? 0x20 : 0;
    header[7] = offset / 8;
    return [...header, ...bytes];
  };
  const [a, b, c] = [fragment(0, 16, true), fragment(16, 16, true), fragment(32, 100, false)];

  test.each([
    ['in order', [a, b, c], ['1.1.1.1:10 60: hello, fragm'.slice(0, 27), '1.1.1.1:10 92: ents']],
    ['out of order', [c, b, a], ['1.1.1.1:10 48: hello, fragm'.slice(0, 27), '1.1.1.1:10 20: ents']],
    ['one twice', [a, a, b, c], ['1.1.1.1:10 96: hello, fragm'.slice(0, 27), '1.1.1.1:10 128: ents']],
  ])('%s', (_name, packets, expected) => {
    expect(dissect(101, packets).said).toEqual(expected);
  });

  test.each([
    [
      'a last one that ends before an earlier one',
      [fragment(0, 16, true), fragment(16, 100, true), fragment(8, 8, false)],
    ],
    ['one behind the last', [fragment(8, 8, false), fragment(16, 100, true), fragment(0, 8, true)]],
  ])('%s: the ledger sums, and the fragments give no bytes', (_name, packets) => {
    const { said, spent } = dissect(101, packets);
    const size = packets.reduce((sum, packet) => sum + packet.length, 0);
    expect([said, Object.values(spent).reduce((sum, bytes) => sum + bytes, 0)]).toEqual([[], size]);
  });

  test.each([
    ['before its datagram is whole', [a, a, b, c], 16],
    ['after its datagram was whole', [a, b, c, c, a], 20],
    ['that overlaps with others', [a, b, c, fragment(8, 16, true)], 16],
  ])('a fragment that is captured again, %s, is retransmitted', (_name, packets, bytes) => {
    const { said, spent } = dissect(101, packets);
    expect([said.length, spent.retransmitted, spent['other-protocols']]).toEqual([2, bytes, undefined]);
  });

  test('another datagram with the same identification is read', () => {
    // Its sequence number is a later one.
    const next = a.map((byte, at) => (at === 27 ? byte + 16 : byte));
    const { said, spent } = dissect(101, [a, b, c, next, b, c]);
    expect([said.length, spent.retransmitted]).toEqual([4, undefined]);
  });

  const other = (at: number, packet: readonly number[]): number[] =>
    packet.map((byte, index) => (index === 5 ? at : byte));
  test.each([
    ['63 other datagrams that are not whole', 63, 2],
    ['64', 64, 0],
  ])('a datagram waits beside %s', (_name, count, sayings) => {
    const others = Array.from({ length: count }, (_, at) => other(at + 1, a));
    const { said, spent } = dissect(101, [a, ...others, b, c]);
    expect(said.length).toBe(sayings);
    // The oldest one is lost with its bytes.
    expect(spent['other-protocols']).toBe(count * 16 + (sayings === 0 ? whole.length - 20 : 0));
  });

  test.each([
    ['15 others is known', 15, undefined],
    ['16 others is not', 16, 16],
  ])('a datagram that was whole before %s', (_name, count, waiting) => {
    const others = Array.from({ length: count }, (_, at) => [a, b, c].map((packet) => other(at + 1, packet))).flat();
    expect(dissect(101, [a, b, c, ...others, a]).spent['other-protocols']).toBe(waiting);
  });

  test('a missing fragment', () => {
    expect(dissect(101, [a, c]).spent).toEqual({ ip: 40, 'other-protocols': 20 });
  });
});

test.each([
  ['IPv4', V4.map((byte, at) => (at === 2 || at === 3 ? 0 : byte)), '1.1.1.1:10 40: hello'],
  ['IPv6', V6.map((byte, at) => (at === 4 || at === 5 ? 0 : byte)), '[101:101:101:101:101:101:101:101]:10 60: hello'],
])('%s without a length, as with segmentation offload, extends to the end of the packet', (_name, packet, expected) => {
  expect(dissect(101, [packet]).said).toEqual([expected]);
});

test.each([
  ['none, as offloading leaves them', 0],
  ['wrong ones', 0xa5],
])('checksums of IP and TCP, %s, are ignored', (_name, sum) => {
  const packet = V4.map((byte, at) => ([10, 11, 36, 37].includes(at) ? sum : byte));
  expect(dissect(101, [packet])).toMatchObject({ said: ['1.1.1.1:10 40: hello'], codes: [] });
});

describe('connections', () => {
  test('sequence numbers pass 2³², out of order', () => {
    const packets = [
      segment(4, 'ab', 2 ** 32 - 3),
      segment(4, 'ef', 1),
      segment(4, 'cd', 2 ** 32 - 1),
      segment(4, 'gh', 3),
    ].map((packet) => packet.slice(14));
    expect(dissect(101, packets).said.map((line) => line.slice(-2))).toEqual(['ab', 'cd', 'ef', 'gh']);
  });

  test('a cut by the snap length is a gap', () => {
    const cut = segment(4, 'hello').slice(14, -3);
    expect(dissect(101, [cut, segment(4, 'again', 6).slice(14)], 45).said).toEqual([
      '1.1.1.1:10 40: he',
      '<3>',
      '1.1.1.1:10 82: again',
    ]);
  });

  test('segments older than the first captured one', () => {
    const packets = [segment(4, 'cd', 3), segment(4, 'ef', 5), segment(4, 'ab', 1)].map((packet) => packet.slice(14));
    expect(dissect(101, packets).said.map((line) => line.slice(-2))).toEqual(['ab', 'cd', 'ef']);
  });

  test('too many connections close those that were idle longest, and count them', () => {
    const ended: number[] = [];
    const table = new ConnectionTable(
      ({ id }) => ({
        data: () => undefined,
        hole: () => undefined,
        late: () => undefined,
        end: (side) => side === 0 && ended.push(id),
      }),
      emptyLayers(),
    );
    const addresses = new Uint8Array(8);
    const tcp = { sourcePort: 1, destinationPort: 2, sequence: 0, acknowledgement: 0, flags: 16, payload: 0 };
    const say = (i: number, sequence: number): void => {
      addresses.set([i & 255, (i >> 8) & 255, i >> 16]);
      const bytes = Uint8Array.of(1);
      const segment = { sequence, bytes, start: 0, end: 1, captureOffset: i, cut: 0, time: null };
      table.segment(addresses, { version: 4, source: 0, destination: 4 }, { ...tcp, sequence }, segment);
    };
    for (let i = 0; i < MAX_CONNECTIONS; i++) for (let n = 0; n < 16; n++) say(i, n);
    expect([ended, table.closedEarly]).toEqual([[], 0]);
    // The first of them continues.
    say(0, 16);
    for (let i = 0; i < 3; i++) for (let n = 0; n < 16; n++) say(MAX_CONNECTIONS + i, n);
    expect([ended, table.closedEarly]).toEqual([[1, 2, 3], 3]);
  });

  test('the same ports again, after another SYN', () => {
    const syn = (sequence: number): number[] => {
      const packet = segment(4, '', sequence).slice(14);
      packet[33] = 2;
      return packet;
    };
    const packets = [syn(0), segment(4, 'one', 1).slice(14), syn(5_000_000), segment(4, 'two', 5_000_001).slice(14)];
    expect(dissect(101, packets).said.map((line) => line.slice(-3))).toEqual(['one', 'two']);
  });

  const ACK = 16;
  const FIN = 17;
  /** From the side that began, or `back` from the other. */
  const says = (flags: number, sequence: number, text: string, acknowledgement = 900, back = false): number[] => {
    const [from, to] = back ? [2, 1] : [1, 2];
    const ports = back ? { sourcePort: 20, destinationPort: 10 } : { sourcePort: 10, destinationPort: 20 };
    const addresses = { source: new Uint8Array(4).fill(from), destination: new Uint8Array(4).fill(to) };
    const payload = new TextEncoder().encode(text);
    return [...writeSegment({ ...addresses, ...ports, sequence, acknowledgement, flags, payload })].slice(14);
  };
  const answer = (acknowledged: number): number[] => says(ACK, 900, 'ok', acknowledged, true);

  test.each<[what: string, packets: number[][], said: readonly string[]]>([
    ['with all it sent', [says(ACK, 1, 'abc'), answer(4), says(FIN, 4, '')], ['abc', 'ok']],
    ['with its last bytes', [says(ACK, 1, 'abc'), answer(6), says(FIN, 4, 'de')], ['abc', 'ok', 'de']],
    ['and its last bytes are missing', [says(ACK, 1, 'abc'), says(FIN, 9, '')], ['abc', '<5>']],
    [
      'and only the acknowledgement of its last bytes and its FIN was captured',
      [says(ACK, 1, 'abc'), says(FIN, 9, ''), answer(10)],
      ['abc', 'ok', '<5>'],
    ],
    ['and all is acknowledged, its FIN with it', [says(ACK, 1, 'abc'), says(FIN, 4, ''), answer(5)], ['abc', 'ok']],
    ['unseen, but for one byte that was acknowledged', [says(ACK, 1, 'abc'), answer(5)], ['abc', 'ok']],
    ['unseen, and bytes were acknowledged', [says(ACK, 1, 'abc'), answer(9)], ['abc', 'ok', '<5>']],
    ['before bytes that come late', [answer(9), says(FIN, 9, ''), says(ACK, 1, 'abcdefgh')], ['ok', 'abcdefgh']],
    ['behind a hole', [says(ACK, 1, 'abc'), says(ACK, 6, 'f'), says(FIN, 9, '')], ['abc', '<2>', 'f', '<2>']],
    ['across 2³²', [says(ACK, 2 ** 32 - 2, 'ab'), says(FIN, 3, '')], ['ab', '<3>']],
    ['by numbers of another connection', [says(ACK, 1, 'abc'), answer(2 ** 30)], ['abc', 'ok']],
    ['and the other side sent nothing', [says(ACK, 1, 'abc', 970)], ['abc']],
    ['with what was acknowledged last', [says(ACK, 1, 'abc'), answer(4), answer(9), answer(6)], ['abc', 'ok', '<5>']],
    [
      'with its FIN, also if more is acknowledged',
      [says(ACK, 1, 'abc'), answer(4), says(FIN, 9, ''), answer(10)],
      ['abc', 'ok', '<5>'],
    ],
  ])('that ends %s', (_, packets, said) => {
    expect(dissect(101, packets).said.map((line) => line.replace(/^.*: /, ''))).toEqual(said);
  });

  test.each<[what: string, packets: number[][], said: readonly string[]]>([
    ['where the other side waits for bytes', [answer(1), says(ACK, 4, 'd')], ['ok', '<3>', 'd']],
    ['where it waited first', [answer(3), answer(1), answer(2), says(ACK, 4, 'd')], ['ok', '<3>', 'd']],
    ['across 2³²', [answer(2 ** 32 - 2), says(ACK, 1, 'd')], ['ok', '<3>', 'd']],
    ['256 KiB behind that', [answer(1), says(ACK, 2 ** 18, 'd')], ['ok', `<${2 ** 18 - 1}>`, 'd']],
    ['further behind', [answer(1), says(ACK, 2 ** 18 + 1, 'd')], ['ok', 'd']],
  ])('that begins %s', (_, packets, said) => {
    expect(dissect(101, packets).said.map((line) => line.replace(/^.*: /, ''))).toEqual(said);
  });

  const SYN = 2;
  const accepts = (first: number): number[] => says(SYN | ACK, 899, '', first, true);
  const MIB = 2 ** 20;
  test.each<[what: string, packets: number[][], said: readonly string[]]>([
    [
      'its SYN, sent again',
      [says(SYN, 0, '', 0), says(ACK, 1, 'abc'), says(SYN, 0, '', 0), says(ACK, 6, 'f')],
      ['abc', '<2>', 'f'],
    ],
    ['its SYN, captured late', [says(ACK, 1, 'abc'), says(SYN, 0, '', 0), says(ACK, 6, 'f')], ['abc', '<2>', 'f']],
    [
      'a gap, however long',
      [accepts(1), says(ACK, 1, 'abc'), says(ACK, 4 + 65 * MIB, 'd')],
      ['abc', `<${65 * MIB}>`, 'd'],
    ],
    [
      'an old acknowledgement without bytes',
      [accepts(65 * MIB), says(ACK, 65 * MIB, 'abc'), says(ACK, 1, ''), says(ACK, 65 * MIB + 5, 'f')],
      ['abc', '<2>', 'f'],
    ],
  ])('that continues after %s', (_, packets, said) => {
    expect(dissect(101, packets).said.map((line) => line.replace(/^.*: /, ''))).toEqual(said);
  });

  test('bytes from far before belong to another connection', () => {
    const packets = [accepts(65 * MIB), says(ACK, 65 * MIB, 'abc'), says(ACK, 1, 'x'), says(ACK, 4, 'y')];
    expect(dissect(101, packets).said.map((line) => line.replace(/^.*: /, ''))).toEqual(['abc', 'x', '<2>', 'y']);
  });
});
