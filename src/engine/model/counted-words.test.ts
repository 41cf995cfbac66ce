import { expect, test } from 'vitest';
import { addCounted } from './counted-words.ts';

test.each<[one: readonly string[], other: readonly string[], sum: readonly string[]]>([
  [['a: 5'], ['a: 7'], ['a: 12']],
  [['a: 999'], ['a: 1'], ['a: 1,000']],
  [['a: 1,234'], ['a: 5'], ['a: 1,239']],
  [['a: 1,234'], ['a: 1,234'], ['a: 2,468']],
  // Profiles of earlier versions have no separators.
  [['a: 1234'], ['a: 1,234,567'], ['a: 1,235,801']],
  [
    ['a: 1', 'of no count'],
    ['b: c: 2', 'of no count'],
    ['a: 1', 'of no count', 'b: c: 2'],
  ],
])('%j and %j are %j', (one, other, sum) => {
  expect(addCounted(one, other)).toEqual(sum);
});
