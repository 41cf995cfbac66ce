import { expect, test } from 'vitest';
import { proseOf } from './markdown-prose.ts';

const MARK = '<!-- wirecost table x.bin -->';
const isRead = (text: string): boolean => proseOf(text).includes(MARK);

test.each([
  ['a fence', `\`\`\`md\n${MARK}\n\`\`\`\n`],
  ['a fence after a byte order mark', `\ufeff\`\`\`md\n${MARK}\n\`\`\`\n`],
  ['a fence without an end', `text\n\`\`\`\n${MARK}\n`],
  ['a fence in a longer one', `\`\`\`\`\n\`\`\`\n${MARK}\n\`\`\`\n\`\`\`\`\n`],
  ['a fence of tildes', `~~~\n${MARK}\n~~~\n`],
  ['a fence in an item of a list', `1. Step:\n\n    \`\`\`md\n    ${MARK}\n    \`\`\`\n`],
  ['a fence in a quotation', `> \`\`\`\n> ${MARK}\n> \`\`\`\n`],
  ['an indented block', `text\n\n    ${MARK}\n`],
  ['a block indented by a tab', `text\r\n\r\n\t${MARK}\r\n`],
  ['a span', `a \`${MARK}\` b\n`],
  ['a span of two backticks', `a \`\` \` ${MARK} \`\` b\n`],
  ['a span over lines', `a \`b\nx ${MARK}\nc\` d\n`],
  ['an escaped character', `a \\${MARK}\n`],
])('a mark in code is not read: %s', (_, text) => {
  expect(isRead(text)).toBe(false);
  expect(proseOf(text)).toHaveLength(text.length);
});

test.each([
  ['alone', `${MARK}\n`],
  ['after a fence', `\`\`\`\na\n\`\`\`\n${MARK}\n`],
  ['after a fence that a list ends', `- \`\`\`\n  a\n\n${MARK}\n`],
  ['in an item of a list', `1. Step:\n\n   ${MARK}\n`],
  ['in a quotation', `> ${MARK}\n`],
  ['indented in a paragraph', `text\n    ${MARK}\n`],
  ['in a line', `a \`b\` ${MARK} \`c\`\n`],
  ['after a backtick without an end', `a \` b ${MARK}\n`],
  ['after an escaped backtick', `a \\\` b ${MARK} \`c\`\n`],
  ['with lines that end as those of old systems', `a\r\r${MARK}\r`],
])('a mark is read: %s', (_, text) => {
  expect(isRead(text)).toBe(true);
});
