import { expect, test } from 'vitest';
import type { Diagnostic } from '#engine/model/diagnostic.ts';
import { alike, countWords } from './alike.ts';

const finding = (message: string, start: number): Diagnostic => ({
  code: 'wire/truncated',
  severity: 'error',
  message,
  space: 'message',
  start,
  end: start + 1,
});

test('findings that say the same stand together, in the order of the first of each', () => {
  const [a, b, again] = [finding('A', 1), finding('B', 2), finding('A', 3)];
  expect(alike([a, b, again])).toEqual([[a, again], [b]]);
});

test('a finding that messages have once each is counted in messages', () => {
  const of = (...ordinals: (number | undefined)[]) =>
    countWords(
      ordinals.map((ordinal) => ({ ...finding('A', 1), ...(ordinal === undefined ? {} : { ordinal }) })) as never,
    );
  expect([of(1, 2), of(1, 1), of(1, undefined), of(undefined, undefined)]).toEqual(['2 messages', '2 ×', '2 ×', '2 ×']);
});
