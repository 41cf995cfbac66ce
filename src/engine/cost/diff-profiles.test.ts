import { describe, expect, test } from 'vitest';
import { NATIVE_PROFILES } from '../native/profiles.ts';
import { compileSchema } from '../schema/compile.ts';
import { diffProfiles, type ProfileDiff } from './diff-profiles.ts';
import { type Profile, ROOT } from './profile.ts';
import { Ledgers } from './type-profiler.ts';

const { registry } = compileSchema([
  {
    path: 'a.proto',
    content: `syntax = "proto3"; package a;
      message Old { string name = 1; repeated Line lines = 2; int64 total_sum = 3; }
      message Line { string text = 1; }
      message New { string name = 1; repeated Line rows = 20; Sums sums = 3; }
      message Sums { int64 totalSum = 1; }`,
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
    expect(diffProfiles(native, { profile: OLD, ledger: 'native' }).rows.find(({ b }) => b === 'lines')?.alone).toBe(
      undefined,
    );
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
    const unread = diffProfiles(protobuf(OLD), protobuf(profileOf('a.New', 'ff'))).rows;
    expect(unread.at(-1)).toMatchObject({ a: null, b: null, ofNoField: 'unattributed' });
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
  });
});
