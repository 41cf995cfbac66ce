/** Messages in a google.protobuf.Any take part in advice as any others, but each is read by itself. */
import { describe, expect, test } from 'vitest';
import { compileSchema } from '#engine/schema/compile.ts';
import { Advisor } from './advise.ts';
import { applyChanges } from './apply.ts';
import { beforeAfter, diffOf } from './before-after.ts';
import type { Change } from './change.ts';
import { FieldEncodings } from './forms.ts';
import { sequences } from './proposals/sequences.ts';
import { symbolTables } from './proposals/tables.ts';
import { readTree } from './read-tree.ts';
import { FieldValues } from './uses.ts';
import { measureWaste } from './waste.ts';

const sources = [
  {
    path: 't.proto',
    content: `syntax = "proto3"; package t; import "google/protobuf/any.proto";
      message Box { repeated google.protobuf.Any held = 1; repeated Item items = 2; }
      message Item { int64 n = 1; string name = 2; }`,
  },
];
const { registry, symbols } = compileSchema(sources);
const forms = new FieldEncodings(registry);

const prefixed = (tag: number, bytes: ArrayLike<number>): number[] => [tag, bytes.length, ...Array.from(bytes)];
const url = (type: string) => prefixed(0x0a, Buffer.from(`x/${type}`));
const any = (item: readonly number[], type = 't.Item') => [...url(type), ...prefixed(0x12, item)];
const box = (...held: readonly (readonly number[])[]) => Uint8Array.from(held.flatMap((one) => prefixed(0x0a, one)));
const NAME = prefixed(0x12, Buffer.from('a name of twenty ab'));
/** −1, as an int64 has it. */
const MINUS_ONE = [0x08, ...Array(9).fill(0xff), 0x01];

const openFor = (message: Uint8Array) =>
  Advisor.open({
    ...{ registry, type: 't.Box', compressors: [], rankedBy: undefined },
    units: [{ delimiter: null, messages: [message] }],
  });
const measured = async (message: Uint8Array, change: Change) => {
  const advisor = await openFor(message);
  return { advisor, changes: await advisor.measure([change]) };
};

const SIGNED = { change: 'type', message: 't.Item', field: 'n', from: 'int64', to: 'sint64' } as const;
const LEFT_OUT = { change: 'left out', message: 't.Item', field: 'n', when: '-1' } as const;

describe('a change of the type of messages in an Any', () => {
  test('is made in them, at any depth', async () => {
    const inner = box(any([...MINUS_ONE, ...NAME]));
    const message = box(any([...inner], 't.Box'), any(MINUS_ONE));
    const { advisor, changes } = await measured(message, SIGNED);
    expect(changes.saved.bytes).toBe(18);
    const { a, b, rows } = diffOf(beforeAfter(advisor, changes, { registry, symbols, sources }));
    expect([a.bytes, b.bytes]).toEqual([message.length, message.length - 18]);
    expect(rows.filter(({ bytes }) => bytes.a !== bytes.b).map((row) => [row.a, row.change])).toEqual([
      ['held.[t.Box].held.[t.Item].n', { value: -9 }],
      ['held.[t.Item].n', { value: -9 }],
    ]);
  });

  test('may leave them empty: no value is written then, and it comes back', async () => {
    const { changes } = await measured(box(any(MINUS_ONE), any([0x08, 1])), LEFT_OUT);
    expect(changes.saved.bytes).toBe(MINUS_ONE.length + 2);
    expect(Buffer.from(changes.units[0]!.messages[0]!)).toEqual(Buffer.from(box(url('t.Item'), any([0x08, 1]))));
  });

  test('is made in those without a value too', async () => {
    const always = { ...LEFT_OUT, change: 'presence', from: 'implicit', to: 'explicit, always set' } as const;
    const { changes } = await measured(box(url('t.Item')), always);
    expect(Buffer.from(changes.units[0]!.messages[0]!)).toEqual(Buffer.from(box(any([0x08, 0]))));
  });

  test.each([
    ['a type that the schema does not have', any(MINUS_ONE, 't.Other')],
    ['bytes that cannot be read', any([0x08])],
    ['an Any without a URL', prefixed(0x12, MINUS_ONE)],
  ])('leaves %s as they are', async (_what, held) => {
    const message = box(held);
    const { changes } = await measured(message, SIGNED);
    expect(Buffer.from(changes.units[0]!.messages[0]!)).toEqual(Buffer.from(message));
  });
});

describe('proposals', () => {
  const usesOf = (message: Uint8Array) => new FieldValues([readTree(message, forms, 't.Box')!], forms, 't.Box');
  const numbered = (n: number) => [0x08, 0x80 + n, 0x80, 0x80, 0x80, 0x80, 0x01, ...NAME];
  const some = [1, 2, 3, 4].map(numbered);
  const within = usesOf(box(...some.map((item) => any(item))));
  const outside = usesOf(Uint8Array.from(some.flatMap((item) => prefixed(0x12, item))));

  test.each([
    ['a table of texts', symbolTables],
    ['differences from another message', sequences],
  ])('%s: not in an Any, which is read by itself', (_what, propose) => {
    expect(propose(within)).toEqual([]);
    expect(propose(outside)).not.toEqual([]);
  });

  test.each<Change>([
    { change: 'constant', message: 't.Box', field: 'type_url', number: 9, list: 'held', of: 'type_url' },
    { change: 'columns', message: 't.Box', field: 'held', columns: [{ field: 'urls', number: 9, of: 'type_url' }] },
  ])('a URL stays in each Any, which cannot be read without it: $change', (change) => {
    expect(() => applyChanges([change], forms, 't.Box')).toThrow('its fields stay together');
  });
});

test('waste in an Any is found', async () => {
  const padded = [0x08, 0x85, 0x00];
  const { kinds } = await measureWaste(await openFor(box(any([...padded, 0x12, 0]))), 't.Box', []);
  expect(kinds.map(({ kind, places, saved }) => [kind, places, saved.bytes])).toEqual([
    ['defaults written', 1, 2],
    ['overlong varints', 1, 1],
  ]);
});
