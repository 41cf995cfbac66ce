import { expect, test } from 'vitest';
import type { Profile } from '#engine/cost/profile.ts';
import { ledgersOf } from '#testing/ledgers-of.ts';
import { headerWords } from './header-words.ts';

const words = (header: Profile['header']) =>
  headerWords({
    pair: ['protobuf', 'laid-out'],
    ledgers: ledgersOf({ protobuf: 9194, 'laid-out': 9156 }),
    header,
  } as unknown as Profile)?.replaceAll('\u00a0', ' ') ?? null;

test('messages without an encoded header give null', () => {
  expect(words(null)).toBe(null);
});

test('a header that costs more in protobuf, and one that costs less', () => {
  expect(words({ protobuf: 226, 'laid-out': 221 })).toBe(
    'Header +5: thread context and action take 221 bytes natively and 226 in protobuf. With it protobuf 9,420 bytes, native 9,377: +0.46 %.',
  );
  expect(words({ protobuf: 100, 'laid-out': 221 })).toContain('Header −121: ');
});
