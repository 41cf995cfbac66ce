import { expect, test } from 'vitest';
import { lossSentences } from './losses.ts';

test('a count in a sentence has separators', () => {
  expect(lossSentences({ unknown: 1740 })).toEqual(['unknown fields are dropped: 1,740']);
});
