import { describe, expect, test } from 'vitest';
import { totalIn } from '#engine/cost/profile.ts';
import { Ledgers } from '#engine/cost/type-profiler.ts';
import { NATIVE_PROFILES } from '#engine/native/profiles.ts';
import { compileSchema } from '#engine/schema/compile.ts';
import { measuredFields } from './measured-fields.ts';

const { registry } = compileSchema([
  {
    path: 't.proto',
    content: `syntax = "proto3"; package t;
      message Pair { Item left = 1; Item right = 2; }
      message Item { optional int64 size = 1; string name = 2; Item inner = 3; }`,
  },
]);
/** Pair { left { size: 1 } right { size: 2 name: "ab" inner { size: 3 } } } */
const PAIR = Uint8Array.from([0x0a, 2, 0x08, 1, 0x12, 10, 0x08, 2, 0x12, 2, 0x61, 0x62, 0x1a, 2, 0x08, 3]);

const ledgers = new Ledgers(registry.messages.get('t.Pair')!, NATIVE_PROFILES[0]!);
ledgers.add(PAIR);
const profile = ledgers.profile();

describe('fields of a type, wherever it occurs', () => {
  test('the root', () => {
    const measured = measuredFields([profile], 't.Pair');
    expect(measured.get(1)).toMatchObject({ occurrences: 1, parents: 1, presence: 1, captured: 2 });
  });

  test('a type in three places', () => {
    const measured = measuredFields([profile], 't.Item');
    expect(measured.get(1)).toMatchObject({ occurrences: 3, parents: 3, presence: 3, captured: 6 });
    expect(measured.get(2)).toMatchObject({ occurrences: 1, captured: 4 });
    expect(measured.get(1)?.native).toBe(27);
  });

  test('messages of several types that contain it', () => {
    const items = new Ledgers(registry.messages.get('t.Item'), null);
    items.add(PAIR.subarray(6));
    const measured = measuredFields([profile, items.profile()], 't.Item');
    expect(measured.get(1)).toMatchObject({ occurrences: 5, parents: 5, captured: 10 });
    // The second profile has no native side.
    expect(measured.get(1)?.native).toBeNull();
  });

  test('a type that does not occur', () => {
    expect(measuredFields([profile], 't.Other').size).toBe(0);
  });

  test('they sum to the measured bytes', () => {
    const all = ['t.Pair', 't.Item'].flatMap((type) => [...measuredFields([profile], type).values()]);
    expect(all.reduce((sum, { captured }) => sum + captured, 0)).toBe(totalIn(profile, profile.pair[0]));
    expect(all.reduce((sum, { native }) => sum + (native ?? 0), 0)).toBe(totalIn(profile, profile.pair[1]));
  });
});
