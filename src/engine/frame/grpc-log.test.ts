/** gRPC's binary log, from its entries to the messages of its calls. */
import { describe, expect, test } from 'vitest';
import { bytesSource } from '../bytes/source.ts';
import { createGrpcLogReader } from '../capture/containers/grpc-log.ts';
import { emptyLayers, sumLayers } from '../capture/containers/packets-layers.ts';
import { CaptureLog } from '../capture/containers/packets-log.ts';
import { sniffCapture } from '../capture/containers/sniff-capture.ts';
import { readCapture } from './read-capture.ts';

const join = (...parts: readonly (Uint8Array | readonly number[])[]): Uint8Array =>
  new Uint8Array(Buffer.concat(parts.map((part) => Uint8Array.from(part))));
const varint = (value: number): number[] => (value < 128 ? [value] : [(value % 128) + 128, ...varint(value >> 7)]);
const number = (field: number, value: number): Uint8Array => join(varint(field * 8), varint(value));
const record = (field: number, contents: Uint8Array | string): Uint8Array => {
  const bytes = typeof contents === 'string' ? Buffer.from(contents) : contents;
  return join(varint(field * 8 + 2), varint(bytes.length), bytes);
};

const [CLIENT, SERVER] = [1, 2];
const PEER = record(11, join(number(1, 1), record(2, '10.0.0.9'), number(3, 50)));
const PEER_6 = record(11, join(number(1, 2), record(2, '::1'), number(3, 50)));
const SOCKET = record(11, join(number(1, 3), record(2, '/run/x')));

/** @param type of the event */
const entry = (call: number, type: number, logger: number, ...fields: readonly Uint8Array[]): Uint8Array => {
  const at = join(number(1, 1_700_000_000 + type), number(2, 500_000_000));
  return join(record(1, at), number(2, call), number(3, 1), number(4, type), number(5, logger), ...fields);
};
const begin = (call: number, path: string, logger = CLIENT, ...more: readonly Uint8Array[]): Uint8Array =>
  entry(call, 1, logger, record(6, join(record(2, path), record(3, 'shop:80'))), ...more);
const answer = (call: number, ...more: readonly Uint8Array[]): Uint8Array => entry(call, 2, CLIENT, ...more);
const data = (text: string, length = text.length): Uint8Array => record(8, join(number(1, length), record(2, text)));
const ask = (call: number, text: string, logger = CLIENT): Uint8Array => entry(call, 3, logger, data(text));
const reply = (call: number, text: string, logger = CLIENT): Uint8Array => entry(call, 4, logger, data(text));
const end = (call: number, status: number, logger = CLIENT, ...more: readonly Uint8Array[]): Uint8Array =>
  entry(call, 6, logger, record(9, number(2, status)), ...more);
const cancel = (call: number): Uint8Array => entry(call, 7, CLIENT);

const delimited = (entries: readonly Uint8Array[]): Uint8Array =>
  join(...entries.flatMap((one) => [varint(one.length), one]));
const fixed = (entries: readonly Uint8Array[]): Uint8Array =>
  join(...entries.flatMap((one) => [[0, 0, one.length >> 8, one.length & 255], one]));

async function read(bytes: Uint8Array, chunkBytes = 1 << 20) {
  const messages: string[] = [];
  const facts = await readCapture(
    bytesSource('log', bytes),
    ({ transport, direction, method, status, time, flow, body }, payload) => {
      const [place] = body.pieces;
      expect(Buffer.compare(bytes.subarray(place!.start, place!.end), payload)).toBe(0);
      const text = Buffer.from(payload).toString('latin1');
      messages.push(`${transport} ${direction} ${method} ${status} ${(time ?? 0) - 1.7e12} ${flow}: ${text}`);
    },
    { chunkBytes },
  );
  expect(sumLayers(facts.layers)).toBe(bytes.length);
  return { messages, layers: facts.layers, found: facts.diagnostics.map(({ code, message }) => `${code} ${message}`) };
}

const ANSWERED = [begin(7, '/a.B/C'), ask(7, '\b\x01'), answer(7, PEER), reply(7, '\b\x02'), end(7, 0)];
const A_CALL = [
  'grpc request /a.B/C null 3500 client → 10.0.0.9:50: \b\x01',
  'grpc response /a.B/C 0 4500 10.0.0.9:50 → client: \b\x02',
];

test.each<[string, (entries: readonly Uint8Array[]) => Uint8Array]>([
  ['sizes of four bytes', fixed],
  ['sizes as varints', delimited],
])('a call with %s: all but its messages is the container', async (_name, write) => {
  const log = write(ANSWERED);
  for (const chunk of [1, 5, log.length]) {
    const { messages, layers, found } = await read(log, chunk);
    expect([messages, found, layers.message, layers.container]).toEqual([A_CALL, [], 4, log.length - 4]);
  }
});

test.each<[string, readonly Uint8Array[], readonly string[], readonly string[]]>([
  [
    'two calls at once, and a status of each',
    [
      begin(1, '/a.B/C'),
      begin(2, '/a.B/D'),
      ...[ask(2, '\b\x01'), ask(1, '\b\x02'), answer(2, PEER_6), answer(1, SOCKET)],
      ...[reply(1, '\b\x03'), reply(2, '\b\x04'), reply(2, '\b\x05'), end(1, 0), end(2, 5)],
    ],
    [
      'grpc request /a.B/D null 3500 client → [::1]:50: \b\x01',
      'grpc request /a.B/C null 3500 client → unix:/run/x: \b\x02',
      'grpc response /a.B/D null 4500 [::1]:50 → client: \b\x04',
      'grpc response /a.B/C 0 4500 unix:/run/x → client: \b\x03',
      'grpc response /a.B/D 5 4500 [::1]:50 → client: \b\x05',
    ],
    [],
  ],
  [
    'client and server in one log, with the same id',
    [
      ...[begin(1, '/a.B/C'), begin(1, '/a.B/C', SERVER, PEER), ask(1, '\b\x01', SERVER), ask(1, '\b\x01')],
      ...[reply(1, '\b\x02', SERVER), end(1, 0, SERVER), end(1, 3, CLIENT, PEER)],
    ],
    [
      'grpc request /a.B/C null 3500 10.0.0.9:50 → shop:80: \b\x01',
      'grpc response /a.B/C 0 4500 shop:80 → 10.0.0.9:50: \b\x02',
      'grpc request /a.B/C null 3500 client → 10.0.0.9:50: \b\x01',
    ],
    ['grpc/no-response The call /a.B/C ended with grpc-status 3 (INVALID_ARGUMENT) and without a response.'],
  ],
  [
    'a call that never reached its server',
    [begin(1, '/a.B/C'), ask(1, '\b\x01'), end(1, 14)],
    ['grpc request /a.B/C null 3500 client → shop:80: \b\x01'],
    ['grpc/no-response The call /a.B/C ended with grpc-status 14 (UNAVAILABLE) and without a response.'],
  ],
  [
    'cancelled calls: one without a response, one within it, one after its end',
    [
      ...[begin(1, '/a.B/C'), cancel(1), begin(2, '/a.B/D'), answer(2, PEER), reply(2, '\b\x01'), cancel(2)],
      ...[begin(3, '/a.B/E'), end(3, 0, CLIENT, PEER), cancel(3)],
    ],
    ['grpc response /a.B/D null 4500 10.0.0.9:50 → client: \b\x01'],
    ['grpc/no-response The call /a.B/C ended with grpc-status 1 (CANCELLED) and without a response.'],
  ],
  [
    'a log from the middle of a call to that of another',
    [reply(1, '\b\x01'), end(1, 5), begin(2, '/a.B/C'), ask(2, '\b\x02')],
    ['grpc response null 5 4500 server → client: \b\x01', 'grpc request /a.B/C null 3500 client → shop:80: \b\x02'],
    [],
  ],
  ['the end of a call, whose beginning is missing', [end(1, 5)], [], []],
  [
    'another call with the id of an earlier one',
    [...ANSWERED.slice(0, -1), begin(7, '/a.B/D'), ask(7, '\b\x03'), answer(7, PEER)],
    [
      A_CALL[0]!,
      'grpc response /a.B/C null 4500 10.0.0.9:50 → client: \b\x02',
      'grpc request /a.B/D null 3500 client → 10.0.0.9:50: \b\x03',
    ],
    [],
  ],
  [
    'messages in part, without contents, and of an unknown size',
    [
      ...[begin(1, '/a.B/C'), answer(1, PEER), entry(1, 3, CLIENT, data('\b\x01', 9), number(10, 1))],
      entry(1, 4, CLIENT, record(8, number(1, 1200)), number(10, 1)),
      entry(1, 4, CLIENT, record(8, record(2, '\b\x01')), number(10, 1)),
      end(1, 0),
    ],
    [],
    [
      'grpc/cut A request of /a.B/C, of 9 bytes, was recorded in part, 2 bytes: it cannot be read. Not read: 2 bytes of client → 10.0.0.9:50.',
      'grpc/cut A response of /a.B/C, of 1,200 bytes, was recorded without its contents: it cannot be read.',
      'grpc/cut A response of /a.B/C, of an unknown size, was recorded in part, 2 bytes: it cannot be read. Not read: 2 bytes of 10.0.0.9:50 → client.',
    ],
  ],
  [
    'an empty message, and a header that was shortened',
    [
      begin(1, '/a.B/C', CLIENT, number(10, 1)),
      ...[answer(1, PEER), entry(1, 3, CLIENT, record(8, '')), entry(1, 5, CLIENT), end(1, 0)],
    ],
    ['grpc request /a.B/C null 3500 client → 10.0.0.9:50: '],
    [],
  ],
  [
    'entries that are not well-formed',
    [...ANSWERED, Uint8Array.of(255, 255), entry(7, 3, CLIENT, record(8, '\xff'))],
    A_CALL,
    ['grpc-log/malformed', 'grpc-log/malformed'].map(
      (code, n) =>
        `${code} This entry is not well-formed; reading continues after it. Not read: ${n === 0 ? 6 : 30} bytes of the file.`,
    ),
  ],
])('%s', async (_name, entries, messages, found) => {
  const all = await read(fixed(entries));
  expect(all.messages).toEqual(messages);
  expect(all.found).toEqual(found);
});

test('more than 4 MiB do not wait for the ends of a call', async () => {
  const large = 'x'.repeat(3 << 20);
  const { messages } = await read(delimited([begin(1, '/a.B/C'), ask(1, large), ask(1, large), answer(1, PEER)]));
  expect(messages.map((line) => line.slice(0, 40))).toEqual(Array(2).fill('grpc request /a.B/C null 3500 null: xxxx'));
});

test('an entry of very many records is skipped', async () => {
  const many = entry(
    7,
    3,
    CLIENT,
    data('\b\x09'),
    new Uint8Array(1 << 20).map((_, at) => (at % 2 === 0 ? 8 : 0)),
  );
  const { messages, found } = await read(delimited([...ANSWERED.slice(0, 2), many, ...ANSWERED.slice(2)]));
  expect(messages).toEqual(A_CALL);
  expect(found).toEqual([
    `grpc-log/malformed This entry is not well-formed; reading continues after it. Not read: ${(many.length + 3).toLocaleString('en')} bytes of the file.`,
  ]);
});

test('more calls than are known at once: the ones that were idle longest are closed', async () => {
  const others = Array.from({ length: 65_535 }, (_, n) => begin(n + 2, '/a.B/D'));
  const log = [begin(1, '/a.B/C'), ...others, ask(1, '\b\x01'), begin(70_000, '/a.B/D'), reply(1, '\b\x02'), end(1, 0)];
  const { messages, found } = await read(new Uint8Array(Buffer.concat(log.map((one) => fixed([one])))));
  expect(messages).toEqual([
    'grpc request /a.B/C null 3500 client → shop:80: \b\x01',
    'grpc response /a.B/C 0 4500 shop:80 → client: \b\x02',
  ]);
  expect(found).toEqual([]);
});

describe('damage', () => {
  test.each<[string, Uint8Array, string]>([
    [
      'within a size',
      fixed(ANSWERED).slice(0, -1 - end(7, 0).length),
      'capture/ends-early The file ends within an entry.',
    ],
    ['within an entry', fixed(ANSWERED).slice(0, -1), 'capture/ends-early The file ends within an entry.'],
    ['zeros behind it', join(fixed(ANSWERED), [0, 0, 0, 0, 0, 0]), 'grpc-log/malformed No entry begins here'],
    [
      'a varint of more than five bytes',
      join(delimited(ANSWERED), Array(9).fill(255)),
      'grpc-log/malformed No entry begins here',
    ],
  ])('%s', async (_name, log, found) => {
    const all = await read(log);
    expect(all.messages[0]).toBe(A_CALL[0]);
    expect(all.found).toHaveLength(1);
    expect(all.found[0]).toContain(found);
  });

  test('an entry that is too long is skipped', () => {
    const layers = emptyLayers();
    const log = new CaptureLog(layers);
    const given: number[] = [];
    const call = () => ({ know: () => {}, end: () => {}, message: () => given.push(1) });
    const bytes = fixed([begin(1, '/a.B/C'), ask(1, 'x'.repeat(200)), ask(1, '\b\x01')]);
    const reader = createGrpcLogReader({ call }, layers, log, 100);
    reader.push(bytes);
    reader.end();
    expect([given.length, log.finish().map(({ code }) => code)]).toEqual([1, ['grpc-log/too-large']]);
  });
});

describe('first bytes', () => {
  const first = begin(1, '/a.B/C');
  test.each<[string, Uint8Array, boolean]>([
    ['four bytes', fixed([first]), true],
    ['a varint', delimited([first]), true],
    ['an id of many bytes', fixed([entry(300_000, 7, SERVER)]), true],
    ['an entry without its size', first, false],
    ['an event that does not exist', fixed([entry(1, 8, CLIENT)]), false],
    ['no logger', fixed([entry(1, 1, 0)]), false],
    ['another message with a timestamp', fixed([join(record(1, number(1, 1_700_000_000)), record(2, 'name'))]), false],
    ['no bytes', new Uint8Array(), false],
    ['the beginning of a log', fixed([first]).slice(0, 20), false],
  ])('%s', (_name, bytes, is) => expect(sniffCapture(bytes)).toBe(is ? 'grpc-log' : null));
});
