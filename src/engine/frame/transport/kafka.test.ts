import { describe, expect, test } from 'vitest';
import { latin1 } from '../../bytes/latin1.ts';
import { bytes, int, loses, read, says } from '../conversation.testing.ts';

const i16 = (value: number): number[] => [(value >> 8) & 255, value & 255];
const framed = (...parts: readonly (string | readonly number[] | Uint8Array)[]): Uint8Array => {
  const frame = bytes(...parts);
  return bytes(int(frame.length), frame);
};

const Api = { PRODUCE: 0, FETCH: 1, METADATA: 3, API_VERSIONS: 18, UNKNOWN: 200 };

/** Tagged fields stand behind the client id of a flexible version. */
const request = (id: number, key: number, version: number, body: string, tags: readonly number[] = []): Uint8Array =>
  framed(i16(key), i16(version), int(id), i16(6), 'client', tags, body);
const response = (id: number, body: string, tags: readonly number[] = []): Uint8Array => framed(int(id), tags, body);

describe('Kafka', () => {
  test.each([
    [
      'a request and its response, before there were tagged fields',
      [says(0, request(1, Api.METADATA, 7, 'ask')), says(1, response(1, 'answer'))],
      ['request Metadata: ask', 'response Metadata: answer'],
    ],
    [
      'flexible versions have tagged fields in both headers',
      [says(0, request(1, Api.METADATA, 12, 'ask', [0])), says(1, response(1, 'answer', [0]))],
      ['request Metadata: ask', 'response Metadata: answer'],
    ],
    [
      'a tagged field that no version has',
      [says(0, request(1, Api.METADATA, 12, 'ask', [1, 9, 2, 7, 7])), says(1, response(1, 'answer', [0]))],
      ['request Metadata: ask', 'response Metadata: answer'],
    ],
    [
      'ApiVersions answers without tagged fields',
      [says(0, request(1, Api.API_VERSIONS, 4, 'ask', [0])), says(1, response(1, 'answer'))],
      ['request ApiVersions: ask', 'response ApiVersions: answer'],
    ],
    [
      'the newest version of ApiVersions',
      [says(0, request(1, Api.API_VERSIONS, 5, 'ask', [0])), says(1, response(1, 'answer'))],
      ['request ApiVersions: ask', 'response ApiVersions: answer'],
    ],
    [
      'a version of ApiVersions that is newer, from a client that has newer ones',
      [
        says(0, request(1, Api.API_VERSIONS, 7, 'ask', [0])),
        says(1, response(1, 'answer')),
        says(0, request(2, Api.METADATA, 7, 'm')),
        says(1, response(2, 'x')),
      ],
      ['request ApiVersions v7: ask', 'response ApiVersions v7: answer', 'request Metadata: m', 'response Metadata: x'],
    ],
    [
      'a client without an id',
      [
        says(0, framed(i16(Api.METADATA), i16(7), int(1), i16(-1), 'ask'), request(2, Api.METADATA, 7, 'more')),
        says(1, response(1, 'a'), response(2, 'b')),
      ],
      ['request Metadata: ask', 'request Metadata: more', 'response Metadata: a', 'response Metadata: b'],
    ],
    [
      'a client whose id is empty',
      [says(0, framed(i16(Api.METADATA), i16(7), int(1), i16(0), 'ask')), says(1, response(1, 'answer'))],
      ['request Metadata: ask', 'response Metadata: answer'],
    ],
    [
      'a request without an answer, as Produce without acknowledgement',
      [says(0, request(1, Api.PRODUCE, 7, 'p'), request(2, Api.METADATA, 7, 'm')), says(1, response(2, 'answer'))],
      ['request Produce: p', 'request Metadata: m', 'response Metadata: answer'],
    ],
    [
      'versions and APIs that are not known are named by number',
      [
        says(
          0,
          request(1, Api.METADATA, 7, 'm'),
          request(2, Api.FETCH, 99, 'f', [0]),
          request(3, Api.UNKNOWN, 1, 'u', [0]),
        ),
        says(1, response(1, 'x'), response(2, 'y', [0]), response(3, 'z', [0])),
      ],
      [
        'request Metadata: m',
        'request Fetch v99: f',
        'request API 200 v1: u',
        'response Metadata: x',
        'response Fetch v99: y',
        'response API 200 v1: z',
      ],
    ],
  ])('%s', async (_name, sayings, expected) => {
    for (const segment of [1, 7, 1460]) {
      const { messages, codes, layers } = await read(sayings, { segment });
      expect(messages.toSorted()).toEqual(expected.map((line) => `kafka ${line}`).toSorted());
      expect(codes).toEqual([]);
      expect(layers.unattributed + layers.incomplete).toBe(0);
    }
  });

  test('a response captured before its request waits for it', async () => {
    const first = request(1, Api.METADATA, 7, 'first');
    const late = request(2, Api.FETCH, 11, 'late');
    const { messages } = await read([says(0, first), says(1, response(2, 'early')), says(0, late)]);
    expect(messages).toEqual([
      'kafka request Metadata: first',
      'kafka request Fetch: late',
      'kafka response Fetch: early',
    ]);
  });

  test('responses from the middle of a connection, before the first request', async () => {
    // The versions of APIs look like a header of HTTP/2.
    const versions = Array.from({ length: 50 }, (_, key) => [...i16(key), ...i16(0), ...i16(key % 12)]).flat();
    for (const segment of [20, 1460]) {
      const { messages, layers } = await read(
        [
          says(1, response(1, latin1(bytes(versions)))),
          says(1, response(2, 'second')),
          says(0, request(3, Api.METADATA, 7, 'ask')),
          says(1, response(3, 'third')),
        ],
        { whole: false, segment },
      );
      expect(messages.map((line) => line.slice(0, 30).trim())).toContain('kafka response Metadata: third');
      expect([messages.length, layers.unattributed, layers.incomplete]).toEqual([4, 0, 0]);
    }
  });

  test('from the middle of a response, reading begins at the next one that was asked for', async () => {
    const { messages, layers } = await read(
      [
        says(0, request(3, Api.METADATA, 7, 'ask')),
        says(1, [11, 255, 255, 255, 0, 0, 0, 7], 'the rest', response(3, 'answer')),
      ],
      { whole: false },
    );
    expect(messages).toEqual(['kafka request Metadata: ask', 'kafka response Metadata: answer']);
    expect(layers.unattributed).toBe(16);
  });

  test('within a response to a request that is not recognised, reading begins at the next one that was asked for', async () => {
    // From its middle, it looks like a frame of 260 bytes.
    const unknown = response(1, '\0\0\x01\0'.repeat(8));
    const { messages, layers } = await read([
      says(0, request(1, Api.METADATA, 200, 'unknown')),
      says(1, unknown.subarray(0, 20)),
      says(0, request(2, Api.METADATA, 7, 'ask')),
      says(1, unknown.subarray(20), response(2, 'answer')),
    ]);
    expect(messages).toEqual(['kafka request Metadata: ask', 'kafka response Metadata: answer']);
    expect(layers.incomplete).toBe(0);
  });

  test('a gap inside a request loses that frame; its response still has a name', async () => {
    const long = request(1, Api.FETCH, 11, 'x'.repeat(100));
    const { messages, codes } = await read([
      says(0, long.subarray(0, 70)),
      loses(0, 20),
      says(0, long.subarray(90), request(2, Api.METADATA, 7, 'next')),
      says(1, response(1, 'answer')),
    ]);
    expect(messages).toEqual(['kafka response Fetch: answer', 'kafka request Metadata: next']);
    expect(codes).toEqual(['stream/hole', 'kafka/incomplete']);
  });

  test('after a gap over the end of a frame, reading continues at the next request or its response', async () => {
    const long = request(1, Api.FETCH, 11, 'x'.repeat(100));
    const { messages, codes } = await read([
      says(0, long.subarray(0, 70)),
      loses(0, 200),
      says(0, 'yyyy yyyy', request(2, Api.METADATA, 7, 'next')),
      says(1, response(1, 'z'.repeat(60)).subarray(0, 40)),
      loses(1, 100),
      says(1, 'yyyyy', response(2, 'answer')),
    ]);
    expect(messages).toEqual(['kafka request Metadata: next', 'kafka response Metadata: answer']);
    expect(codes).toContain('kafka/resynchronised');
  });

  test.each([
    ['size-prefixed bytes of something else', framed([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15])],
    [
      'a ZooKeeper session, which begins with zeros',
      framed(int(0), int(0), int(0), int(30_000), int(0), int(0), int(16), int(0), int(0), int(0), int(0)),
    ],
    ['a ZooKeeper request', framed(int(1), int(3), int(0x70_0000), i16(0), 'some path')],
    ['an unknown version on the first request', request(1, Api.METADATA, 200, 'ask')],
    ['a client id with control characters', framed(i16(Api.METADATA), i16(7), int(1), i16(3), [7, 8, 9], 'ask')],
    ['a client id longer than its frame', framed(i16(Api.METADATA), i16(7), int(1), i16(60), 'ask')],
  ])('%s is not Kafka', async (_name, said) => {
    expect((await read([says(0, said)])).messages.filter((line) => line.startsWith('kafka'))).toEqual([]);
  });

  test('a response to an unsupported version is read as version 0', async () => {
    const refused = framed(int(1), i16(35), 'rest');
    const { messages } = await read([says(0, request(1, Api.API_VERSIONS, 4, 'ask', [0])), says(1, refused)]);
    expect(messages).toEqual(['kafka request ApiVersions: ask', 'kafka response ApiVersions: \0#rest']);
  });
});
