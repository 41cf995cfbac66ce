import { expect, test } from 'vitest';
import { bytesSource } from '../bytes/source.ts';
import type { LostValues } from '../model/diagnostic.ts';
import { compileSchema } from '../schema/compile.ts';
import { libraryOf } from './analyze.ts';
import { firstLosses, withLossPlaces } from './first-loss.ts';
import { openInput } from './read-input.ts';
import { allMessages, storeMessages } from './store/message-store.ts';

const { registry } = compileSchema([
  {
    path: 't.proto',
    content: `syntax = "proto3"; message M {
      string name = 1; double size = 2; repeated double sizes = 3; M inner = 4; map<string, M> by_name = 5; float f = 6;
      uint64 big = 7; }`,
  },
]);

const hex = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text.replaceAll(' ', ''), 'hex'));
const NAN = '02 00 00 00 00 00 f8 7f';

/** Messages of 4 bytes or more, each after its length: `{name: "hi"}` first. */
const sized = (...messages: readonly string[]): Uint8Array =>
  Uint8Array.from([...hex('04 0a 02 68 69'), ...messages.flatMap((text) => [hex(text).length, ...hex(text)])]);

const nested = (levels: number, payload: Uint8Array): Uint8Array => {
  let bytes = payload;
  for (let level = 0; level < levels; level++) {
    const { length } = bytes;
    bytes = Uint8Array.from([0x22, ...(length < 128 ? [length] : [(length & 127) | 128, length >> 7]), ...bytes]);
  }
  return bytes;
};

async function search(bytes: Uint8Array, framing: string, wanted: readonly LostValues[]) {
  const choice = { framing, textEncoding: 'binary' };
  const { store } = await storeMessages(await openInput(bytesSource('x', bytes), choice), choice, {
    nextTurn: () => Promise.resolve(),
  });
  const request = { library: libraryOf([{ registry }]), type: registry.messages.get('M')!, types: {}, evidence: {} };
  const selected = { store, ordinals: allMessages(store) };
  return { selected, request: { ...request, guesses: new Map() }, wanted };
}

const JSON_TEXT = new TextEncoder().encode(
  '{"name": "a"}\n{"name": "b", "inner": {"f": 1.5}}\n{"size": "NaN", "f": 0.1}\n',
);

test.each<readonly [string, Uint8Array, string, Omit<LostValues, 'type'>, readonly [number, number, number] | null]>([
  ['a native profile lacks', sized('0a 00', `11 ${NAN}`), 'varint', { encoding: 'borsh', kind: 'nan' }, [2, 0, 9]],
  ['an encoding refuses', sized(`11 ${NAN}`), 'varint', { encoding: 'borsh', kind: null }, [1, 0, 9]],
  ['loses its form', sized(`11 ${NAN}`), 'varint', { encoding: 'json', kind: 'nan-bits' }, [1, 0, 9]],
  [
    'stands in a nested message, behind others',
    sized(`0a 01 61 22 0e 0a 01 62 22 09 11 ${NAN}`),
    'varint',
    { encoding: 'json', kind: 'nan-bits' },
    [1, 10, 19],
  ],
  ['stands in a packed run', sized(`1a 08 ${NAN}`), 'varint', { encoding: 'json', kind: 'nan-bits' }, [1, 0, 10]],
  [
    'stands in the value of a map',
    sized(`2a 0e 0a 01 6b 12 09 11 ${NAN}`),
    'varint',
    { encoding: 'json', kind: 'nan-bits' },
    [1, 0, 16],
  ],
  ['is an unknown field', sized('0a 00 9a 06 01 61'), 'varint', { encoding: 'bson', kind: 'unknown' }, [1, 2, 6]],
  ['is unknown to a profile', sized('0a 00 9a 06 01 61'), 'varint', { encoding: 'avro', kind: 'unknown' }, [1, 2, 6]],
  ['no message has', sized(`11 ${NAN}`), 'varint', { encoding: 'json', kind: 'unknown' }, null],
  ['no encoding of the name has', sized(`11 ${NAN}`), 'varint', { encoding: 'none', kind: null }, null],
  ['is captured as JSON: its key and its value', JSON_TEXT, 'json', { encoding: 'bson', kind: 'float32' }, [1, 24, 32]],
  [
    'captured JSON does not carry',
    JSON_TEXT,
    'json',
    { encoding: 'captured-json', kind: 'float32-digits' },
    [2, 21, 24],
  ],
])('the first value that %s', async (_, bytes, framing, lost, place) => {
  const { selected, request, wanted } = await search(bytes, framing, [{ ...lost, type: 'M' }]);
  const [ordinal, start, end] = place ?? [];
  expect(await firstLosses(selected, wanted, request, {})).toEqual([place && { ordinal, start, end }]);
});

test('a message that is nested too deep has its place where the levels are too many', async () => {
  const bytes = nested(320, hex('0a 01 61'));
  const { selected, request, wanted } = await search(bytes, 'single', [{ encoding: 'json', kind: null, type: 'M' }]);
  const [place] = await firstLosses(selected, wanted, request, {});
  const inner = bytes.subarray(place!.start, place!.end);
  expect([place!.ordinal, inner.length]).toEqual([0, nested(301, hex('0a 01 61')).length]);
});

test('levels that are too many are the reason for all encodings, also for one that refuses a value before them', async () => {
  const bytes = Uint8Array.from([...hex(`11 ${NAN}`), ...nested(320, hex('0a 01 61'))]);
  const refused = ['json', 'borsh'].map((encoding) => ({ encoding, kind: null, type: 'M' }));
  const { selected, request, wanted } = await search(bytes, 'single', refused);
  const [inJson, inBorsh] = await firstLosses(selected, wanted, request, {});
  expect(inJson!.start).toBeGreaterThan(9);
  expect(inBorsh).toEqual(inJson);
});

test('one pass finds all; other types are not searched; a finding without a value stays as it is', async () => {
  const found = { severity: 'info', message: '', space: 'capture', start: 0, end: 0 } as const;
  const lost = { encoding: 'json', kind: 'nan-bits', type: 'M' } as const;
  const findings = [
    { ...found, code: 'a', lost: { ...lost, type: 'Other' } },
    { ...found, code: 'b' },
    { ...found, code: 'c', lost },
  ];
  const { selected, request } = await search(sized('9a 06 01 61', `11 ${NAN}`), 'varint', []);
  expect(await withLossPlaces(selected, findings, request, {})).toEqual([
    findings[0],
    findings[1],
    { ...findings[2], space: 'message', ordinal: 2, start: 0, end: 9 },
  ]);
});
