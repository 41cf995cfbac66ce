/** A message in a field that the native layout does not have: all of its bytes have this one cause. */
import { expect, test } from 'vitest';
import { NATIVE_PROFILES } from '../native/profiles.ts';
import { compileSchema } from '../schema/compile.ts';
import { compareProfile } from './compare.ts';
import { Ledgers } from './type-profiler.ts';

const { registry } = compileSchema([
  {
    path: 'o.proto',
    content: `syntax = "proto2"; package o;
      message Order { optional fixed64 id = 1; optional Wrap own = 2; extensions 100 to 199; }
      message Wrap { optional string paper = 1; optional Wrap inner = 2; }
      extend Order { optional Wrap wrap = 101; }`,
  },
]);
const wrap = (text: string, ...inner: readonly number[]): number[] => [10, text.length, ...Buffer.from(text), ...inner];
// id, own { paper: "é" }, wrap { paper: "é" inner { paper: "blue" } }: é has two bytes, and one UTF-16 unit.
const INNER = wrap('blue');
const OUTSIDE = [0xaa, 6, 4 + 2 + INNER.length, 10, 2, 0xc3, 0xa9, 18, INNER.length, ...INNER];
const MESSAGE = Uint8Array.from([9, 1, 2, 3, 4, 5, 6, 7, 8, 18, 4, 10, 2, 0xc3, 0xa9, ...OUTSIDE]);

test.each(NATIVE_PROFILES)('$id', (profile) => {
  const ledgers = new Ledgers(registry.messages.get('o.Order'), profile);
  ledgers.add(MESSAGE);
  const causes = compareProfile(ledgers.profile());
  const outside = causes.find(({ cause }) => cause === 'outside')!;
  expect(outside.bytes).toBe(OUTSIDE.length);
  for (const { cause, fields } of causes) {
    const isOutside = (path: string): boolean => path.startsWith('[');
    expect(fields.map(({ field }) => isOutside(field.path))).toEqual(fields.map(() => cause === 'outside'));
  }
});
