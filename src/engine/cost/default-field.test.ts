import { expect, test } from 'vitest';
import { ledgersOf } from '#testing/ledgers-of.ts';
import { largestField } from './default-field.ts';
import type { FieldProfile, Profile } from './profile.ts';

test('the largest field is the largest as captured: JSON spends most on names that protobuf has none of', () => {
  const field = (path: string, protobuf: number, json: number) =>
    ({
      path,
      name: path,
      ledgers: { protobuf: { value: protobuf }, 'captured-json': { key: json } },
    }) as unknown as FieldProfile;
  const profile = {
    pair: ['protobuf', 'captured-json'],
    nativeLedger: 'captured-json',
    other: { label: 'JSON', isCaptured: true, isAlone: false },
    ledgers: ledgersOf({ protobuf: 12, 'captured-json': 29 }),
    fields: [field('id', 9, 8), field('empty', 0, 21)],
  } as unknown as Profile;
  expect(largestField(profile)).toMatchObject({ field: { path: 'empty' }, bytes: 21 });
  expect(largestField({ ...profile, fields: [] })).toBeNull();
  // Fields beyond the limit of paths share rows.
  const shared = { ...field('?0-3', 9, 99), name: '?0-3' };
  expect(largestField({ ...profile, fields: [shared, ...profile.fields] })).toMatchObject({ field: { path: 'empty' } });
});
