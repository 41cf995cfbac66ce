/** Messages that copy from those before them are read in any order, also after their places were posted. */
import { constants, deflateRawSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { blockSource } from '../../bytes/block-source.ts';
import { bytesSource } from '../../bytes/source.ts';
import { type Saying, writeConversation } from '../../capture/containers/packets-writer.testing.ts';
import { openInput } from '../read-input.ts';
import { bodyAt } from './message-body.ts';
import { storeMessages } from './message-store.ts';
import { MessageTable } from './message-table.ts';

const nextTurn = () => Promise.resolve();
const text = (value: string): Uint8Array => new Uint8Array(Buffer.from(value));
const HANDSHAKE: readonly Saying[] = [
  { side: 0, bytes: text('GET / HTTP/1.1\r\nUpgrade: websocket\r\n\r\n') },
  {
    side: 1,
    bytes: text(
      'HTTP/1.1 101 Go\r\nUpgrade: websocket\r\nSec-WebSocket-Extensions: permessage-deflate; server_max_window_bits=15\r\n\r\n',
    ),
  },
];

/** Objects in JSON of a server, each compressed with copies from those before it. */
function capture(objects: readonly string[]): Uint8Array {
  let window: Buffer = Buffer.alloc(0);
  const frames = objects.map((object): Saying => {
    const plain = Buffer.from(object);
    const options = { finishFlush: constants.Z_SYNC_FLUSH };
    const packed = deflateRawSync(plain, window.length === 0 ? options : { ...options, dictionary: window });
    window = Buffer.concat([window, plain]).subarray(-32768);
    const size = packed.length - 4;
    const head = size < 126 ? [0xc1, size] : [0xc1, 126, size >> 8, size & 255];
    return { side: 1, bytes: Uint8Array.from([...head, ...packed.subarray(0, -4)]) };
  });
  return writeConversation([...HANDSHAKE, ...frames]);
}

const OBJECTS = Array.from({ length: 700 }, (_, at) =>
  JSON.stringify({ at, of: 'the same text', list: Array.from({ length: at % 50 }, (_, one) => one * at) }),
);

test('in order, from the last to the first, and from a part of the rows', async () => {
  const opened = await openInput(bytesSource('a.pcap', capture(OBJECTS)), {});
  const { store } = await storeMessages(opened, {}, { nextTurn });
  const read = async (ordinal: number, from = store) => Buffer.from(await bodyAt(from, ordinal)).toString();
  const rows = OBJECTS.map((_, ordinal) => ordinal);
  expect(store.messages.length).toBe(OBJECTS.length);
  for (const ordinal of rows) expect(await read(ordinal)).toBe(OBJECTS[ordinal]);
  for (const ordinal of rows.filter((row) => row % 7 === 0).reverse())
    expect(await read(ordinal)).toBe(OBJECTS[ordinal]);

  const some = Uint32Array.from([699, 5, 301, 300, 260, 255]);
  const messages = new MessageTable(structuredClone(store.messages.pack(some)));
  const source = blockSource(opened.source, nextTurn);
  for (const [row, ordinal] of some.entries()) {
    expect(await read(row, { ...store, source, messages })).toBe(OBJECTS[ordinal]);
  }
});

test('copies of a history that were made while it grew are one', () => {
  const place = (start: number) => ({ pieces: [{ start, end: start + 5 }], compression: 'message-deflate' });
  const history = { window: new Uint8Array(3), bodies: [place(10)] };
  const message = (start: number, count: number) => ({
    body: { ...place(start), after: { history: structuredClone(history), count } },
    ...{ bytes: 9, capturedBytes: 5, transport: 'websocket', time: null, flow: null, direction: null, method: null },
    ...{ status: null, typeHint: null },
  });
  const table = new MessageTable();
  table.add(message(10, 0));
  history.bodies.push(place(20));
  table.add(message(20, 1));
  expect(table.bodyAt(0).after).toEqual({ history, count: 0 });
  expect(table.bodyAt(0).after!.history).toBe(table.bodyAt(1).after!.history);
});
