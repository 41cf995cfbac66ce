import { describe, expect, test } from 'vitest';
import { NATIVE_PROFILES } from '../native/profiles.ts';
import { compileSchema } from '../schema/compile.ts';
import { partsOf, SIZE_PREFIX_PATH, sumOfParts, totalOf } from './bit-parts.ts';
import { diffProfiles, type ProfileDiff } from './diff-profiles.ts';
import { ledgerOf } from './encoding-ledger.ts';
import { bytesAround, diffPaid, REST, rowKey, rowsWithRest } from './paid-diff.ts';
import { COMPRESSED_BITS_LEDGER, paidProfile } from './paid-profile.ts';
import { type Profile, ROOT } from './profile.ts';
import { Ledgers } from './type-profiler.ts';

const { registry } = compileSchema([
  {
    path: 'a.proto',
    content: `syntax = "proto3"; package a;
      message Old { string name = 1; repeated Line lines = 2; int64 total_sum = 3; }
      message Line { string text = 1; }
      message New { string name = 1; repeated Line rows = 20; Sums sums = 3; }
      message Sums { int64 totalSum = 1; }
      message Left { int64 user_id = 1; int64 x = 2; Part a = 3; string tag = 9; }
      message Part { string note = 1; int64 n = 2; string tag = 3; }
      message Right { int64 n_1 = 4; Inner inner = 5; Other other = 6; string tag = 9; }
      message Other { string note = 2; }
      message Inner { int64 userID = 1; string note = 2; string tag = 3; }`,
  },
]);
const profileOf = (type: string, ...messages: readonly string[]): Profile => {
  const ledgers = new Ledgers(registry.messages.get(type)!, NATIVE_PROFILES[0]!);
  for (const hex of messages) ledgers.add(new Uint8Array(Buffer.from(hex.replaceAll(' ', ''), 'hex')));
  return ledgers.profile();
};
/** name "ab", two lines, total_sum 5 */
const OLD = profileOf('a.Old', '0a026162 12030a0178 12030a0179 1805');
/** name "abc", a row, sums.totalSum 5 */
const NEW = profileOf('a.New', '0a03616263 1a020805 a201030a0178');
const protobuf = (profile: Profile) => ({ profile, ledger: 'protobuf' }) as const;

const sums = ({ a, b, rows, causes }: ProfileDiff): readonly number[] => [
  b.bytes - a.bytes,
  rows.reduce((sum, { bytes }) => sum + bytes.b - bytes.a, 0),
  causes.reduce((sum, { bytes }) => sum + bytes, 0),
];

describe('two ledgers', () => {
  const diff = diffProfiles(protobuf(OLD), protobuf(NEW));

  test('are aligned by path, or by name if paths differ; other fields have no partner', () => {
    expect(diff.rows.map(({ a, b, aligned }) => [a, b, aligned])).toEqual([
      ['name', 'name', 'path'],
      ['lines', null, 'only A'],
      ['lines.text', 'rows.text', 'name'],
      ['total_sum', 'sums.totalSum', 'name'],
      [null, 'rows', 'only B'],
      [null, 'sums', 'only B'],
    ]);
  });

  test('the user can correct the alignment', () => {
    const { rows } = diffProfiles(protobuf(OLD), protobuf(NEW), { lines: 'rows' });
    expect(rows.find(({ a }) => a === 'lines')).toMatchObject({ b: 'rows', aligned: 'chosen', bytes: { a: 4, b: 3 } });
  });

  test('a chosen field takes precedence over the one of the same path', () => {
    const { rows } = diffProfiles(protobuf(OLD), protobuf(OLD), { 'lines.text': 'name' });
    expect(rows.map(({ a, b, aligned }) => `${a} ${b} ${aligned}`)).toEqual([
      ...['name null only A', 'lines lines path', 'lines.text name chosen'],
      ...['total_sum total_sum path', 'null lines.text only B'],
    ]);
  });

  test('a field that both types declare and one side alone writes does not count as growth of tags and values', () => {
    const both = diffProfiles(protobuf(profileOf('a.Old', '0a026162')), protobuf(OLD));
    expect(both.causes).toEqual([{ cause: 'only B', bytes: 12 }]);
    expect(both.rows.map(({ b, aligned, alone }) => [b, aligned, alone])).toEqual([
      ['name', 'path', undefined],
      ['lines', 'path', 'only B'],
      ['total_sum', 'path', 'only B'],
      ['lines.text', 'only B', 'only B'],
    ]);
    const back = diffProfiles(protobuf(OLD), protobuf(profileOf('a.Old', '0a026162')));
    expect(back.causes).toEqual([{ cause: 'only A', bytes: -12 }]);
    expect(sums(back)).toEqual([-12, -12, -12]);
    // The native form writes a count for the absent lines, so the field is on both sides.
    const native = { profile: profileOf('a.Old', '0a026162'), ledger: 'native' };
    const whole = { profile: OLD, ledger: 'native' };
    for (const [a, b] of [
      [native, whole],
      [whole, native],
    ] as const) {
      const lines = diffProfiles(a, b).rows.find((row) => row.b === 'lines');
      expect(lines?.bytes[a === native ? 'a' : 'b']).toBeGreaterThan(0);
      expect(lines?.alone).toBe(undefined);
    }
  });

  test('fields and causes both sum to the difference', () => {
    expect(sums(diff)).toEqual([-1, -1, -1]);
    expect(sums(diffProfiles(protobuf(OLD), protobuf(profileOf('a.New', '0a03616263 ff'))))).toEqual([-10, -10, -10]);
    expect(new Set(sums(diffProfiles(protobuf(OLD), { profile: OLD, ledger: 'native' }))).size).toBe(1);
  });

  test('bytes of the messages themselves have a row of their own, which is not called unattributed', () => {
    const [field] = OLD.fields;
    const braces = { ...field!, path: ROOT, name: ROOT, declared: null, ledgers: { protobuf: { punctuation: 2 } } };
    const a = { ...OLD, fields: [...OLD.fields, braces] };
    const rest = diffProfiles(protobuf(a), protobuf(NEW)).rows.filter((row) => row.a === null && row.b === null);
    expect(rest).toEqual([
      { a: null, b: null, aligned: 'path', bytes: { a: 2, b: 0 }, change: { punctuation: -2 }, ofNoField: 'messages' },
    ]);
    const { protobuf: ledger } = NEW.ledgers;
    const partly = { ...ledger!, own: { '?': { unattributed: 1 } } };
    const unreadToo = { ...NEW, ledgers: { ...NEW.ledgers, protobuf: partly } };
    expect(diffProfiles(protobuf(a), protobuf(unreadToo)).rows.at(-1)).toMatchObject({
      ofNoField: 'messages',
      bytes: { a: 2, b: 1 },
    });
    const unread = diffProfiles(protobuf(OLD), protobuf(profileOf('a.New', 'ff'))).rows;
    expect(unread.at(-1)).toMatchObject({ a: null, b: null, ofNoField: 'unattributed' });
  });

  test('a name aligns without case and underscores, if it is the name of one field on each side', () => {
    // A number that is in no schema is not a name: 15 at the top of A, and inside of B.
    const left = protobuf(profileOf('a.Left', '0801 1002 1a060a0161 1a0174 7801 4a0174'));
    const right = protobuf(profileOf('a.Right', '2a0a0801120161 1a0174 7801 3203120162 4a0174'));
    const pairs = diffProfiles(left, right).rows.filter(({ bytes }) => bytes.a + bytes.b > 0);
    expect(pairs.map(({ a, b, aligned }) => `${a} ${b} ${aligned}`).sort()).toEqual(
      [
        ...['user_id inner.userID name', 'x null only A', 'a null only A', 'a.note null only A', '?15 null only A'],
        ...['tag tag path', 'a.tag inner.tag name'],
        ...['null inner only B', 'null inner.note only B', 'null other only B', 'null other.note only B'],
        'null inner.?15 only B',
      ].sort(),
    );
  });

  test('causes are the largest first, and those that cancel out are left out', () => {
    // "abcdefgh" and a line, against "ab", two lines and a sum.
    const old = profileOf('a.Old', '0a086162636465666768 12030a0178');
    const { causes } = diffProfiles(
      protobuf(old),
      protobuf(profileOf('a.Old', '0a026162 12030a0178 12030a0179 18ff01')),
    );
    expect(causes).toEqual([
      { cause: 'value', bytes: -5 },
      { cause: 'only B', bytes: 3 },
      { cause: 'tag', bytes: 2 },
      { cause: 'length', bytes: 2 },
    ]);
    // A byte more in the name, a byte less in the line.
    const cancelled = diffProfiles(
      protobuf(profileOf('a.Old', '0a026162 12040a027878')),
      protobuf(profileOf('a.Old', '0a03616263 12030a0178')),
    );
    expect(cancelled.causes).toEqual([]);
    expect(cancelled.rows.filter(({ change }) => change['value'] !== undefined)).toHaveLength(2);
  });

  test('bytes are divided by the units of their side', () => {
    const { rows, causes } = diffProfiles(protobuf(OLD), protobuf(OLD), {}, { a: 2, b: 4 });
    expect(rows.find(({ a }) => a === 'name')).toMatchObject({
      bytes: { a: 2, b: 1 },
      change: { tag: -0.25, length: -0.25, value: -0.5 },
    });
    expect(causes.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(16 / 4 - 16 / 2);
  });

  test('without messages there is no size of one, and no record', () => {
    const none = { profile: profileOf('a.Old'), ledger: 'protobuf' };
    const expected = { messages: 0, bytes: 0, bytesPerMessage: 0, record: null };
    expect(diffProfiles(none, none)).toMatchObject({ a: expected, b: expected, rows: expect.any(Array), causes: [] });
    expect(diffProfiles(protobuf(OLD), { profile: OLD, ledger: 'x' }).b).toMatchObject({
      bytes: 0,
      bytesPerMessage: 0,
    });
  });

  test('a profile does not differ from itself', () => {
    const same = diffProfiles(protobuf(OLD), protobuf(OLD));
    expect(same.causes).toEqual([]);
    expect(same.rows.every(({ change }) => Object.keys(change).length === 0)).toBe(true);
  });

  test('totals are per message, and per record if records are counted', () => {
    const many = profileOf('a.Old', '12030a0178'.repeat(8));
    expect(diffProfiles(protobuf(many), protobuf(OLD)).a).toEqual({
      messages: 1,
      bytes: 40,
      bytesPerMessage: 40,
      record: { name: 'line', count: 8, bytesPerRecord: 5 },
    });
    const two = profileOf('a.Old', '0a026162', '0a0461626364');
    expect(diffProfiles(protobuf(two), protobuf(OLD)).a).toEqual({
      messages: 2,
      bytes: 10,
      bytesPerMessage: 5,
      record: null,
    });
  });
});

describe('two sides after compression', () => {
  const a = {
    profile: OLD,
    bits: {
      ...{ compressedBytes: 8, container: { frame_header: 24 } },
      fields: [
        { path: 'name', bytes: { tag: 1, length: 1, value: 2 }, paid: { tag: 8, length: 8, value: 16 } },
        { path: SIZE_PREFIX_PATH, bytes: { length: 1 }, paid: { length: 8 } },
      ],
    },
  };
  const b = {
    profile: NEW,
    bits: {
      ...{ compressedBytes: 6, container: { frame_header: 8 } },
      fields: [
        { path: 'name', bytes: { tag: 1, value: 3 }, paid: { tag: 4, value: 12 } },
        { path: 'rows.text', bytes: { value: 1 }, paid: { value: 24 } },
      ],
    },
  };
  const spent = (diff: ReturnType<typeof diffPaid>) =>
    Object.fromEntries([...diff.rows].filter(([, bytes]) => bytes.a + bytes.b > 0));

  test.each([
    ['in total', { a: 1, b: 1 }],
    ['of each record', { a: 2, b: 4 }],
  ])('rows sum to the compressed sizes %s; containers and bytes between messages have one row', (_, units) => {
    const diff = diffPaid(a, b, {}, units);
    expect(diff.compressed).toEqual({ a: 8 / units.a, b: 6 / units.b });
    expect(spent(diff)).toEqual({
      [rowKey({ a: 'name', b: 'name' })]: { a: 4 / units.a, b: 2 / units.b },
      [rowKey({ a: 'lines.text', b: 'rows.text' })]: { a: 0, b: 3 / units.b },
      [REST]: { a: 4 / units.a, b: 1 / units.b },
    });
  });

  test('the ledger of a side has all bits of its streams, by field or of the messages themselves', () => {
    const shared = a.bits.fields.map((field, at) => (at === 0 ? { ...field, shared: { value: 48 } } : field));
    for (const [which, name, bytes] of [
      ['paid', { tag: 1, length: 1, value: 2 }, 8],
      ['shared', { value: 6 }, 10],
    ] as const) {
      const paid = paidProfile(OLD, { ...a.bits, fields: shared }, which, 'after zstd');
      const ledger = ledgerOf(paid, COMPRESSED_BITS_LEDGER)!;
      expect(ledger).toMatchObject({ label: 'after zstd', bytes, fields: { name, '': { header: 4 } } });
    }
  });

  test('the row of the rest is added once, where streams have one and messages have none', () => {
    const plain = diffProfiles(protobuf(OLD), protobuf(NEW));
    const bare = { profile: OLD, bits: { compressedBytes: 0, container: {}, fields: [] } };
    const [withRest, withoutRest] = [diffPaid(a, b), diffPaid(bare, bare)];
    expect(rowsWithRest(plain, [withoutRest, withRest]).map(rowKey)).toEqual([...plain.rows.map(rowKey), REST]);
    expect(rowsWithRest(plain, [withRest]).at(-1)).toMatchObject({ bytes: { a: 0, b: 0 }, change: {} });
    expect(rowsWithRest(plain, [withoutRest])).toBe(plain.rows);
    expect(rowsWithRest(plain, [])).toBe(plain.rows);
    const unread = diffProfiles(protobuf(OLD), protobuf(profileOf('a.New', 'ff')));
    expect(rowsWithRest(unread, [withRest])).toBe(unread.rows);
  });

  test('bytes around the messages are those of streams that hold all messages', () => {
    const streams = { messages: 3, outOf: 3, plainBytes: 20 };
    expect(bytesAround(protobuf(OLD), streams)).toBe(4);
    expect(bytesAround(protobuf(OLD), { ...streams, outOf: 4 })).toBe(0);
    expect(bytesAround({ profile: OLD, ledger: 'x' }, streams)).toBe(0);
  });

  test('end tags of groups count as tags, everything but tags and lengths as values', () => {
    const parts = partsOf({ tag: 1, 'group-end': 2, length: 4, value: 8, flag: 16, header: 32 });
    expect(parts).toEqual({ tag: 3, length: 4, value: 56 });
    expect(sumOfParts([parts, parts])).toEqual({ tag: 6, length: 8, value: 112 });
    expect(totalOf(parts)).toBe(63);
  });
});
