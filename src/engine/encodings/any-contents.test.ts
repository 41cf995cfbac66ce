/** The ledger of each encoding has the fields of what is in a google.protobuf.Any. */
import { expect, test } from 'vitest';
import { EncodingLedgers } from '../cost/ledger-collector.ts';
import { compileSchema } from '../schema/compile.ts';
import { encode } from './encoding-row.ts';
import { ENCODINGS, encodingById, encodingSubject } from './encodings.ts';
import type { Ledger } from './ledger.ts';
import { addToLedger } from './ledger-rows.ts';
import { jsonReader } from './read-json/read-json.ts';
import { txtpbReader } from './read-txtpb/read-txtpb.ts';

const { registry } = compileSchema([
  {
    path: 'held.proto',
    content: `syntax = "proto3"; package held; import "google/protobuf/any.proto";
      message Box { google.protobuf.Any one = 1; }
      message Item { int32 n = 1; repeated Item inner = 2; string s = 3; }`,
  },
]);
const prefixed = (tag: number, bytes: ArrayLike<number>): number[] => [tag, bytes.length, ...Array.from(bytes)];
/** n, a list in a list, a text with bytes that repeat. */
const CONTENTS = [8, 5, 18, 4, 18, 2, 8, 1, 26, 12, ...Buffer.from('abababababab')];
const message = Uint8Array.from(prefixed(10, [...prefixed(10, Buffer.from('/held.Item')), ...prefixed(18, CONTENTS)]));
const INSIDE = ['n', 'inner', 'inner.inner', 'inner.inner.n', 's'].map((path) => `one.[held.Item].${path}`);

const TEXTS: readonly string[] = ['json', 'json-proto-names', 'txtpb'];
/** It leaves zeros out, and has a byte for each eight others. */
const PACKED = 'capnp-packed';

test.each(ENCODINGS.filter(({ isFor }) => isFor === undefined))('$id', (row) => {
  const ledgers = new EncodingLedgers(registry.messages.get('held.Box')!, [row]);
  ledgers.add(message);
  const { bytes, fields } = ledgers.ledgers()[row.id]!;
  const sizes = Object.entries(fields).map(
    ([path, parts]) => [path, Object.values(parts).reduce((a, b) => a + b, 0)] as const,
  );
  expect(sizes.reduce((sum, [, size]) => sum + size, 0)).toBe(bytes);
  const inside = sizes.filter(([path]) => path.startsWith('one.[held.Item].'));
  expect(inside.map(([path]) => path).sort()).toEqual([...INSIDE].sort());
  const held = inside.reduce((sum, [, size]) => sum + size, 0);
  if (TEXTS.includes(row.id) || row.id === PACKED) expect(held).toBeGreaterThan(CONTENTS.length);
  else expect(held).toBe(CONTENTS.length);
});

test.each(['json', 'txtpb'])('%s writes the type of a schema that the message’s own type does not use', (id) => {
  const ledgers = new EncodingLedgers(
    registry.messages.get('held.Box')!,
    ENCODINGS.filter((row) => row.id === id),
  );
  ledgers.add(message);
  expect(ledgers.ledgers()[id]).toMatchObject({ refused: null, losses: [] });
});

test.each([
  ['json', jsonReader],
  ['txtpb', txtpbReader],
] as const)('%s is read with the same bytes by field as it is written', (id, readerOf) => {
  const box = registry.messages.get('held.Box')!;
  const subject = encodingSubject(message, box);
  const written = subject.ok ? encode(encodingById(id)!, subject.subject) : subject;
  if (!written.ok) throw new Error(written.reason);
  const read = readerOf((name) => registry.messages.get(name))(written.bytes, box);
  const [there, back]: [Ledger, Ledger] = [new Map(), new Map()];
  addToLedger(there, written.table);
  addToLedger(back, read.table);
  expect(Object.fromEntries(back)).toEqual(Object.fromEntries(there));
  expect([...back.keys()]).toEqual(expect.arrayContaining(INSIDE));
  expect(read.protobuf).toEqual(message);
});
