/** serve and connect over a real MessageChannel, with handlers that stand for slow, failing and wrong ones. */
import { afterEach, expect, test } from 'vitest';
import { type Client, connect } from './connect.ts';
import type { Handlers, Port, Progress, Request } from './protocol.ts';
import { EVERYTHING, IN_ORDER } from './requests.testing.ts';
import { serve } from './serve.ts';

const channels: MessageChannel[] = [];
afterEach(() => {
  for (const { port1, port2 } of channels.splice(0)) {
    port1.close();
    port2.close();
  }
});

function open(handlers: Partial<Handlers>, now?: () => number): Client & { readonly port: Port } {
  const channel = new MessageChannel();
  channels.push(channel);
  serve(channel.port2, handlers as Handlers, now);
  return { ...connect(channel.port1), port: channel.port1 };
}

const turn = () => new Promise((resolve) => setTimeout(resolve, 1));

const WINDOW = { ...EVERYTHING, from: 0, to: 1, order: IN_ORDER };
const LATE = { total: 1, bytes: 2, from: 0, rows: [] };
const summary = { files: ['a.proto'], types: 0, missing: [], diagnostics: [] };

test('a call returns its result', async () => {
  const client = open({ setSchema: () => summary });
  expect(await client.call('setSchema', { files: [] })).toEqual({ ok: true, value: summary });
});

test('two calls at once get their own results, in any order', async () => {
  const client = open({
    messages: async () => {
      await turn();
      return LATE;
    },
    setSchema: () => summary,
  });
  const late = client.call('messages', WINDOW);
  const early = client.call('setSchema', { files: [] });
  expect((await early).ok && (await late)).toMatchObject({ ok: true, value: LATE });
});

test('a bug in a handler is a failed outcome with its message', async () => {
  const client = open({
    setSchema: () => {
      throw new RangeError('row 7 has no parent');
    },
  });
  const outcome = await client.call('setSchema', { files: [] });
  expect(outcome).toMatchObject({ ok: false, cancelled: false });
  expect(!outcome.ok && outcome.message).toContain('RangeError: row 7 has no parent');
});

test('an unknown method is a failed outcome that names it', async () => {
  const client = open({});
  const outcome = await client.call('setSchema', { files: [] });
  expect(!outcome.ok && outcome.message).toContain('setSchema');
});

test('partial results are sent before the end', async () => {
  const client = open({
    setSchema: (_, { soFar }) => {
      soFar({ ...summary, files: [] });
      return summary;
    },
  });
  const seen: (readonly string[])[] = [];
  const outcome = await client.call('setSchema', { files: [] }, { onSoFar: ({ files }) => seen.push(files) });
  expect(seen).toEqual([[]]);
  expect(outcome).toEqual({ ok: true, value: summary });
});

test('progress is sent at once, then at most once per interval', async () => {
  let clock = 0;
  const client = open(
    {
      messages: (_, { progress }) => {
        for (let done = 0; done < 20; done++) {
          clock = done * 10;
          progress({ done, total: 20, unit: 'bytes' });
        }
        return LATE;
      },
    },
    () => clock,
  );
  const seen: Progress[] = [];
  await client.call('messages', WINDOW, { onProgress: (progress) => seen.push(progress) });
  expect(seen.map(({ done }) => done)).toEqual([0, 5, 10, 15]);
});

test('cancel reaches a handler that yields, and the caller is released', async () => {
  let steps = 0;
  let stopped = false;
  const client = open({
    messages: async (_, { signal }) => {
      for (; steps < 10_000 && !signal.aborted; steps++) await turn();
      stopped = true;
      return LATE;
    },
  });
  const abort = new AbortController();
  const outcome = client.call('messages', WINDOW, { signal: abort.signal });
  await turn();
  abort.abort();
  expect(await outcome).toEqual({ ok: false, cancelled: true, isMissing: false, message: 'Cancelled.' });
  while (!stopped) await turn();
  expect(steps).toBeLessThan(10_000);
});

test('a cancelled call answers `cancelled`, with any result of its handler', async () => {
  const channel = new MessageChannel();
  channels.push(channel);
  serve(channel.port2, { messages: () => turn().then(() => LATE) } as unknown as Handlers);
  const answer = new Promise((resolve) => {
    channel.port1.onmessage = ({ data }) => resolve(data);
  });
  channel.port1.postMessage({ kind: 'call', id: 7, method: 'messages', params: WINDOW } satisfies Request);
  channel.port1.postMessage({ kind: 'cancel', id: 7 } satisfies Request);
  expect(await answer).toEqual({ kind: 'error', id: 7, message: 'Cancelled.', cancelled: true, isMissing: false });
});

test('a signal aborted before the call sends nothing', async () => {
  let called = false;
  const client = open({
    setSchema: () => {
      called = true;
      return summary;
    },
  });
  expect(await client.call('setSchema', { files: [] }, { signal: AbortSignal.abort() })).toMatchObject({
    cancelled: true,
  });
  await turn();
  expect(called).toBe(false);
});

test('transferred buffers leave the worker', async () => {
  const bytes = new Uint8Array([1, 2, 3]);
  const side = { bytes } as unknown as NonNullable<Awaited<ReturnType<Handlers['inspect']>>['native']>;
  const client = open({
    inspect: (_, { transfer }) => {
      transfer(bytes.buffer);
      return {
        ...{ ordinal: 0, group: '', type: '', captured: 'protobuf' as const },
        ...{ protobuf: side, native: null, header: null, contents: [], diagnostics: [] },
      };
    },
  });
  const outcome = await client.call('inspect', { ordinal: 0, type: null, types: {}, nativeProfile: '', overrides: {} });
  expect(outcome.ok && [...outcome.value.protobuf.bytes]).toEqual([1, 2, 3]);
  expect(bytes.length).toBe(0);
});

test('a stopped worker fails every open call', async () => {
  const client = open({ messages: () => new Promise(() => {}) });
  const outcome = client.call('messages', WINDOW);
  client.fail('The worker stopped.');
  expect(await outcome).toEqual({ ok: false, cancelled: false, isMissing: false, message: 'The worker stopped.' });
});

test('a worker that never answered did not start: later calls fail at once', async () => {
  const client = connect({ postMessage: () => {}, onmessage: null } as unknown as Port);
  client.fail('No worker.');
  expect(await client.call('messages', WINDOW)).toEqual({
    ok: false,
    cancelled: false,
    isMissing: false,
    message: 'No worker.',
  });
});

test('a worker that has answered takes further calls after an error of its own', async () => {
  const client = open({ setSchema: () => summary });
  await client.call('setSchema', { files: [] });
  client.fail('A fault.');
  expect((await client.call('setSchema', { files: [] })).ok).toBe(true);
});

test('answers without a waiting call are dropped', async () => {
  const client = open({ setSchema: () => summary });
  client.port.postMessage({ kind: 'cancel', id: 99 } satisfies Request, []);
  expect((await client.call('setSchema', { files: [] })).ok).toBe(true);
});
