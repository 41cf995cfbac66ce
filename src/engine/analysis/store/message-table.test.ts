/** The table returns every message as it was added, for any messages. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Message } from '../../frame/message.ts';
import { MessageTable } from './message-table.ts';

const word = fc.option(fc.constantFrom('a', 'b', 'c'), { nil: null });
const message = fc.record({
  // A body of several pieces has no empty one.
  pieces: fc.oneof(
    fc.tuple(fc.tuple(fc.nat(2 ** 40), fc.nat(5000))),
    fc.array(fc.tuple(fc.nat(2 ** 40), fc.integer({ min: 1, max: 5000 })), { minLength: 2, maxLength: 4 }),
  ),
  compression: fc.option(fc.constantFrom('gzip', 'snappy'), { nil: null }),
  bytes: fc.nat(2 ** 32 - 1),
  time: fc.option(fc.double({ min: 0, max: 2e12, noNaN: true }), { nil: null }),
  flow: word,
  method: fc.option(fc.constantFrom('a', 'b', 'POST /c', 'POST /c?d=1', 'POST /c?d=2', '/e?'), { nil: null }),
  status: word,
  typeHint: word,
  direction: fc.constantFrom(null, 'request' as const, 'response' as const),
  headerBytes: fc.option(fc.nat(300), { nil: undefined }),
  headerPieces: fc.option(
    fc.array(fc.tuple(fc.nat(2 ** 40), fc.integer({ min: 1, max: 300 })), { minLength: 1, maxLength: 3 }),
    { nil: undefined },
  ),
});

test('messages as they were entered', () => {
  fc.assert(
    fc.property(fc.array(message, { maxLength: 30 }), (drafts) => {
      const table = new MessageTable();
      const messages = drafts.map(({ pieces, compression, headerBytes, headerPieces, ...rest }, ordinal): Message => {
        const places = pieces.map(([start, size]) => ({ start, end: start + size }));
        const capturedBytes = places.reduce((sum, { start, end }) => sum + end - start, 0);
        const body = { pieces: places, compression };
        const bytes = compression === null ? capturedBytes : rest.bytes;
        const part = headerPieces?.map(([start, size]) => ({ start, end: start + size }));
        const header = {
          ...(headerBytes === undefined ? {} : { headerBytes }),
          ...(part === undefined ? {} : { header: { bytes: new Uint8Array(), pieces: part } }),
        };
        return { ...rest, ...header, ordinal, body, bytes, capturedBytes, transport: 'x' };
      });
      for (const entered of messages) table.add(entered);
      for (const { ordinal, body, bytes, capturedBytes, time, flow, status, direction, ...rest } of messages) {
        expect(table.bodyAt(ordinal)).toEqual(body);
        expect(table.headerPiecesAt(ordinal)).toEqual(rest.header?.pieces ?? null);
        expect([table.sizeAt(ordinal), table.capturedSizeAt(ordinal)]).toEqual([bytes, capturedBytes]);
        expect([table.timeAt(ordinal), table.headerAt(ordinal)]).toEqual([time ?? Number.NaN, rest.headerBytes ?? 0]);
        expect([table.flows.wordOf(table.flowAt(ordinal)), table.statusAt(ordinal)]).toEqual([flow, status]);
        expect(table.directionAt(ordinal)).toBe(direction);
        const { method, typeHint } = rest;
        expect(table.methodAt(ordinal)).toBe(method);
        const path = method && method.split('?')[0]!;
        expect(table.groups.at(table.groupAt(ordinal))).toMatchObject({ method: path, typeHint, direction });
      }
      const sum = (of: (group: { messages: number; bytes: number }) => number) =>
        table.groups.all().reduce((total, group) => total + of(group), 0);
      expect([sum(({ messages: count }) => count), sum(({ bytes }) => bytes)]).toEqual([
        messages.length,
        table.plainBytes,
      ]);
    }),
    { numRuns: 1000 },
  );
});

test('requests to a URL with any queries are one group, and 5,000 queries are kept', () => {
  const table = new MessageTable();
  const body = { pieces: [], compression: null };
  const none = { bytes: 0, capturedBytes: 0, time: null, flow: null, direction: null, status: null, typeHint: null };
  for (let n = 0; n < 5001; n++) table.add({ ...none, body, transport: 'http1', method: `POST /write?n=${n}` });
  expect(table.groups.all()).toMatchObject([{ key: 'http1  POST /write', messages: 5001 }]);
  expect([4999, 5000].map((ordinal) => table.methodAt(ordinal))).toEqual(['POST /write?n=4999', 'POST /write']);
});

test('a flow that is looked up does not become one', () => {
  const { flows } = new MessageTable();
  const known = flows.numberOf('a');
  expect(['a', 'b'].map(flows.find)).toEqual([known, undefined]);
  expect(flows.all()).toEqual(['a']);
});
