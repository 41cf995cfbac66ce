import { brotliCompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { bytesSource } from '../../bytes/source.ts';
import { MessageTable } from '../store/message-table.ts';
import { nextTurn } from './helper-port.testing.ts';
import { type Answer, connectHelper, serveHelper } from './helper-port.ts';

test('a range with Brotli fails where its decoder is not loaded, so that the worker that has it reads the range', async () => {
  const body = brotliCompressSync(Uint8Array.of(8, 1));
  const messages = new MessageTable();
  messages.add({
    ...{ transport: 'http1', method: 'POST /a', direction: 'request', status: null, typeHint: null },
    ...{ time: null, flow: 'a → b', bytes: 2, capturedBytes: body.length },
    body: { pieces: [{ start: 0, end: body.length }], compression: 'brotli' },
  });
  const answers: Answer[] = [];
  const openHandle = () => bytesSource('a.pcap', body);
  const follow = serveHelper({ answer: (answer) => answers.push(answer), openHandle, nextTurn });
  follow({ kind: 'compile', schemas: [] });
  follow({
    kind: 'sum',
    range: {
      ...{ name: 'a.pcap', handle: body, kind: 'capture', limit: 1000 },
      messages: messages.pack(Uint32Array.of(0)),
      request: { type: null, nativeProfile: null, types: {}, evidence: {}, guesses: new Map() },
    },
  });
  await expect.poll(() => answers.length, { timeout: 20_000 }).toBe(1);
  expect(answers.at(-1)).toMatchObject({ kind: 'failed', message: expect.stringContaining('Brotli') });
});

test('the rows of a range are moved to the other worker, not copied', () => {
  const messages = new MessageTable();
  messages.add({
    ...{ transport: 'http1', method: 'POST /a', direction: 'request', status: null, typeHint: null },
    ...{ time: 5, flow: 'a → b', bytes: 2, capturedBytes: 2 },
    body: { pieces: [{ start: 1, end: 3 }], compression: null },
  });
  const packed = messages.pack(Uint32Array.of(0));
  const helper = connectHelper(() => ({
    post: (order, transfer) => structuredClone(order, { transfer }),
    end: () => undefined,
  }));
  const request = { type: null, nativeProfile: null, types: {}, evidence: {}, guesses: new Map() };
  const range = { name: 'a.pcap', handle: null, kind: 'capture', limit: 1000, messages: packed, request } as const;
  void helper.sum(range, () => undefined);
  const kept = Object.values(packed.columns).filter((cells) => cells !== null && cells.length > 0);
  expect(kept).toEqual([]);
});
