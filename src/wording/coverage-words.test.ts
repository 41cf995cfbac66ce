import { expect, test } from 'vitest';
import { coverageOf } from '#engine/analysis/coverage.ts';
import type { FieldProfile, Profile } from '#engine/cost/profile.ts';
import { ledgersOf } from '#testing/ledgers-of.ts';
import { capturedWords, coverageShare, coverageWords, partWords } from './coverage-words.ts';

const plain = (text: string | null): string | undefined => text?.replaceAll('\u00a0', ' ');
const measured = (type: string, unattributed = 0, fields: readonly FieldProfile[] = []) => ({
  type,
  unattributed,
  fields,
  pair: ['protobuf', null] as const,
});
const typed = measured('a.B');
const untyped = measured('');
/** Twenty bytes in one encoding. */
const field = (name: string, ledger: string, isDeclared: boolean) =>
  ({
    name,
    path: name,
    declared: isDeclared ? {} : null,
    ledgers: { [ledger]: { tag: 1, value: 19 } },
  }) as unknown as FieldProfile;
const none = { messages: 0, bytes: 0 };

test.each([
  ['all is explained', { profiles: [typed], origins: [{ messages: 3, bytes: 99 }], opaque: none }, undefined],
  [
    'most have no layout',
    { profiles: [typed], origins: [{ messages: 3, bytes: 405 }], opaque: { messages: 31, bytes: 7728 } },
    'Layouts and types explain 405 of 8,133 bytes (4.98 %), in 3 of 34 messages.',
  ],
  [
    'some are read by number, and a type leaves bytes over',
    {
      profiles: [measured('a.B', 10), untyped],
      origins: [
        { messages: 2, bytes: 110 },
        { messages: 1, bytes: 100 },
      ],
      opaque: none,
    },
    'Layouts and types explain 100 of 210 bytes (47.6 %), in 2 of 3 messages.',
  ],
  [
    'a type does not have all fields',
    {
      profiles: [measured('a.B', 0, [field('id', 'protobuf', true), field('?7', 'protobuf', false)])],
      origins: [{ messages: 1, bytes: 40 }],
      opaque: none,
    },
    'Layouts and types explain 20 of 40 bytes (50.0 %), in 1 of 1 message.',
  ],
  [
    'a type does not have all names of a captured text',
    {
      profiles: [
        {
          ...measured('a.B', 0, [field('id', 'json', true), field('(root)', 'json', false), field('x', 'json', false)]),
          pair: ['protobuf', 'json'] as const,
          other: { label: 'JSON', isCaptured: true, isAlone: false },
        },
      ],
      origins: [{ messages: 1, bytes: 60 }],
      opaque: none,
    },
    'Layouts and types explain 40 of 60 bytes (66.7 %), in 1 of 1 message.',
  ],
  [
    'a type has none of the fields',
    {
      profiles: [measured('a.B', 0, [field('?7', 'protobuf', false)])],
      origins: [{ messages: 2, bytes: 20 }],
      opaque: none,
    },
    'No layout or type explains any of the 20 bytes in 2 messages.',
  ],
  [
    'none has a type',
    { profiles: [untyped], origins: [{ messages: 1, bytes: 100 }], opaque: none },
    'No layout or type explains any of the 100 bytes in 1 message.',
  ],
  [
    'almost all is not all',
    { profiles: [typed], origins: [{ messages: 9, bytes: 999_999 }], opaque: { messages: 1, bytes: 1 } },
    'Layouts and types explain 999,999 of 1,000,000 bytes (>99.9 %), in 9 of 10 messages.',
  ],
  [
    'an empty message without a layout counts as a message',
    { profiles: [typed], origins: [{ messages: 1, bytes: 9 }], opaque: { messages: 1, bytes: 0 } },
    'Layouts and types explain 9 of 9 bytes (100 %), in 1 of 2 messages.',
  ],
])('%s', (_, addedUp, words) => expect(plain(coverageWords(coverageOf([addedUp])))).toBe(words));

test.each([
  ['a part', [typed, untyped], 1, '50.0 % of 200 bytes explained.'],
  ['nothing: the amount, and no 0 %', [untyped, untyped], 1, '200 bytes in 2 messages.'],
  ['nothing, and the headline has the amount of all', [untyped], 1, ''],
])('a headline begins with what is known if the schema explains %s', (_, profiles, shown, words) => {
  const origins = profiles.map(() => ({ messages: 1, bytes: 100 }));
  expect(plain(coverageShare(coverageOf([{ profiles, origins, opaque: none }]), shown))).toBe(words);
});

test.each([
  [3, 34, 'These figures are of 3 of them.'],
  [34, 34, null],
] as const)('figures of %s of %s messages were shared', (messages, all, words) =>
  expect(partWords(messages, all)).toBe(words),
);

test.each([
  ['compressed', 39, 'Compressed as captured: 39 bytes (39.0 % of plain).'],
  ['as it is', 100, ''],
])('the captured size of messages that were captured %s', (_, captured, words) => {
  const profile = { pair: ['protobuf', null], ledgers: ledgersOf({ protobuf: 100 }) } as unknown as Profile;
  expect(plain(capturedWords(captured, profile))).toBe(words);
});
