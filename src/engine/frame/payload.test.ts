import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { gzipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { AbortError, bytesSource, readChunks, type Source } from '../bytes/source.ts';
import { FRAMINGS, judgeFramings } from './framing/framings.ts';
import type { Message } from './message.ts';
import { decodeText, readFramed, readPayloads } from './payload.ts';
import { plausibleMessage } from './plausible-message.ts';
import { readBody } from './read-body.ts';
import { openCompressed } from './transport/grpc-body.ts';

for (const { load } of FRAMINGS) await load?.();

const fixture = (name: string): Uint8Array =>
  new Uint8Array(readFileSync(new URL(`../../../fixtures/input/${name}`, import.meta.url)));
const bytesOf = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex.replace(/\s/g, ''), 'hex'));
const concat = (...parts: readonly Uint8Array[]): Uint8Array => Uint8Array.from(Buffer.concat(parts));

const fixed = (bytes: number, little: boolean) => (size: number) => {
  const prefix = Buffer.alloc(bytes);
  if (little) prefix.writeUIntLE(size, 0, bytes);
  else prefix.writeUIntBE(size, 0, bytes);
  return prefix;
};
const varint = (size: number): Uint8Array =>
  size < 128 ? Uint8Array.of(size) : concat(Uint8Array.of((size & 127) | 128), varint(Math.floor(size / 128)));
const PREFIX: Readonly<Record<string, (size: number) => Uint8Array>> = {
  varint,
  be32: fixed(4, false),
  le32: fixed(4, true),
  be16: fixed(2, false),
  le16: fixed(2, true),
  grpc: (size) => concat(Uint8Array.of(0), fixed(4, false)(size)),
};
const stream = (framing: string, payloads: readonly Uint8Array[]): Uint8Array =>
  concat(...payloads.flatMap((payload) => [PREFIX[framing]!(payload.length), payload]));

interface Read {
  readonly messages: readonly { readonly message: Message; readonly payload: string }[];
  readonly facts: ReturnType<ReturnType<(typeof FRAMINGS)[number]['create']>['facts']>;
}

/** Pushes `input` cut at the given places. */
function push(framing: string, input: Uint8Array, cuts: readonly number[] = []): Read {
  const framer = FRAMINGS.find(({ id }) => id === framing)!.create(input.length);
  const messages: { message: Message; payload: string }[] = [];
  const ends = [...new Set(cuts.map((cut) => cut % (input.length + 1)))].sort((a, b) => a - b);
  let start = 0;
  for (const end of [...ends, input.length]) {
    // A borrowed chunk is overwritten after the call, so that keeping it shows.
    const chunk = input.slice(start, end);
    framer.push(chunk, end === input.length, (message, payload) =>
      messages.push({ message, payload: Buffer.from(payload).toString('hex') }),
    );
    chunk.fill(0xee);
    if (end === input.length) break;
    start = end;
  }
  return { messages, facts: framer.facts() };
}

const SINGLES = [
  'codecfixture.rw1.binpb',
  'codecfixture.rw2.binpb',
  'apm-heavy-error-0.binpb',
  '03-ExportLogsServiceRequest.binpb',
  'vitess-c00-00008-request.binpb',
  'opensearch-10.typed.bin',
];

describe('detection', () => {
  test.each(SINGLES)('%s is one message', (name) => {
    const input = fixture(name);
    const [best, second] = judgeFramings(input, input.length);
    expect(best!.id).toBe('single');
    expect(best!.score - second!.score).toBeGreaterThan(0.2);
  });

  test.each([
    ['apm-metricsets.delim.binpb', 6],
    ['apm-fullevent.delim.binpb', 1],
  ])('%s is varint-prefixed', async (name, messages) => {
    const facts = await readPayloads(bytesSource(name, fixture(name)), {}, () => {});
    expect(facts).toMatchObject({
      textEncoding: { id: 'binary' },
      framing: { id: 'varint' },
      messages,
      diagnostics: [],
    });
  });

  test.each(Object.keys(PREFIX))('recorded messages, framed as %s', (framing) => {
    for (let first = 0; first < SINGLES.length; first++) {
      for (const count of [1, 2, 4]) {
        const payloads = Array.from({ length: count }, (_, n) => fixture(SINGLES[(first + n) % SINGLES.length]!));
        const input = stream(framing, payloads);
        expect(judgeFramings(input, input.length)[0], `${count} from ${SINGLES[first]}`).toMatchObject({ id: framing });
      }
    }
  });

  test('text is not taken for messages', () => {
    let state = 3;
    for (let n = 0; n < 200; n++) {
      const letters = Uint8Array.from({ length: 12 + ((n * 37) % 900) }, () => {
        state = (Math.imul(state, 1103515245) + 12345) >>> 0;
        return 0x61 + ((state >>> 16) % 26);
      });
      expect(judgeFramings(letters, letters.length)[0]?.id).toBe('none');
    }
  });

  test('a large stream is detected by its beginning', () => {
    const input = stream('varint', Array(2000).fill(fixture('apm-heavy-error-0.binpb')));
    expect(judgeFramings(input.subarray(0, 4096), input.length)[0]).toMatchObject({ id: 'varint' });
    const one = fixture('03-ExportLogsServiceRequest.binpb');
    expect(judgeFramings(one.subarray(0, 1000), one.length)[0]).toMatchObject({ id: 'single' });
  });

  test('a truncated stream is still detected', () => {
    const input = stream('varint', Array(9).fill(fixture('apm-heavy-error-0.binpb')));
    expect(judgeFramings(input.subarray(0, -10), input.length - 10)[0]).toMatchObject({ id: 'varint' });
  });

  test.each([
    ['the example of the encoding guide', '08 96 01'],
    ['one text', '0a 03 66 6f 6f'],
    ['cut off', '0a 05 66 6f'],
    ['bytes that are not protobuf', 'ff ff ff ff ff ff'],
    ['zeros, which pass for prefixes of empty messages', '00'.repeat(40)],
    ['a few zeros', '00 00 00 00'],
    [
      'bytes that pass for prefixes up to the last',
      `${'05 0a 03 66 6f 6f '.repeat(2)}${'04 ff ff ff ff '.repeat(8)}7f 00`,
    ],
  ])('%s is one message', (_, hex) => {
    expect(judgeFramings(bytesOf(hex), bytesOf(hex).length)[0]).toMatchObject({ id: 'single' });
  });

  test.each([
    ['empty messages', () => [0x0a, 0]],
    ['small numbers', () => [8, 1]],
    ['flags of either value', (n: number) => [8, (n * 7 + (n >> 3)) & 1]],
  ])('a list of tiny records is one message: %s', (_, record) => {
    const input = Uint8Array.from(Array.from({ length: 20_000 }, (_, n) => record(n)).flat());
    expect(judgeFramings(input.subarray(0, 16_384), input.length)[0]).toMatchObject({ id: 'single' });
    expect(judgeFramings(input, input.length)[0]).toMatchObject({ id: 'single' });
  });

  test('tiny messages whose sizes pass for fields are still messages', () => {
    const input = Uint8Array.from(
      Array.from({ length: 3000 }, (_, n) => [8, 0, 8, 1 + (n % 99), 18, 4, 65, 66, 67, 68]).flat(),
    );
    expect(judgeFramings(input, input.length)[0]).toMatchObject({ id: 'le16' });
  });

  test('ids are unique', () => {
    expect(new Set(FRAMINGS.map(({ id }) => id)).size).toBe(FRAMINGS.length);
  });
});

test.each([
  ['a varint', '08 96 01', 1, 3, true],
  ['field number 0', '00 01', 0, 0, false],
  ['wire type 7', '0f 01', 0, 0, false],
  ['a length past the end', '08 01 12 05 61', 1, 2, false],
  ['a group', '0b 08 01 0c', 2, 4, true],
  ['a group that is not closed', '08 01 0b 08 01', 3, 2, false],
  ['a group closed by another', '0b 14', 1, 0, false],
])('%s is read as a message', (_, hex, records, explained, whole) => {
  const bytes = bytesOf(hex);
  expect(plausibleMessage(bytes, 0, bytes.length)).toMatchObject({ records, explained, whole });
});

describe('framing', () => {
  const offsets = (read: Read) => read.messages.map(({ message, payload }) => [message.body.pieces[0]!.start, payload]);

  test('varint prefixes', () => {
    expect(offsets(push('varint', bytesOf('02 08 01  00  03 089601')))).toEqual([
      [1, '0801'],
      [4, ''],
      [5, '089601'],
    ]);
  });

  test('a body of gRPC, its second message gzip, with trailers', async () => {
    const payload = fixture('codecfixture.rw1.binpb');
    const zipped = gzipSync(payload);
    const input = concat(
      bytesOf('00 00000002 0801'),
      concat(Uint8Array.of(1), fixed(4, false)(zipped.length), zipped),
      bytesOf('80 00000003 613a62'),
    );
    const read = push('grpc', input);
    expect(offsets(read)).toEqual([
      [5, '0801'],
      [12, Buffer.from(payload).toString('hex')],
    ]);
    expect(read.messages[1]!.message).toMatchObject({ bytes: payload.length, capturedBytes: zipped.length });
    expect(read.facts).toEqual({
      messages: 2,
      payloadBytes: 2 + payload.length,
      capturedBytes: 2 + zipped.length,
      framingBytes: 5 + 5 + 8,
      unattributedBytes: 0,
      diagnostics: [],
    });
    const again = await readBody(bytesSource('grpc', input), read.messages[1]!.message.body);
    expect(again.ok && Buffer.from(again.value).equals(payload)).toBe(true);
  });

  test.each([
    ['a message cut off', 'varint', '02 0801 05 0801', 'frame/truncated-message', 3, 3, 1],
    ['a huge claim', 'be32', 'fffffffe 0801', 'frame/truncated-message', 0, 6, 0],
    ['a prefix cut off', 'varint', '02 0801 80', 'frame/truncated-prefix', 3, 1, 1],
    ['a prefix that does not end', 'varint', 'ffffffffffffffffffff01', 'frame/bad-prefix', 0, 11, 0],
    ['an unknown flag', 'grpc', '00 00000000 07 00000000', 'frame/bad-prefix', 5, 5, 1],
    ['an unknown compression', 'grpc', '01 00000002 abcd', 'frame/unknown-compression', 5, 2, 0],
    ['broken gzip', 'grpc', '01 0000000b 1f8b0800000000000000ff', 'frame/bad-compression', 5, 11, 0],
  ])('%s is left unattributed', (_, framing, hex, code, start, unattributedBytes, messages) => {
    const { facts } = push(framing, bytesOf(hex));
    expect(facts).toMatchObject({ messages, unattributedBytes });
    expect(facts.diagnostics.map((d) => [d.code, d.start])).toEqual([[code, start]]);
  });

  test('a payload that grows too large is refused', () => {
    expect(openCompressed(1 << 20)(gzipSync(new Uint8Array(4 << 20)))).toMatchObject({ code: 'frame/too-large' });
  });

  const anyInput = fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    fc
      .tuple(
        fc.constantFrom(...Object.keys(PREFIX)),
        fc.array(fc.uint8Array({ maxLength: 60 }), { maxLength: 8 }),
        fc.uint8Array({ maxLength: 6 }),
      )
      .map(([framing, payloads, rest]) => concat(stream(framing, payloads), rest)),
  );
  const cuts = fc.array(fc.nat(400), { maxLength: 12 });

  test('messages do not depend on how bytes were chunked, and every byte is counted once', () => {
    fc.assert(
      fc.property(fc.constantFrom(...FRAMINGS.map(({ id }) => id)), anyInput, cuts, (framing, input, where) => {
        const whole = push(framing, input);
        expect(push(framing, input, where)).toEqual(whole);
        const { capturedBytes, framingBytes, unattributedBytes, diagnostics } = whole.facts;
        expect(capturedBytes + framingBytes + unattributedBytes).toBe(input.length);
        expect(diagnostics.length === 0).toBe(unattributedBytes === 0);
        for (const { start, end } of diagnostics) expect(0 <= start && start < end && end <= input.length).toBe(true);
        for (const { message, payload } of whole.messages) {
          expect(message.bytes).toBe(payload.length / 2);
        }
      }),
      { numRuns: 3000 },
    );
  });

  test('framed messages are read unchanged', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...Object.keys(PREFIX)),
        fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 8 }),
        cuts,
        (framing, payloads, where) => {
          const { messages, facts } = push(framing, stream(framing, payloads), where);
          expect(messages.map(({ payload }) => payload)).toEqual(payloads.map((p) => Buffer.from(p).toString('hex')));
          expect(messages.map(({ message }) => message.ordinal)).toEqual(payloads.map((_, n) => n));
          expect(facts.diagnostics).toEqual([]);
        },
      ),
      { numRuns: 1000 },
    );
  });

  test('the score never throws and is between 0 and 1', () => {
    fc.assert(
      fc.property(anyInput, fc.nat(1000), (head, more) => {
        for (const { score } of judgeFramings(head, head.length + more)) expect(score >= 0 && score <= 1).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('reading', () => {
  test('an input in a text encoding', async () => {
    const payloads: string[] = [];
    const source = bytesSource('pasted', new TextEncoder().encode('02 08 01\n03 08 96 01 zz'));
    const facts = await readPayloads(source, {}, (_, payload) => payloads.push(Buffer.from(payload).toString('hex')));
    expect(payloads).toEqual(['0801', '089601']);
    expect(facts).toMatchObject({
      size: 23,
      bytes: 7,
      textEncoding: { id: 'hex' },
      framing: { id: 'varint' },
      messages: 2,
    });
    expect(facts.diagnostics.map(({ code, start }) => [code, start])).toEqual([
      ['capture/odd-character', 21],
      ['capture/odd-character', 22],
    ]);
  });

  test.each([
    ['a message of one digest, whose bytes are also hex digits', `\n ${'e1'.repeat(16)}`, 'binary'],
    ['a message of one name, whose bytes are also base64', '\n\norder-4711', 'binary'],
    ['a message as hex digits, after empty lines', '\n\n0a03666f6f', 'hex'],
    ['a message as base64, after empty lines', '\n\nCgNmb28QAQ', 'base64'],
  ])('%s', async (_, input, textEncoding) => {
    const source = bytesSource('input', new TextEncoder().encode(input));
    expect(await decodeText(source, {})).toMatchObject({ textEncoding: { id: textEncoding } });
  });

  test('a choice overrules detection', async () => {
    const source = bytesSource('pasted', new TextEncoder().encode('02 08 01'));
    const { source: decoded, textEncoding } = await decodeText(source, { textEncoding: 'binary' });
    expect(decoded.size).toBe(8);
    expect(textEncoding).toMatchObject({ id: 'binary', reason: 'chosen, not detected' });
    expect(await readFramed(decoded, { framing: 'single' }, () => {})).toMatchObject({
      messages: 1,
      payloadBytes: 8,
    });
    expect(await decodeText(source, { textEncoding: 'evening' })).toMatchObject({
      textEncoding: { id: 'hex' },
      diagnostics: [{ code: 'frame/unknown-text-encoding' }],
    });
  });

  test('an empty input holds no message, or one empty message if so declared', async () => {
    const empty = bytesSource('empty', new Uint8Array());
    expect(await readPayloads(empty, {}, () => expect.unreachable())).toMatchObject({
      textEncoding: { id: 'binary' },
      framing: { id: 'none' },
      messages: 0,
      content: { kind: 'empty' },
      diagnostics: [],
    });
    const sizes: number[] = [];
    const facts = await readPayloads(empty, { framing: 'single' }, ({ bytes }) => sizes.push(bytes));
    expect(facts).toMatchObject({ messages: 1, content: null });
    expect(sizes).toEqual([0]);
  });

  test('chunks are read in order and given back, with progress, until it is cancelled', async () => {
    const bytes = Uint8Array.from({ length: 10 }, (_, n) => n);
    const seen: (readonly [number, boolean])[] = [];
    const done: number[] = [];
    const givenBack: (number | undefined)[] = [];
    await readChunks(
      { ...bytesSource('ten', bytes), letGo: ([first]) => givenBack.push(first) },
      (chunk, start, atEnd) => {
        expect(chunk[0]).toBe(start);
        expect(givenBack).toHaveLength(seen.length);
        seen.push([start, atEnd]);
      },
      { onProgress: (n, total) => done.push(n / total) },
      4,
    );
    expect(seen).toEqual([
      [0, false],
      [4, false],
      [8, true],
    ]);
    expect(done).toEqual([0.4, 0.8, 1]);
    expect(givenBack).toEqual([0, 4, 8]);

    const signal = { aborted: false };
    const cancelled = readChunks(
      bytesSource('ten', bytes),
      () => {
        signal.aborted = true;
      },
      { signal },
      4,
    );
    await expect(cancelled).rejects.toThrow(AbortError);
    const unread: Source = { name: 'unread', size: 1, read: () => Promise.reject(new Error('read')) };
    await expect(readChunks(unread, () => {}, { signal: { aborted: true } })).rejects.toThrow(AbortError);
  });

  test('binary input is never read whole', async () => {
    const message = stream('varint', Array(50).fill(fixture('apm-heavy-error-0.binpb')));
    const size = message.length * 400;
    let largest = 0;
    const source: Source = {
      name: 'large',
      size,
      read: async (start, end) => {
        largest = Math.max(largest, end - start);
        return Uint8Array.from({ length: end - start }, (_, n) => message[(start + n) % message.length]!);
      },
    };
    const facts = await readPayloads(source, {}, () => {});
    expect(facts).toMatchObject({ framing: { id: 'varint' }, messages: 20_000, unattributedBytes: 0 });
    expect(largest).toBeLessThanOrEqual(4 << 20);
  });
});
