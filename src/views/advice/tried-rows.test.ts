import { expect, test } from 'vitest';
import { countApplied } from './tried-rows.ts';

const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((field) => ({ kind: 'type', field }));
const rows = [{ changes: [a, b] }, { changes: [c] }, { changes: [b] }];

test.each([
  ['nothing', [], 0],
  ['two rows with three changes, and a row that is a part of one', [a, { ...b }, c], 2],
  ['that part alone', [b], 1],
  ['half a row', [a], 1],
  ['an edit that is in no row', [c, d], 2],
])('%s', (_, tried, count) => expect(countApplied(tried, rows)).toBe(count));
