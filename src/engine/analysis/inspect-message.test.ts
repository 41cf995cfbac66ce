/** Large messages: rows cover the bytes that fit; a diagnostic reports the rest. Captured texts stand beside what they are compared with. */
import { describe, expect, test } from 'vitest';
import { bytesSource } from '../bytes/source.ts';
import { pathOfRow } from '../inspect/encoded-message.ts';
import { endAt, payloadCategoryAt, startAt } from '../model/annotation.ts';
import { NATIVE_PROFILES } from '../native/profiles.ts';
import { compileSchema } from '../schema/compile.ts';
import { loadAgainst } from './against.ts';
import { libraryOf } from './analyze.ts';
import { inspectMessage, type WantedPart } from './inspect-message.ts';
import { openInput } from './read-input.ts';
import { storeMessages } from './store/message-store.ts';

const RECORD = Uint8Array.from([0x0a, 0x80, 0x40, ...new Uint8Array(8192).fill(0x20)]);
const SIZE = 2000 * RECORD.length;

async function inspectOnly(bytes: Uint8Array, part?: WantedPart) {
  const choice = { framing: 'single', textEncoding: 'binary' };
  const opened = await openInput(bytesSource('x', bytes), choice);
  const { store } = await storeMessages(opened, choice, { nextTurn: () => Promise.resolve() });
  const request = { library: libraryOf([]), type: null, types: {}, evidence: {}, guesses: new Map() };
  return inspectMessage(store, 0, { ...request, nativeProfile: NATIVE_PROFILES[0]!, part });
}

test('16 MB: the records of the first 12 MiB, to the end of the last whole one', async () => {
  const bytes = new Uint8Array(SIZE);
  for (let at = 0; at < SIZE; at += RECORD.length) bytes.set(RECORD, at);
  const { protobuf, diagnostics } = await inspectOnly(bytes);
  expect(protobuf.bytes.length).toBe(1535 * RECORD.length);
  expect(protobuf.table.length).toBe(1536);
  expect(diagnostics).toMatchObject([{ code: 'message/shown-in-part', start: protobuf.bytes.length, end: SIZE }]);
});

test('16 MB: the parts hold every record once, in order', async () => {
  const bytes = new Uint8Array(SIZE);
  for (let at = 0; at < SIZE; at += RECORD.length) bytes.set(RECORD, at);
  const first = await inspectOnly(bytes, 0);
  const second = await inspectOnly(bytes, 1);
  expect(first.part).toEqual({ index: 0, start: 0, end: 1535 * RECORD.length, size: SIZE, isLast: false });
  expect(second.part).toEqual({ index: 1, start: 1535 * RECORD.length, end: SIZE, size: SIZE, isLast: true });
  expect(second.protobuf.table.length).toBe(1 + 465);
  expect((await inspectOnly(bytes, 9)).part).toEqual(second.part);
});

test('a larger single record: its first bytes are shown, and the missing end is not an error', async () => {
  const bytes = new Uint8Array(16 << 20);
  bytes.set([0x0a, 0xfb, 0xff, 0xff, 0x07]);
  const { protobuf, diagnostics } = await inspectOnly(bytes);
  expect(protobuf.bytes.length).toBe(12 << 20);
  expect(diagnostics.map(({ code }) => code)).toEqual(['message/shown-in-part']);
  // All that is shown is the record's value.
  expect(protobuf.table.length).toBe(2);
  expect(payloadCategoryAt(protobuf.table, 1)).toBe('value');
});

describe('a part is found', () => {
  // Field 1, a field 2 that fits no part, field 3.
  const LARGE = 13 << 20;
  const bytes = new Uint8Array(2 + 5 + LARGE + 2);
  bytes.set([0x08, 0x01, 0x12, 0x80, 0x80, 0xc0, 0x06]);
  bytes.set([0x18, 0x01], 7 + LARGE);
  const first = { index: 0, start: 0, end: 2, size: bytes.length, isLast: false };
  const large = { index: 1, start: 2, end: 2 + (12 << 20), size: bytes.length, isLast: false, recordEnd: 7 + LARGE };
  const last = { index: 2, start: 7 + LARGE, end: bytes.length, size: bytes.length, isLast: true };

  test.each([
    { by: 'its index', wanted: 1, part: large },
    { by: 'an offset in it', wanted: { offset: 1 }, part: first },
    { by: 'its first offset', wanted: { offset: 2 }, part: large },
    { by: 'an offset that is not shown: its record is', wanted: { offset: 12_999_999 }, part: large },
    { by: 'the last offset', wanted: { offset: bytes.length - 1 }, part: last },
    { by: 'a field of the first part', wanted: { field: 1 }, part: first },
    { by: 'the field that is too large', wanted: { field: 2 }, part: large },
    { by: 'a field of the last part', wanted: { field: 3 }, part: last },
    { by: 'a field that is not there: the first', wanted: { field: 4 }, part: first },
  ])('by $by', async ({ wanted, part }) => {
    expect((await inspectOnly(bytes, wanted)).part).toEqual(part);
  });

  test('a small message is one part, also if its end cannot be read', async () => {
    const { part, protobuf } = await inspectOnly(Uint8Array.from([0x08, 0x01, 0x07]), { field: 1 });
    expect([part, protobuf.bytes.length]).toEqual([undefined, 3]);
  });
});

const { registry } = compileSchema([
  {
    path: 't.proto',
    content: `syntax = "proto3"; package t;
message Shop { string name = 1; repeated Item items = 2; map<string, int32> stock = 3; }
message Item { string id = 1; int64 size = 2; repeated int32 sizes = 3; }`,
  },
]);
const JSON_TEXT = `{"items": [{"id": "a-1", "size": "12"}, {"id": "b-2", "sizes": [7, 8]}], "name": "corner", "stock": {"k": 3}}`;
const PROTO_TEXT = `items { id: "a-1" size: 12 } items { id: "b-2" sizes: [7, 8] } name: "corner" stock { key: "k" value: 3 }`;
const LEAVES = ['name', 'items.id', 'items.size', 'items.sizes', 'stock.key', 'stock.value'];

test.each([
  ['JSON', JSON_TEXT, 'msgpack-named', 'MessagePack by name'],
  ['JSON', JSON_TEXT, 'json-proto-names', 'JSON, names as declared'],
  ['JSON', JSON_TEXT, 'thrift-compact', 'Thrift compact'],
  ['Textproto', PROTO_TEXT, 'cbor-numbered', 'CBOR by number'],
  ['Textproto', PROTO_TEXT, 'avro', 'Avro binary'],
  ['JSON', JSON_TEXT, 'opensearch', 'OpenSearch as usually written'],
])('%s and %s: each value is selected on both sides', async (label, text, id, other) => {
  const opened = await openInput(bytesSource('x', new TextEncoder().encode(text)), {});
  const { store } = await storeMessages(opened, {}, { nextTurn: () => Promise.resolve() });
  const library = libraryOf([{ registry }]);
  const request = { library, type: registry.messages.get('t.Shop')!, types: {}, evidence: {}, guesses: new Map() };
  const chosen = NATIVE_PROFILES.find((profile) => profile.id === id);
  const against = chosen === undefined ? await loadAgainst(id) : undefined;
  const profile = { nativeProfile: chosen ?? NATIVE_PROFILES[0]!, isNativeChosen: chosen !== undefined };
  const { protobuf, native, ...facts } = await inspectMessage(store, 0, { ...request, ...profile, against });
  expect([protobuf.label, native?.label, facts.captured, facts.format]).toEqual([label, other, 'protobuf', label]);
  expect(new TextDecoder().decode(protobuf.bytes)).toBe(text);
  for (const [side, twin] of [
    [protobuf, native!],
    [native!, protobuf],
  ] as const) {
    const paired = new Set<string>();
    for (let row = 1; row < side.table.length; row++) {
      const there = side.counterpart[row]!;
      if (there < 0) continue;
      expect(pathOfRow(twin, there)).toBe(pathOfRow(side, row));
      if (endAt(side.table, row) > startAt(side.table, row)) paired.add(pathOfRow(side, row));
    }
    expect([...paired]).toEqual(expect.arrayContaining(LEAVES));
  }
});
