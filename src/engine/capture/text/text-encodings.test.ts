import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { judgeTextEncodings, TEXT_ENCODINGS } from './detect-text-encoding.ts';

const ascii = (text: string): Uint8Array => new TextEncoder().encode(text);
const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const textEncodingOf = (id: string) => TEXT_ENCODINGS.find((textEncoding) => textEncoding.id === id)!;

function decodeText(input: Uint8Array, id = judgeTextEncodings(input, input.length)[0]!.id) {
  const read = textEncodingOf(id).read;
  const { bytes, diagnostics } = read === null ? { bytes: input, diagnostics: [] } : read(input);
  return { id, hex: hexOf(bytes), diagnostics };
}

/** The pasted text, the encoding that must be detected, and its bytes. */
const CLEAN: readonly (readonly [name: string, text: string, id: string, hex: string])[] = [
  ['plain', '0a03666f6f', 'hex', '0a03666f6f'],
  ['upper case', '0A03666F6F', 'hex', '0a03666f6f'],
  ['spaces', '0a 03 66 6f 6f\n', 'hex', '0a03666f6f'],
  ['groups of four bytes', '0a03666f 6f120462', 'hex', '0a03666f6f120462'],
  ['several lines', '0a03\r\n666f\r\n6f', 'hex', '0a03666f6f'],
  ['commas', '0a,03,66', 'hex', '0a0366'],
  ['colons', '0A:03:66', 'hex', '0a0366'],
  ['dashes', '0A-03-66', 'hex', '0a0366'],
  ['one 0x', '0x0a03666f6f', 'hex', '0a03666f6f'],
  ['0x each', '0x0a, 0x3, 0x66,', 'hex', '0a0366'],
  ['0x without separators', '0x0a0x030x66', 'hex', '0a0366'],
  ['\\x each', '\\x0a\\x03\\x66', 'hex', '0a0366'],
  ['one \\x, as a database prints', '\\x0a03666f6f', 'hex', '0a03666f6f'],
  ['quoted', '"0a03666f6f"', 'hex', '0a03666f6f'],
  ['no-break spaces', '0a\u00a003\u00a066', 'hex', '0a0366'],
  ['byte order mark', '\ufeff0a 03', 'hex', '0a03'],
  ['C array', 'unsigned char m[] = {\n  0x0a, 0x03,\n  0x66\n};\nunsigned int m_len = 3;\n', 'hex', '0a0366'],
  [
    'a line of a log with one run',
    '2026-01-02T03:04:05Z sent 0a03666f6f10960118a001\n',
    'hex',
    '0a03666f6f10960118a001',
  ],
  ['a date and a run', '2026-01-02 03:04:05 0a03666f6f10960118a001', 'hex', '0a03666f6f10960118a001'],
  ['a run and a time', '0a03666f6f10960118a001 12:30:59', 'hex', '0a03666f6f10960118a001'],
  ['a named run', `body: ${'0a03666f6f'.repeat(20)}`, 'hex', '0a03666f6f'.repeat(20)],
  [
    'groups of ten bytes',
    '0a03666f6f10960118a0 0a03666f6f10960118a0 0a03',
    'hex',
    `${'0a03666f6f10960118a0'.repeat(2)}0a03`,
  ],
  ['a literal of SQL with a date after it', "x'0a03666f6f' -- 2026-01-02", 'hex', '0a03666f6f'],
  ['adjacent literals of SQL', "x'0a03' '666f6f'", 'hex', '0a03666f6f'],
  ['Java array', 'new byte[] { 0x0a, 0x03 }', 'hex', '0a03'],
  [
    'hexdump -C',
    '00000000  0a 03 66 6f 6f                                    |..foo|\n00000005\n',
    'hexdump',
    '0a03666f6f',
  ],
  [
    'hexdump -C with repeats',
    '00000000  00 00 00 00 00 00 00 00  00 00 00 00 00 00 00 00  |................|\n*\n00000030  0a 03  |..|\n00000032\n',
    'hexdump',
    `${'00'.repeat(48)}0a03`,
  ],
  ['xxd', '00000000: 0a03 666f 6f                             ..foo\n', 'hexdump', '0a03666f6f'],
  ['xxd, its text like hex', '00000000: 6162 6364  abcd\n', 'hexdump', '61626364'],
  ['text that begins like a part of a word', '00000000: 6162 2020 6364   ab  cd\n', 'hexdump', '616220206364'],
  [
    'tcpdump -X',
    '\t0x0000:  4500 0034 0a03 666f 6f00 0000 0000 0000  E..4..foo.......\n\t0x0010:  0a03  ..',
    'hexdump',
    '450000340a03666f6f000000000000000a03',
  ],
  ['packet tool', '0000   0a 03 66 6f   ..fo\n0004   6f 12 00 00   o...\n', 'hexdump', '0a03666f6f120000'],
  [
    'od in octal',
    '0000000 0a 03 66 6f 6f 0a 03 66 6f 6f 0a 03 66 6f 6f 0a\n0000020 03\n0000021\n',
    'hexdump',
    '0a03666f6f0a03666f6f0a03666f6f0a03',
  ],
  [
    'od in decimal',
    '0000000 0a 03 66 6f 6f 0a 03 66 6f 6f 0a 03 66 6f 6f 0a\n0000016 03\n0000017\n',
    'hexdump',
    '0a03666f6f0a03666f6f0a03666f6f0a03',
  ],
  ['list', '[10, 3, 102, -1]', 'decimal', '0a0366ff'],
  ['list of Go', '[10 3 102 111]', 'decimal', '0a03666f'],
  ['escapes', '"\\n\\003foo\\"\\x00"', 'escaped', '0a03666f6f2200'],
  ['escapes, bytes literal', "b'\\x0a\\x03foo'", 'escaped', '0a03666f6f'],
  ['escapes in pieces', '"\\x0a\\x03"\n  "foo"', 'escaped', '0a03666f6f'],
  ['base64, padded', 'CgNmb28=', 'base64', '0a03666f6f'],
  ['base64, not padded', 'CgNmb28', 'base64', '0a03666f6f'],
  ['base64, URL-safe', 'CgP_-w', 'base64', '0a03fffb'],
  ['base64, quoted', '"CgNmb28="', 'base64', '0a03666f6f'],
  [
    'base64, lines',
    'CgNmb29iYXJiYXpx\r\nCgNmb29iYXJiYXpx\r\nCgNmb28=\r\n',
    'base64',
    '0a03666f6f62617262617a710a03666f6f62617262617a710a03666f6f',
  ],
  ['base64, two texts', 'CgNmb28=CgNmb28=', 'base64', '0a03666f6f0a03666f6f'],
  ['data: URL', 'data:application/x-protobuf;base64,CgNmb28=', 'base64', '0a03666f6f'],
  ['text', 'hello, world', 'binary', hexOf(ascii('hello, world'))],
  ['words of the letters a to f and others', 'the deed is done', 'binary', hexOf(ascii('the deed is done'))],
  [
    'two lines of a log, each with its date',
    '2026-01-02 03:04:05 0a03666f6f10960118a0\n2026-01-02 03:04:06 0a03666f6f10960118a0',
    'binary',
    hexOf(ascii('2026-01-02 03:04:05 0a03666f6f10960118a0\n2026-01-02 03:04:06 0a03666f6f10960118a0')),
  ],
  [
    'a line of a log with more words than bytes',
    '2026-01-02 03:04:05 INFO the exporter has posted 0a03666f6f109601 upstream',
    'binary',
    hexOf(ascii('2026-01-02 03:04:05 INFO the exporter has posted 0a03666f6f109601 upstream')),
  ],
  ['JSON', '{"a": 1}', 'binary', hexOf(ascii('{"a": 1}'))],
  ['nothing', '', 'binary', ''],
];

test.each(CLEAN)('%s', (_, text, id, hex) => {
  expect(decodeText(ascii(text))).toEqual({ id, hex, diagnostics: [] });
});

const FAULTY: readonly (readonly [name: string, text: string, id: string, hex: string, code: string, at: number])[] = [
  [
    'a word among hex',
    '0a 03 66 6f 6f 10 96 01 18 a0 01 age',
    'hex',
    '0a03666f6f10960118a001',
    'capture/odd-character',
    33,
  ],
  ['a letter among hex', '0a 03 6g 6f', 'hex', '0a03066f', 'capture/odd-character', 7],
  ['half a byte', '0a 036', 'hex', '0a03', 'capture/half-byte', 5],
  ['another alphabet', 'CgNm*28=', 'base64', '0a03661bc', 'capture/odd-character', 4],
  ['one character of base64 left', 'CgNmb', 'base64', '0a0366', 'capture/half-byte', 5],
  ['no line of a dump', '00000000: 0a03\nzz\n00000002: 0405\n', 'hexdump', '0a030405', 'capture/odd-character', 15],
  ['an offset too far', '00000000: 0a03\n00000004: 0405\n', 'hexdump', '0a030405', 'capture/offset-gap', 0],
  ['a repeat of 4 GB', '00000000: 0a03\n*\nffffffff: 0405\n', 'hexdump', '0a030405', 'capture/repeat', 15],
  ['a repeat without an end', '00000000: 0a03\n*', 'hexdump', '0a03', 'capture/repeat', 15],
  ['little-endian words', '0000000 030a 6f66\n0000003\n', 'hexdump', '0a0366', 'capture/little-endian-words', 0],
  ['a number too large', '[10, 300]', 'decimal', '0a', 'capture/not-a-byte', 5],
  ['an unknown escape', '"\\x0a\\q"', 'escaped', '0a', 'capture/odd-character', 6],
];

test.each(FAULTY)('%s is reported with its offset', (_, text, id, hex, code, at) => {
  const result = decodeText(ascii(text), id);
  expect(result.diagnostics.map(({ code, start }) => ({ code, start }))).toContainEqual({ code, start: at });
  if (hex.length % 2 === 0) expect(result.hex).toBe(hex);
});

test('a fault does not change which text encoding is detected', () => {
  expect(judgeTextEncodings(ascii('0a 03 6g 6f 12 00'), 17)[0]!.id).toBe('hex');
  expect(judgeTextEncodings(ascii('00000000: 0a03\nzz\n00000002: 0405\n00000004: 0405'), 45)[0]!.id).toBe('hexdump');
});

test('many faults are counted, not listed', () => {
  const { diagnostics } = decodeText(ascii('zz '.repeat(1000)), 'hex');
  expect(diagnostics).toHaveLength(21);
  expect(diagnostics.at(-1)!.message).toContain('1980 more');
});

test('ids are unique', () => {
  expect(new Set(TEXT_ENCODINGS.map((textEncoding) => textEncoding.id)).size).toBe(TEXT_ENCODINGS.length);
});

describe('dumps of packets are a capture', () => {
  const V4 = '4500001f00004000401126cc0a0000010a0000020001000200000000666f6f';
  const V6 = `600000000013113f${'00'.repeat(15)}01${'00'.repeat(15)}020001000200130000${'6f'.repeat(11)}`;
  const ETHERNET = `${'02'.repeat(12)}0800`;
  const rows = (hex: string, before = '\t'): string =>
    [...hex.matchAll(/.{1,32}/g)]
      .map(([row], n) => {
        const cells = row.replace(/.{1,4}/g, '$& ').padEnd(40);
        return `${before}0x${(n * 16).toString(16).padStart(4, '0')}:  ${cells} ${'.'.repeat(row.length / 2)}\n`;
      })
      .join('');
  /** The file of whole packets, or of one that was cut. */
  const pcapng = (linkType: string, ...packets: readonly (readonly [hex: string, length?: number])[]): string => {
    const block = (type: number, body: string): string => {
      const padded = body.padEnd(Math.ceil(body.length / 8) * 8, '0');
      const size = hex32(12 + padded.length / 2);
      return `${hex32(type)}${size}${padded}${size}`;
    };
    const snapLength = packets[0]![1] === undefined ? 0 : packets[0]![0].length / 2;
    return [
      block(0x0a0d0d0a, `1a2b3c4d00010000${'f'.repeat(16)}`),
      block(1, `${linkType}${hex32(snapLength)}`),
      ...packets.map(([hex, length = hex.length / 2]) => block(3, `${hex32(length)}${hex}`)),
    ].join('');
  };
  const hex32 = (value: number): string => value.toString(16).padStart(8, '0');
  const TIME = '10:31:07.125034 IP 10.0.0.1.1 > 10.0.0.2.2: UDP, length 3\n';
  const TWO = pcapng('00650000', [V4], [V4]);

  test.each<[string, string, string]>([
    ['tcpdump -X', `${TIME}${rows(V4)}${TIME}${rows(V4)}`, TWO],
    ['tcpdump -v -X', `${TIME}    ${TIME}${rows(V4)}${TIME}    ${TIME}${rows(V4)}`, TWO],
    ['quoted', `> ${TIME}${rows(V4, '> \t')}> ${TIME}${rows(V4, '> \t')}`, TWO],
    ['tcpdump -XX', `${TIME}${rows(ETHERNET + V4)}`, pcapng('00010000', [ETHERNET + V4])],
    ['padded', rows(`${ETHERNET}${V4}0000`), pcapng('00010000', [`${ETHERNET}${V4}0000`])],
    [
      'with a VLAN',
      rows(`${'02'.repeat(12)}810000010800${V4}`),
      pcapng('00010000', [`${'02'.repeat(12)}810000010800${V4}`]),
    ],
    ['Linux cooked', rows(`${'00'.repeat(14)}0800${V4}`), pcapng('00710000', [`${'00'.repeat(14)}0800${V4}`])],
    ['Linux cooked 2', rows(`0800${'00'.repeat(18)}${V4}`), pcapng('01140000', [`0800${'00'.repeat(18)}${V4}`])],
    ['IPv6', rows(V6), pcapng('00650000', [V6])],
    ['a packet cut short', rows(V4.slice(0, 58)), pcapng('00650000', [V4.slice(0, 58), 31])],
    [
      'a checksum that the network card fills in',
      rows(V4.replace('26cc', '0000')),
      pcapng('00650000', [V4.replace('26cc', '0000')]),
    ],
    [
      'after a packet of another kind',
      `${rows('00'.repeat(28))}${rows(V4)}`,
      pcapng('00650000', ['00'.repeat(28)], [V4]),
    ],
    ['a hex stream', V4, pcapng('00650000', [V4])],
  ])('%s', (_, text, hex) => expect(decodeText(ascii(text))).toMatchObject({ hex, diagnostics: [] }));

  test.each([
    ['another length, and no checksum', `${V4.replace('26cc', '0000')}00`],
    ['another protocol', V4.replace('4011', '4001')],
    ['a header too short', `44${V4.slice(2)}`],
    ['headers only in part', V4.slice(0, 54)],
  ])('not: %s', (_, hex) => expect(decodeText(ascii(rows(hex))).hex).toBe(hex));

  test('several dumps of other bytes are joined, and that is said', () => {
    const { hex, diagnostics } = decodeText(ascii(`READ: 2B\n${rows('0a03')}READ: 2B\n${rows('0405')}`));
    expect([hex, diagnostics.map(({ code }) => code)]).toEqual(['0a030405', ['capture/several-dumps']]);
  });
});

describe('properties', () => {
  const payload = fc.uint8Array({ minLength: 3, maxLength: 200 });
  const undressesTo = (bytes: Uint8Array, text: string, ids: readonly string[]) => {
    const input = ascii(text);
    const result = decodeText(input);
    expect(ids).toContain(result.id);
    expect(result).toEqual({ id: result.id, hex: hexOf(bytes), diagnostics: [] });
  };
  const check = (textEncoding: (bytes: Uint8Array) => string, ...ids: string[]) =>
    fc.assert(
      fc.property(payload, (bytes) => undressesTo(bytes, textEncoding(bytes), ids)),
      { numRuns: 1000 },
    );

  test('any bytes written as hex are read back', () => {
    check(hexOf, 'hex');
    check((bytes) => hexOf(bytes).replace(/../g, '$& '), 'hex');
    check((bytes) => hexOf(bytes).replace(/../g, '0x$&, '), 'hex');
    check((bytes) => hexOf(bytes).replace(/../g, '\\x$&'), 'hex');
  });

  test('any bytes written as a hex dump are read back', () => {
    const gutter = (bytes: Uint8Array) =>
      Buffer.from(bytes)
        .toString('latin1')
        .replace(/[^ -~]/g, '.');
    const lines = (bytes: Uint8Array, line: (offset: number, row: Uint8Array) => string) => {
      let text = '';
      for (let at = 0; at < bytes.length; at += 16) text += `${line(at, bytes.subarray(at, at + 16))}\n`;
      return text;
    };
    const offset = (at: number) => at.toString(16).padStart(8, '0');
    check(
      (bytes) =>
        lines(
          bytes,
          (at, row) =>
            `${offset(at)}: ${hexOf(row)
              .replace(/.{1,4}/g, '$& ')
              .padEnd(41)} ${gutter(row)}`,
        ),
      'hexdump',
    );
    check(
      (bytes) =>
        lines(bytes, (at, row) => {
          const pairs = [...row].map((b, n) => b.toString(16).padStart(2, '0') + (n === 7 ? '  ' : ' ')).join('');
          return `${offset(at)}  ${pairs.padEnd(50)}|${gutter(row)}|`;
        }) + offset(bytes.length),
      'hexdump',
    );
  });

  test('any bytes written as base64 are read back as base64', () => {
    const read = textEncodingOf('base64').read!;
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 300 }),
        fc.constantFrom('base64', 'base64url'),
        fc.integer({ min: 1, max: 80 }),
        (bytes, alphabet, width) => {
          const text = Buffer.from(bytes)
            .toString(alphabet as 'base64')
            .replace(new RegExp(`.{${width}}`, 'g'), '$&\n');
          expect(hexOf(read(ascii(text)).bytes)).toBe(hexOf(bytes));
        },
      ),
      { numRuns: 1000 },
    );
  });

  test('no input throws, and offsets lie in the input', () => {
    const text = fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      fc.string({ unit: fc.constantFrom(...'0aAfFxX\\"\'[]{},:|* \n\t=+/-_g9b') }).map(ascii),
    );
    fc.assert(
      fc.property(text, (input) => {
        for (const textEncoding of TEXT_ENCODINGS) {
          const { score } = textEncoding.sniff(input, input.length);
          expect(score).toBeGreaterThanOrEqual(0);
          expect(score).toBeLessThanOrEqual(1);
          for (const { start, end } of textEncoding.read?.(input).diagnostics ?? []) {
            expect(start).toBeLessThanOrEqual(end);
            expect(end).toBeLessThanOrEqual(input.length);
          }
        }
      }),
      { numRuns: 3000 },
    );
  });
});

describe('the tools themselves, where they are installed', () => {
  const DATA = [
    Uint8Array.from({ length: 300 }, (_, n) => (n < 200 ? (n * 7) & 255 : 0)),
    Uint8Array.from({ length: 299 }, (_, n) => (n < 200 ? (n * 7) & 255 : 65)),
    ascii('a text whose length is odd, in two lines'),
  ];
  test.each([
    ['xxd', []],
    ['xxd', ['-i']],
    ['xxd', ['-p']],
    ['xxd', ['-g1', '-u']],
    ['hexdump', ['-C']],
    ['hexdump', []],
    ['od', ['-A', 'x', '-t', 'x1']],
    ['od', ['-t', 'x1z', '-v']],
    ['od', ['-x']],
    ['xxd', ['-e']],
    ['xxd', ['-e', '-g', '8']],
    ['xxd', ['-e', '-g', '2']],
    ['hexdump', ['-x']],
    ['hexdump', ['-d']],
    ['hexdump', ['-o']],
    ['od', ['-t', 'u2']],
    ['od', ['-t', 'd2']],
    ['od', ['-t', 'u4']],
    ['od', ['-t', 'x2z']],
    ['od', ['-t', 'x1', '-t', 'c']],
    ['od', ['-t', 'c', '-t', 'x1']],
    ['od', ['-t', 'x2', '-t', 'x1', '-A', 'd']],
    ['base64', []],
  ])('%s %j', (tool, args) => {
    for (const bytes of DATA) {
      let text: Buffer;
      try {
        text = execFileSync(tool, args, { input: bytes, stdio: ['pipe', 'pipe', 'ignore'] });
      } catch {
        return;
      }
      expect(decodeText(Uint8Array.from(text)).hex).toBe(hexOf(bytes));
    }
  });
});

test.each(['6ba7b810-9dad-11d1-80b4-00c04fd430c8', '{6BA7B810-9DAD-11D1-80B4-00C04FD430C8}\n'])(
  'a UUID is read as its own bytes: %s',
  (uuid) => {
    const bytes = new TextEncoder().encode(uuid);
    expect(judgeTextEncodings(bytes, bytes.length)[0]?.id).toBe('binary');
  },
);
