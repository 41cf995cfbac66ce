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
