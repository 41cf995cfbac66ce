/** Large messages: rows cover the bytes that fit; a diagnostic reports the rest. */
import { expect, test } from 'vitest';
import { bytesSource } from '../bytes/source.ts';
import { NATIVE_PROFILES } from '../native/profiles.ts';
import { libraryOf } from './analyze.ts';
import { inspectMessage } from './inspect-message.ts';
import { storeMessages } from './message-store.ts';
import { openInput } from './read-input.ts';

const RECORD = Uint8Array.from([0x0a, 0x80, 0x40, ...new Uint8Array(8192).fill(0x20)]);
const SIZE = 2000 * RECORD.length;

async function inspectOnly(bytes: Uint8Array) {
  const choice = { framing: 'single', textEncoding: 'binary' };
  const opened = await openInput(bytesSource('x', bytes), choice);
  const { store } = await storeMessages(opened, choice, { nextTurn: () => Promise.resolve() });
  const request = { library: libraryOf([]), type: null, types: {}, evidence: {}, guesses: new Map() };
  return inspectMessage(store, 0, { ...request, nativeProfile: NATIVE_PROFILES[0]! });
}

test('16 MB: the records of the first 12 MiB, to the end of the last whole one', async () => {
  const bytes = new Uint8Array(SIZE);
  for (let at = 0; at < SIZE; at += RECORD.length) bytes.set(RECORD, at);
  const { protobuf, diagnostics } = await inspectOnly(bytes);
  expect(protobuf.bytes.length).toBe(1535 * RECORD.length);
  expect(protobuf.table.length).toBe(1536);
  expect(diagnostics).toMatchObject([{ code: 'message/shown-in-part', start: protobuf.bytes.length, end: SIZE }]);
});

test('a larger single record: its first bytes are shown, and the missing end is not an error', async () => {
  const bytes = new Uint8Array(16 << 20);
  bytes.set([0x0a, 0xfb, 0xff, 0xff, 0x07]);
  const { protobuf, diagnostics } = await inspectOnly(bytes);
  expect(protobuf.bytes.length).toBe(12 << 20);
  expect(diagnostics.map(({ code }) => code)).toEqual(['message/shown-in-part']);
});
