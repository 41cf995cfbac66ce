import { deflateRawSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { bytes, int, loses, read, says, short } from '../conversation.testing.ts';
import { printWireVersion } from './opensearch.ts';

describe('OpenSearch', () => {
  const frame = (id: number, status: number, header: readonly number[], body: Uint8Array | string): Uint8Array => {
    const content = typeof body === 'string' ? bytes(body) : body;
    return bytes(
      'ES',
      int(17 + header.length + content.length),
      int(0),
      int(id),
      [status],
      int(0x08216bdb),
      int(header.length),
      header,
      content,
    );
  };
  const request = (id: number, action: string, body: Uint8Array | string, status = 0): Uint8Array =>
    frame(id, status, [1, ...short('X-Opaque-Id'), ...short('me'), 0, 0, ...short(action)], body);
  const response = (id: number, body: Uint8Array | string, status = 1): Uint8Array => frame(id, status, [0, 0], body);
  const ping = bytes('ES', [255, 255, 255, 255]);
  const dfl = (text: string): Uint8Array => bytes('DFL\0', deflateRawSync(text));

  test.each([
    [
      'a request and its response',
      [says(0, request(7, 'a:b', 'ask')), says(1, response(7, 'answer'))],
      ['request a:b: ask', 'response a:b ok: answer'],
    ],
    [
      'pings between',
      [says(0, ping, request(7, 'a:b', 'ask'), ping), says(1, ping, response(7, ''))],
      ['request a:b: ask', 'response a:b ok: '],
    ],
    [
      'the handshake of a new connection',
      [
        says(0, request(1, 'internal:tcp/handshake', 'v', 8)),
        says(1, response(1, 'w', 9)),
        says(0, request(2, 'a', 'ask')),
      ],
      ['request internal:tcp/handshake: v', 'response internal:tcp/handshake ok: w', 'request a: ask'],
    ],
    [
      'an error',
      [says(0, request(7, 'a:b', 'ask')), says(1, response(7, 'why', 3))],
      ['request a:b: ask', 'response a:b error: why'],
    ],
    [
      'compressed',
      [says(0, request(7, 'a:b', dfl('ask'), 4)), says(1, response(7, dfl('answer'), 5))],
      ['request a:b: ask', 'response a:b ok: answer'],
    ],
    [
      'both sides ask under the same id',
      [
        says(0, request(7, 'a', '1')),
        says(1, request(7, 'b', '2')),
        says(0, response(7, '3')),
        says(1, response(7, '4')),
      ],
      ['request a: 1', 'request b: 2', 'response b ok: 3', 'response a ok: 4'],
    ],
    ['a response whose request was never captured', [says(1, response(9, 'answer'))], ['response ok: answer']],
    [
      'a response captured before its request',
      [says(1, response(7, 'answer')), says(0, request(7, 'a:b', 'ask'))],
      ['request a:b: ask', 'response a:b ok: answer'],
    ],
  ])('%s', async (_name, sayings, expected) => {
    for (const segment of [1, 7, 1460]) {
      const { messages, codes, layers } = await read(sayings, { segment });
      expect(messages).toEqual(expected.map((line) => `opensearch ${line}`));
      expect(codes).toEqual([]);
      expect(layers.unattributed + layers.incomplete).toBe(0);
    }
  });

  test('a gap inside a body loses that frame; the next is read', async () => {
    const long = request(1, 'a:b', 'x'.repeat(100));
    const { messages, codes } = await read([
      says(0, long.subarray(0, 70)),
      loses(0, 20),
      says(0, long.subarray(90), request(2, 'c:d', 'next')),
      says(1, response(1, 'answer')),
    ]);
    expect(messages).toEqual(['opensearch response a:b ok: answer', 'opensearch request c:d: next']);
    expect(codes).toEqual(['stream/hole', 'opensearch/incomplete']);
  });

  test('after a gap over the end of a frame, reading continues at the next marker', async () => {
    const long = request(1, 'a:b', 'x'.repeat(100));
    const { messages, codes } = await read([
      says(0, long.subarray(0, 70)),
      loses(0, 200),
      says(0, 'yyyyES yyyy', request(2, 'c:d', 'next')),
    ]);
    expect(messages).toEqual(['opensearch request c:d: next']);
    expect(codes).toEqual(['stream/hole', 'opensearch/incomplete', 'opensearch/resynchronised']);
  });

  test('captured from the middle of a frame', async () => {
    const { messages, layers } = await read([says(0, 'rest of a frame', request(2, 'c:d', 'next'))], { whole: false });
    expect(messages).toEqual(['opensearch request c:d: next']);
    expect(layers.unattributed).toBe(15);
  });

  test('the fixed header of a frame is not evidence: an executable can contain it by chance', async () => {
    const chance = bytes(
      'BINRES',
      int(4000),
      int(0),
      int(3),
      [0],
      int(0x08216bdb),
      int(5),
      'other bytes',
      'x'.repeat(5000),
    );
    const { messages, codes } = await read([says(0, 'MZ', chance), says(0, chance)]);
    expect([messages, codes]).toEqual([[], ['frame/unread']]);
  });

  test('a capture that ends within a frame', async () => {
    const { messages, codes } = await read([says(0, request(1, 'a', '1'), request(2, 'b', 'xxxx').subarray(0, -2))]);
    expect(messages).toEqual(['opensearch request a: 1']);
    expect(codes).toEqual(['opensearch/incomplete']);
  });

  test.each([
    ['1.3.20', 135_249_827],
    ['2.12.0', 136_337_827],
    ['2.19.2', 0x08216bdb],
    ['3.0.0', 137_217_827],
    ['7.10.2', 7_100_299],
  ])('version %s', async (version, id) => {
    const said = bytes('ES', int(17 + 5 + 4), int(0), int(3), [0], int(id), int(5), [0, 0, 0], short('a'), 'body');
    expect(printWireVersion(id)).toBe(version);
    expect((await read([says(0, said)])).messages).toEqual(['opensearch request a: body']);
  });

  test.each<[string, number, readonly number[]]>([
    ['another first letter', 0, [0x58]],
    ['another second letter', 1, [0x58]],
    ['a length above 1 GiB', 2, int(2 ** 30 + 1)],
    ['a status of five bits', 14, [16]],
    ['a version before 1.0', 15, int(999_999)],
    ['a version from 10.0 on', 15, int(10_000_000)],
    ['a header longer than the frame', 19, int(27)],
  ])('frames that have %s are not read', async (_name, at, other) => {
    const odd = request(1, 'a:b', 'ask');
    odd.set(other, at);
    const { messages, codes } = await read([says(0, odd, odd)]);
    expect([messages, codes]).toEqual([[], ['frame/unread']]);
  });

  test('before 7.6 there is no variable header', async () => {
    const old = bytes('ES', int(13 + 4), int(0), int(3), [0], int(7_050_099), 'body');
    expect((await read([says(0, old)])).messages).toEqual(['opensearch request: body']);
  });

  test.each([
    ['a body that is not deflate', [says(0, request(1, 'a', bytes('DFL\0', [7, 7, 7]), 4))], 'compression/malformed'],
    ['a body larger than the limit', [says(0, request(1, 'a', dfl('x'.repeat(10_000)), 4))], 'compression/limit'],
    ['a frame larger than the limit', [says(0, request(1, 'a', 'x'.repeat(2000)))], 'opensearch/too-large'],
    ['an invalid header', [says(0, frame(1, 0, [9, 9, 9], 'body'))], 'opensearch/header'],
  ])('%s is reported', async (_name, sayings, code) => {
    expect((await read([...sayings, says(0, request(2, 'b', 'next'))], { limit: 1500 })).codes).toContain(code);
  });
});
