import { expect, test } from 'vitest';
import { bytesSource } from '../bytes/source.ts';
import { compileSchema } from '../schema/compile.ts';
import { libraryOf } from './analyze.ts';
import { firstWithField } from './first-with-field.ts';
import { openInput } from './read-input.ts';
import { allMessages, storeMessages } from './store/message-store.ts';

const { registry } = compileSchema([
  {
    path: 't.proto',
    content: 'syntax = "proto3"; message Item { bytes a = 1; int64 b = 2; Item item = 3; int64 c = 4; }',
  },
]);

/** A field of 13 MiB, then one of a byte. */
const LARGE = new Uint8Array((13 << 20) + 7);
LARGE.set([0x0a, 0x80, 0x80, 0xc0, 0x06]);
LARGE.set([0x10, 7], LARGE.length - 2);
/** The same as the field `item` of another message. */
const WITHIN = Uint8Array.from([0x1a, 0x87, 0x80, 0xc0, 0x06, ...LARGE]);
const TEXT = new TextEncoder().encode(`{"a": "${'AAAA'.repeat(2 << 20)}", "b": 7}`);

test.each([
  ['behind the shown part', LARGE, 'b', 0],
  ['behind the shown part, without a type', LARGE, '?2', 0],
  ['behind the shown bytes of a record', WITHIN, 'item.b', 0],
  ['behind the shown part of a text', TEXT, 'b', 0],
  ['that a large message does not have', LARGE, 'c', null],
  ['that a large text does not have', TEXT, 'c', null],
] as const)('a field %s', async (_, bytes, path, found) => {
  const choice = bytes === TEXT ? {} : { framing: 'single', textEncoding: 'binary' };
  const opened = await openInput(bytesSource('x', bytes), choice);
  const { store } = await storeMessages(opened, choice, { nextTurn: () => Promise.resolve() });
  const type = path.startsWith('?') ? null : registry.messages.get('Item')!;
  const request = { library: libraryOf([{ registry }]), type, types: {}, evidence: {}, guesses: new Map() };
  const selected = { store, ordinals: allMessages(store) };
  expect(await firstWithField(selected, path, { ...request, nativeProfile: null }, {})).toBe(found);
});
