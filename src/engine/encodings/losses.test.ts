import { expect, test } from 'vitest';
import { LOSSES, type Loss, lossKind, lossSentences } from './losses.ts';

test('a count in a sentence has separators', () => {
  expect(lossSentences({ unknown: 1740 })).toEqual(['unknown fields are dropped: 1,740']);
});

test.each(Object.values(LOSSES))('%s: only the count follows a colon', (words) => expect(words).not.toContain(':'));

test.each(Object.keys(LOSSES) as Loss[])('the sentence about %s names its kind', (loss) => {
  expect(lossSentences({ [loss]: 1740 }).map(lossKind)).toEqual([loss]);
});
