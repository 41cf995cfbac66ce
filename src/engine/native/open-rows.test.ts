import { expect, test } from 'vitest';
import { PassingRows } from './open-rows.ts';

test('rows that are passed over are held while they are open', () => {
  const rows = new PassingRows();
  const root = rows.open(0, -1, -1, 0);
  for (let at = 0; at < 1000; at++) rows.close(rows.open(at, root, 0, 0), at + 1);
  rows.close(root, 1000);
  expect([rows.length, rows.rows.length, rows.payloadOf(root)]).toEqual([1001, 2, 1000]);
});
