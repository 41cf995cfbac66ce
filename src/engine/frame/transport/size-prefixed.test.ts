import { describe, expect, test } from 'vitest';
import { bytes, int, loses, read, says, short } from '../conversation.testing.ts';

describe('size-prefixed protobuf', () => {
  /** Field 1 a varint, field 2 text. */
  const message = (text: string): Uint8Array => bytes([8, text.length, 0x12], short(text));
  const texts = ['first', 'the second one', 'third', 'fourth'];
  const behind = (prefix: (size: number) => readonly number[]): Uint8Array =>
    bytes(...texts.flatMap((text) => [prefix(message(text).length), message(text)]));
  const expected = (id: string): string[] =>
    texts.map((text) => `${id}: ${Buffer.from(message(text)).toString('latin1')}`);

  test.each<[string, (size: number) => readonly number[]]>([
    ['tcp-varint', (size) => [size]],
    ['tcp-4be', (size) => int(size)],
    ['tcp-4le', (size) => int(size).reverse()],
    ['tcp-2be', (size) => [0, size]],
    ['tcp-2le', (size) => [size, 0]],
  ])('%s', async (id, prefix) => {
    for (const segment of [1, 7, 1460]) {
      const { messages, layers } = await read([says(0, behind(prefix)), says(1, behind(prefix))], { segment });
      expect(messages.toSorted()).toEqual([...expected(id), ...expected(id)].sort());
      expect(layers.unattributed).toBe(0);
    }
  });

  test.each([[[0x08]], [[0x10]], [[0x18]], [[0]], [[8, 1]], [[8, 16, 24]], [[10, 0]], [[2, 8, 1]], [[4, 0, 8, 1]]])(
    'a short pattern repeated is not evidence: %j',
    async (pattern) => {
      const said = Uint8Array.from({ length: 6000 }, (_, at) => pattern[at % pattern.length]!);
      const { messages, layers } = await read([says(0, said), says(1, said)]);
      expect([messages, layers.unattributed]).toEqual([[], 12_000]);
    },
  );

  test('a gap inside a message loses that message; the next is read', async () => {
    const said = bytes(
      behind((size) => [size]),
      [101],
      message('x'.repeat(97)).subarray(0, 50),
    );
    const after = bytes(message('x'.repeat(97)).subarray(60), [message('next').length], message('next'));
    const { messages, codes } = await read([says(0, said), loses(0, 10), says(0, after)]);
    expect(messages.at(-1)).toContain('next');
    expect(messages.length).toBe(texts.length + 1);
    expect(codes).toEqual(['stream/hole', 'size-prefix/incomplete']);
  });

  test('a direction that no longer looks like messages is not read further', async () => {
    const { messages, codes, layers } = await read([
      says(
        0,
        behind((size) => [size]),
        [4, 0, 0, 0, 0],
        'more',
      ),
    ]);
    expect(messages.length).toBe(texts.length);
    expect([codes, layers.unattributed]).toEqual([['size-prefix/lost'], 9]);
  });
});

describe('a framing that a person describes', () => {
  const described = 'le32 [1 message 2]';
  /** A size that counts a type, the message and a checksum. */
  const frame = (message: Uint8Array): Uint8Array => bytes([message.length + 3, 0, 0, 0, 7], message, [0xaa, 0xbb]);
  const ONE = bytes([8, 1]);
  const TEXT = bytes([0x12], short('text'));
  const NONE = new Uint8Array(0);
  const named = (...messages: readonly Uint8Array[]): string[] =>
    messages.map((message) => `${described}: ${Buffer.from(message).toString('latin1')}`);

  test('messages of any shape, empty ones and a single one', async () => {
    for (const segment of [1, 7, 1460]) {
      const said = bytes(frame(ONE), frame(TEXT), frame(NONE), frame(TEXT));
      const { messages, codes, layers } = await read([says(0, said), says(1, frame(TEXT))], { described, segment });
      expect(messages.toSorted()).toEqual(named(ONE, TEXT, NONE, TEXT, TEXT).sort());
      expect(codes).toEqual([]);
      expect([layers.message, layers['size-prefix'], layers.unattributed]).toEqual([20, 5 * 7, 0]);
    }
  });

  test('once it is recognised, any bytes are a message', async () => {
    const { messages, codes } = await read(
      [says(0, frame(ONE), frame(TEXT), frame(NONE), frame(bytes([0xff])), frame(ONE))],
      { described },
    );
    expect(messages).toEqual(named(ONE, TEXT, NONE, bytes([0xff]), ONE));
    expect(codes).toEqual([]);
  });

  test('bytes that do not follow it are named, and other transports are read as ever', async () => {
    const request = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';
    const http = await read([says(0, request)], { described });
    expect(http).toEqual(await read([says(0, request)]));
    const other = bytes([1, 2, 3, 4], 'and more', [0, 200]);
    const { messages, layers } = await read([says(0, other)], { described });
    expect([messages, layers.unattributed]).toEqual([[], other.length]);
  });

  test('a gap inside a message loses that message; the next is read', async () => {
    const long = frame(bytes([0x12], short('x'.repeat(90))));
    const { messages, codes } = await read(
      [
        says(0, frame(ONE), frame(ONE), frame(ONE), long.subarray(0, 40)),
        loses(0, 30),
        says(0, long.subarray(70), frame(TEXT)),
      ],
      { described },
    );
    expect(messages).toEqual(named(ONE, ONE, ONE, TEXT));
    expect(codes).toEqual(['stream/hole', 'size-prefix/incomplete']);
  });

  test('a first message that is larger than what is kept of an unknown connection', async () => {
    const large = bytes([0x12, 0x80, 0x80, 8], new Uint8Array(1 << 17));
    const said = bytes(
      [(large.length + 3) & 255, ((large.length + 3) >>> 8) & 255, (large.length + 3) >>> 16, 0, 7],
      large,
      [1, 2],
    );
    const { messages, layers } = await read([says(0, said, frame(ONE))], { described });
    expect([messages.length, layers.message, layers.unattributed]).toEqual([2, large.length + 2, 0]);
  });

  test('constant bytes that are others end a direction', async () => {
    const said = bytes([0xca, 0xfe, 2], ONE, [0xca, 0xfe, 2], ONE, [0xca, 0xfe, 2], ONE, [0xca, 0xff, 2], ONE);
    const { messages, codes, layers } = await read([says(0, said)], { described: '0xcafe u8 message' });
    expect(messages).toHaveLength(3);
    expect([codes, layers.unattributed]).toEqual([['size-prefix/lost'], 5]);
  });
});
