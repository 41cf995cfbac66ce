import { expect, test } from 'vitest';
import { hasLongLine } from './long-text.tsx';

test.each([
  ['nothing', '', false],
  ['2 MB in short lines', 'message M {}\n'.repeat(160_000), false],
  ['a line of 20,000 characters', 'x'.repeat(20_000), false],
  ['one more', `a\n${'x'.repeat(20_001)}\nb`, true],
])('%s', (_, text, isLong) => expect(hasLongLine(text)).toBe(isLong));
