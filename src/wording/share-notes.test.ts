import { expect, test } from 'vitest';
import { sharedFromWords } from './share-notes.ts';

test('the note about a link stays a few lines long with the longest names that a link may have', () => {
  const name = 'a name of words '.repeat(256);
  expect(name).toHaveLength(4096);
  const words = sharedFromWords('link', { name, messages: '1 message', size: 7 }, { date: '2026-11-01', by: name });
  expect(words.length).toBeLessThan(400);
  expect(words).toContain('a name of words');
});
