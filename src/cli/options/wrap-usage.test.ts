import { expect, test } from 'vitest';
import { wrapUsage } from './wrap-usage.ts';

const words = (count: number): string => Array.from({ length: count }, () => 'four').join(' ');
const under = ' '.repeat(24);

test.each([
  ['a paragraph', `${words(25)}\n${words(2)}\n`, `${words(24)}\n${words(3)}\n`],
  [
    'an option',
    `      --long ID         ${words(21)}\n${under}${words(2)}\n      --next            ${words(1)}`,
    `      --long ID         ${words(19)}\n${under}${words(4)}\n      --next            ${words(1)}`,
  ],
  [
    'an option with one line, before another option',
    `      --long ID         ${words(21)}\n      --next            ${words(1)}`,
    `      --long ID         ${words(19)}\n${under}${words(2)}\n      --next            ${words(1)}`,
  ],
  ['lines that are short enough', `${words(3)}\n${words(2)}`, `${words(3)}\n${words(2)}`],
])('the end of a long line is put before the line that continues it: %s', (_, usage, wrapped) => {
  expect(wrapUsage(usage)).toBe(wrapped);
});
