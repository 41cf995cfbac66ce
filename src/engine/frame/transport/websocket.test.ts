import { constants, deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Saying } from '../../capture/containers/packets-writer.testing.ts';
import { bytes, loses, read, says } from '../conversation.testing.ts';

type Side = 0 | 1;
const [TEXT, BINARY, CLOSE, PING] = [1, 2, 8, 9];

/** A message of protobuf: field 1 is a string. */
const proto = (text: string): Uint8Array => bytes([10, text.length], text);

interface Kind {
  readonly fin?: boolean;
  readonly rsv?: number;
  readonly key?: readonly number[];
  /** Bytes of the length field after the first one. */
  readonly wide?: 0 | 2 | 8;
}

/** A frame of the client (0), which masks, or of the server (1). */
function frame(side: Side, opcode: number, payload: Uint8Array | string, kind: Kind = {}): Uint8Array {
  const data = bytes(payload);
  const { fin = true, rsv = 0, key = [1, 2, 3, 4] } = kind;
  const { wide = data.length < 126 ? 0 : data.length < 65536 ? 2 : 8 } = kind;
  const short = wide === 0 ? data.length : wide === 2 ? 126 : 127;
  const rest = Array.from({ length: wide }, (_, at) => Math.floor(data.length / 256 ** (wide - 1 - at)) & 255);
  const head = [(fin ? 0x80 : 0) | (rsv << 4) | opcode, (side === 0 ? 0x80 : 0) | short, ...rest];
  if (side === 1) return bytes(head, data);
  return bytes(
    head,
    key,
    data.map((byte, at) => byte ^ key[at & 3]!),
  );
}

/** Compresses messages of one direction, each with the plain bytes before it as its window. */
function compressor(takesOver: boolean) {
  let window: Buffer = Buffer.alloc(0);
  return (payload: Uint8Array | string): Uint8Array => {
    const plain = Buffer.from(bytes(payload));
    const dictionary = takesOver && window.length > 0 ? { dictionary: window } : {};
    const packed = deflateRawSync(plain, { finishFlush: constants.Z_SYNC_FLUSH, ...dictionary });
    window = Buffer.concat([window, plain]).subarray(-32768);
    return packed.subarray(0, -4);
  };
}

const handshake = (extensions = ''): readonly Saying[] => [
  says(0, 'GET /feed?a=1 HTTP/1.1\r\nUpgrade: websocket\r\n\r\n'),
  says(
    1,
    'HTTP/1.1 101 Go\r\nUpgrade: WebSocket\r\n',
    extensions && `Sec-WebSocket-Extensions: ${extensions}\r\n`,
    '\r\n',
  ),
];
const DEFLATE = 'permessage-deflate';
const RSV1 = { rsv: 4 };

const readFrames = (frames: readonly (readonly [Side, Uint8Array])[], extensions?: string) =>
  read([...handshake(extensions), ...frames.map(([side, one]) => says(side, one))]);

describe('frames after the handshake', () => {
  const [HI, HO] = [proto('hi'), proto('ho')];
  const asked = (text: string) => `websocket request GET /feed?a=1: ${text}`;
  const told = (text: string) => `websocket response GET /feed?a=1: ${text}`;
  const long = (size: number) => bytes([10, ...varint(size)], 'x'.repeat(size));

  test.each<[string, readonly (readonly [Side, Uint8Array])[], readonly string[]]>([
    [
      'masked and unmasked',
      [
        [0, frame(0, BINARY, HI)],
        [1, frame(1, BINARY, HO)],
      ],
      [asked('\n\x02hi'), told('\n\x02ho')],
    ],
    ['a length of 16 bits', [[1, frame(1, BINARY, long(300))]], [told(latin1(long(300)))]],
    ['a length of 64 bits', [[0, frame(0, BINARY, long(70_000))]], [asked(latin1(long(70_000)))]],
    ['a length that is longer than needed', [[1, frame(1, BINARY, HO, { wide: 8 })]], [told('\n\x02ho')]],
    ['a text that is JSON', [[0, frame(0, TEXT, '{"a":1}')]], [asked('{"a":1}')]],
    [
      'other texts and bytes are not messages',
      [
        [0, frame(0, TEXT, 'hello')],
        [1, frame(1, BINARY, '\xff\xff\xff')],
      ],
      [],
    ],
    [
      'packets of MQTT are not messages',
      [
        [0, frame(0, BINARY, '\x10\x10\x00\x04MQTT\x04\x02\x00\x3c\x00\x04name')],
        [1, frame(1, BINARY, '\x20\x02\x00\x00')],
        [0, frame(0, BINARY, '\x30\x0b\x00\x03a/bhello!')],
        [0, frame(0, BINARY, '\xc0\x00')],
        [1, frame(1, BINARY, '\xd0\x00')],
      ],
      [],
    ],
    [
      'fragments with keys of their own, and control frames between them',
      [
        [0, frame(0, BINARY, HI.subarray(0, 1), { fin: false, key: [9, 8, 7, 6] })],
        [0, frame(0, PING, 'are you there')],
        [1, frame(1, 10, 'are you there')],
        [0, frame(0, 0, '', { fin: false })],
        [0, frame(0, 0, HI.subarray(1), { key: [5, 0, 5, 0] })],
        [0, frame(0, CLOSE, '\x03\xe8bye')],
      ],
      [asked('\n\x02hi')],
    ],
  ])('%s', async (_, frames, expected) => {
    const { messages, codes, layers } = await readFrames(frames);
    expect(messages).toEqual(expected);
    expect(codes.filter((code) => code !== 'http/unknown-body')).toEqual([]);
    const sizes = frames.reduce((sum, [, { length }]) => sum + length, 0);
    expect(layers.websocket + layers.message + layers['other-bodies']).toBe(sizes);
  });

  test('headers, keys and control frames are of the layer', async () => {
    const { layers } = await readFrames([
      [0, frame(0, BINARY, HI)],
      [0, frame(0, PING, '12')],
      [1, frame(1, TEXT, '{}')],
      [1, frame(1, TEXT, 'no')],
    ]);
    expect([layers.websocket, layers.message, layers['other-bodies']]).toEqual([6 + 8 + 2 + 2, 4 + 2, 2]);
  });

  test.each<[string, Uint8Array]>([
    ['a reserved bit', frame(1, BINARY, HO, { rsv: 1 })],
    ['compression that was not agreed on', frame(1, BINARY, HO, RSV1)],
    ['an unknown opcode', frame(1, 3, HO)],
    ['a fragmented ping', frame(1, PING, '', { fin: false })],
    ['a long ping', frame(1, PING, 'x'.repeat(126))],
    ['a server that masks', frame(0, BINARY, HO)],
    ['a length beyond 63 bits', bytes([0x82, 127, 255, 255, 255, 255, 255, 255, 255, 255])],
  ])('%s is a fault; reading continues where frames follow one another', async (_, fault) => {
    const rest = [frame(1, BINARY, HI), frame(1, BINARY, HO), frame(1, BINARY, HI), frame(1, CLOSE, '')] as const;
    const { messages, codes } = await readFrames([
      [1, frame(1, BINARY, HO)],
      [1, fault],
      ...rest.map((one) => [1, one] as const),
    ]);
    expect(messages).toEqual(['\n\x02ho', '\n\x02hi', '\n\x02ho', '\n\x02hi'].map(told));
    expect(codes).toEqual(['websocket/resynchronised']);
  });

  test.each<[string, readonly Uint8Array[], readonly string[], readonly string[]]>([
    [
      'a message that another one interrupts',
      [frame(1, BINARY, HI, { fin: false }), frame(1, BINARY, HO)],
      ['\n\x02ho'],
      ['websocket/incomplete'],
    ],
    ['a continuation of nothing', [frame(1, 0, HI), frame(1, BINARY, HO)], ['\n\x02ho'], ['websocket/no-beginning']],
    [
      'an end within a message',
      [frame(1, BINARY, HO), frame(1, BINARY, HI, { fin: false })],
      ['\n\x02ho'],
      ['websocket/incomplete'],
    ],
    [
      'an end within a frame',
      [frame(1, BINARY, HO), frame(1, BINARY, HI).subarray(0, 5)],
      ['\n\x02ho'],
      ['websocket/incomplete'],
    ],
  ])('%s is reported', async (_, frames, expected, expectedCodes) => {
    const { messages, codes } = await readFrames(frames.map((one) => [1, one] as const));
    expect(messages).toEqual(expected.map(told));
    expect(codes).toEqual(expectedCodes);
  });

  test('a message beyond the limit is passed over, in one frame or in several', async () => {
    const big = bytes([10, 100], 'x'.repeat(100));
    const frames = [
      frame(1, BINARY, big),
      frame(1, BINARY, HI),
      frame(1, BINARY, big.subarray(0, 50), { fin: false }),
      frame(1, 0, big.subarray(50)),
      frame(1, BINARY, HO),
    ];
    const { messages, codes } = await read([...handshake(), ...frames.map((one) => says(1, one))], { limit: 100 });
    expect(messages).toEqual([told('\n\x02hi'), told('\n\x02ho')]);
    expect(codes).toEqual(['websocket/too-large', 'websocket/too-large', 'websocket/no-beginning']);
  });

  test('frames that were captured before the answer wait for it', async () => {
    const [request, answer] = handshake();
    const sent = says(0, frame(0, BINARY, HI));
    expect((await read([request!, sent, answer!])).messages).toEqual([asked('\n\x02hi')]);
  });

  test('a refused upgrade leaves the connection to HTTP', async () => {
    const next = 'POST /a HTTP/1.1\r\nContent-Type: application/protobuf\r\nContent-Length: 4\r\n\r\n';
    const { messages } = await read([
      handshake()[0]!,
      says(1, 'HTTP/1.1 400 No\r\nContent-Length: 0\r\n\r\n'),
      says(0, next, HI),
    ]);
    expect(messages).toEqual(['http1 request POST /a: \n\x02hi']);
  });
});

describe('gaps', () => {
  const sent = ['one', 'two', 'three', 'four', 'five', 'six', 'seven'].map((text) => frame(1, BINARY, proto(text)));
  const texts = (messages: readonly string[]) => messages.map((message) => message.split('\n')[1]!.slice(1));

  test('inside a frame: the next one is read', async () => {
    const [one, two, ...rest] = sent;
    const { messages, codes } = await read([
      ...handshake(),
      says(1, one!, two!.subarray(0, 3)),
      loses(1, 2),
      says(1, two!.subarray(5), ...rest),
    ]);
    expect(texts(messages)).toEqual(['one', 'three', 'four', 'five', 'six', 'seven']);
    expect(codes).toEqual(['stream/hole', 'websocket/incomplete']);
  });

  test('over a header: reading continues at the next frame that others follow', async () => {
    const [one, two, three, ...rest] = sent;
    const { messages, codes } = await read([
      ...handshake(),
      says(1, one!),
      loses(1, two!.length + 2),
      says(1, three!.subarray(2), ...rest),
    ]);
    expect(texts(messages)).toEqual(['one', 'four', 'five', 'six', 'seven']);
    expect(codes).toEqual(['stream/hole', 'websocket/resynchronised']);
  });

  test('after a gap, a text and one header more are enough', async () => {
    const { messages } = await read([
      ...handshake(),
      loses(0, 10),
      says(0, frame(0, TEXT, '{"name":1}'), frame(0, BINARY, proto('seven'))),
    ]);
    expect(messages).toHaveLength(2);
  });

  test('fragments before and after a gap are not joined', async () => {
    const { messages, codes } = await read([
      ...handshake(),
      says(1, frame(1, BINARY, proto('abcdef').subarray(0, 4), { fin: false })),
      loses(1, 20),
      says(1, frame(1, 0, 'ef'), ...sent.slice(0, 4)),
    ]);
    expect(texts(messages)).toEqual(['one', 'two', 'three', 'four']);
    expect(codes).toEqual(['stream/hole', 'websocket/resynchronised', 'websocket/incomplete']);
  });
});

describe('permessage-deflate', () => {
  const payloads = [proto('abcabcabc'), proto('abcabcabcd'), bytes('{"a":"abcabcabc"}'), proto('abcabcabc')];
  const texts = (messages: readonly string[]) => messages.map((message) => message.slice(message.indexOf(': ') + 2));

  test.each([
    ['with context takeover', DEFLATE, true],
    ['without', `${DEFLATE}; client_no_context_takeover; server_no_context_takeover; server_max_window_bits=10`, false],
  ])('%s, with messages between that are not compressed', async (_, extensions, takesOver) => {
    const pack = [compressor(takesOver), compressor(takesOver)] as const;
    const frames = ([0, 1] as const).flatMap((side) => [
      ...payloads.map(
        (payload) => [side, frame(side, payload[0] === 10 ? BINARY : TEXT, pack[side](payload), RSV1)] as const,
      ),
      [side, frame(side, BINARY, proto('plain'))] as const,
      [side, frame(side, BINARY, pack[side](proto('abcabcabcd')), RSV1)] as const,
    ]);
    const { messages, codes, layers } = await readFrames(frames, extensions);
    const one = [...payloads.map(latin1), '\n\x05plain', '\n\x0aabcabcabcd'];
    expect(texts(messages)).toEqual([...one, ...one]);
    expect(codes).toEqual([]);
    expect(layers.message).toBe(14);
  });

  test('each side has its own parameters', async () => {
    const pack = [compressor(false), compressor(true)] as const;
    const frames = ([0, 1] as const).flatMap((side) =>
      payloads.map((payload) => [side, frame(side, BINARY, pack[side](payload), RSV1)] as const),
    );
    const { messages } = await readFrames(frames, `${DEFLATE}; client_no_context_takeover`);
    expect(messages.filter((message) => message.includes('abcabcabcd'))).toHaveLength(2);
  });

  test('a compressed message in fragments: only the first is marked', async () => {
    const packed = compressor(true)(payloads[0]!);
    const frames = [
      frame(0, BINARY, packed.subarray(0, 3), { rsv: 4, fin: false }),
      frame(0, 0, packed.subarray(3), { key: [7, 7, 7, 7] }),
    ];
    const { messages } = await readFrames(
      frames.map((one) => [0, one] as const),
      DEFLATE,
    );
    expect(texts(messages)).toEqual([latin1(payloads[0]!)]);
  });

  test('RFC 7692: a block marked as the last, with an empty one behind it, and a stored block', async () => {
    const hello = [0xf3, 0x48, 0xcd, 0xc9, 0xc9, 0x07, 0x00, 0x00];
    const stored = [0x00, 0x07, 0x00, 0xf8, 0xff, 10, 5, 0x48, 0x65, 0x6c, 0x6c, 0x6f, 0x00];
    const both = await readFrames(
      [
        [1, frame(1, BINARY, bytes(hello), RSV1)],
        [1, frame(1, BINARY, bytes(stored), RSV1)],
      ],
      DEFLATE,
    );
    expect(texts(both.messages)).toEqual(['\n\x05Hello']);
    expect(both.layers['other-bodies']).toBe(hello.length);
  });

  test('after a gap, messages that copy from lost ones are reported; one that does not is read, and the next', async () => {
    const pack = compressor(true);
    const [a, b, c] = payloads.map((payload) => frame(1, BINARY, pack(payload), RSV1));
    const fresh = compressor(true);
    const alone = [fresh(payloads[0]!), fresh(payloads[1]!)].map((packed) => frame(1, BINARY, packed, RSV1));
    const { messages, diagnostics } = await read([
      ...handshake(DEFLATE),
      says(1, a!.subarray(0, 2)),
      loses(1, a!.length - 2),
      says(1, b!, c!, ...alone),
    ]);
    expect(texts(messages)).toEqual([latin1(payloads[0]!), latin1(payloads[1]!)]);
    expect(diagnostics.filter(({ code }) => code === 'compression/missing')).toHaveLength(2);
    expect(diagnostics.find(({ code }) => code === 'compression/missing')!.message).toContain(
      'copies from messages before it',
    );
  });
});

/** A conversation as both sides mean it: messages in frames, with pings between, compressed or not. */
const message = fc.record({
  side: fc.constantFrom<Side>(0, 1),
  // A page or a text of JSON behind white space, which a tag and a length may be, is not a message.
  text: fc.string({ minLength: 1, maxLength: 40 }).map((text) => text.replace(/[^ -~]|[<{[]/g, 'x')),
  repeats: fc.integer({ min: 1, max: 3 }),
  isPacked: fc.boolean(),
  parts: fc.integer({ min: 1, max: 3 }),
  pings: fc.boolean(),
  key: fc.array(fc.nat(255), { minLength: 4, maxLength: 4 }),
});
type Meant = typeof message extends fc.Arbitrary<infer T> ? T : never;

function play(
  meant: readonly Meant[],
  takesOver: boolean,
): { frames: (readonly [Side, Uint8Array])[]; payloads: string[] } {
  const pack = [compressor(takesOver), compressor(takesOver)] as const;
  const frames: (readonly [Side, Uint8Array])[] = [];
  const payloads: string[] = [];
  for (const { side, text, repeats, isPacked, parts, pings, key } of meant) {
    const payload = proto(text.repeat(repeats));
    payloads.push(`${side} ${latin1(payload)}`);
    const data = isPacked ? pack[side](payload) : payload;
    const size = Math.ceil(data.length / parts);
    for (let at = 0; at < parts; at++) {
      const part = data.subarray(at * size, (at + 1) * size);
      const kind = { fin: at === parts - 1, rsv: isPacked && at === 0 ? 4 : 0, key };
      frames.push([side, frame(side, at === 0 ? BINARY : 0, part, kind)]);
      if (pings) frames.push([side, frame(side, PING, 'p', { key })]);
    }
  }
  return { frames, payloads };
}

const extensionsOf = (takesOver: boolean) =>
  takesOver ? DEFLATE : `${DEFLATE}; client_no_context_takeover; server_no_context_takeover`;

describe('random conversations', () => {
  const conversation = fc.tuple(fc.array(message, { minLength: 1, maxLength: 12 }), fc.boolean());
  const sided = (messages: readonly string[]): readonly string[] =>
    messages.map((one) => `${one.includes('request') ? 0 : 1} ${one.slice(one.indexOf(': ') + 2)}`);

  test('are read as they were meant, for any segmentation and chunking', async () => {
    await fc.assert(
      fc.asyncProperty(
        conversation,
        fc.integer({ min: 1, max: 60 }),
        fc.integer({ min: 1, max: 5000 }),
        async ([meant, takesOver], segment, chunkBytes) => {
          const { frames, payloads } = play(meant, takesOver);
          const sayings = [...handshake(extensionsOf(takesOver)), ...frames.map(([side, one]) => says(side, one))];
          const { messages, codes } = await read(sayings, { segment, chunkBytes });
          expect(sided(messages)).toEqual(payloads);
          expect(codes).toEqual([]);
        },
      ),
      { numRuns: 150 },
    );
  });

  test('with lost bytes give no message that was not sent, and each once', async () => {
    const cut = fc.record({
      at: fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
      size: fc.integer({ min: 1, max: 80 }),
    });
    await fc.assert(
      fc.asyncProperty(
        conversation,
        fc.array(cut, { minLength: 1, maxLength: 4 }),
        async ([meant, takesOver], cuts) => {
          const { frames, payloads } = play(meant, takesOver);
          const total = frames.reduce((sum, [, { length }]) => sum + length, 0);
          const holes = cuts.map(({ at, size }) => ({
            from: Math.floor(at * total),
            to: Math.floor(at * total) + size,
          }));
          const sayings: Saying[] = [...handshake(extensionsOf(takesOver))];
          let at = 0;
          for (const [side, one] of frames) {
            for (const byte of one) {
              const lost = holes.some(({ from, to }) => at >= from && at < to);
              at++;
              const last = sayings.at(-1)!;
              if (sayings.length > 2 && last.side === side && (last.lost ?? false) === lost)
                sayings[sayings.length - 1] = { ...last, bytes: bytes(last.bytes, [byte]) };
              else sayings.push(lost ? loses(side, 1) : says(side, [byte]));
            }
          }
          const { messages } = await read(sayings);
          const left = [...payloads];
          for (const one of sided(messages)) {
            const index = left.indexOf(one);
            expect(index, one).toBeGreaterThanOrEqual(0);
            left.splice(index, 1);
          }
        },
      ),
      { numRuns: 200 },
    );
  });
});

function latin1(data: Uint8Array): string {
  return Buffer.from(data).toString('latin1');
}

function varint(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...varint(value >> 7)];
}
