import fc from 'fast-check';
import { expect, test } from 'vitest';
import { applyUnifiedDiff, lineDiff } from './unified-diff.ts';

const text = fc
  .tuple(fc.array(fc.constantFrom('a', 'b', 'c', '', '}', '-x', '\\')), fc.boolean(), fc.constantFrom('\n', '\r\n'))
  .map(([lines, isEnded, newline]) => lines.join(newline) + (isEnded && lines.length > 0 ? newline : ''));

test('applying the diff of two texts to the first gives the second', () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      const diff = lineDiff('a.proto', before, after);
      expect(diff === '').toBe(before === after);
      expect(applyUnifiedDiff(before, diff.split('\n').slice(0, -1))).toBe(after);
    }),
  );
});

test('lines between two changes stay', () => {
  const before = Array.from({ length: 20 }, (_, at) => `line ${at}\n`).join('');
  const after = before.replace('line 2\n', 'line two\n').replace('line 17\n', '');
  const diff = lineDiff('a.proto', before, after);
  expect(diff.match(/^[-+](?![-+])/gm)).toHaveLength(3);
  expect(diff.match(/^@@/gm)).toHaveLength(2);
});

test('a diff of another text is refused', () => {
  const diff = lineDiff('a.proto', 'a\nb\n', 'a\nc\n').split('\n');
  expect(applyUnifiedDiff('a\nx\n', diff)).toBeUndefined();
});
