import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { describedFraming } from '#engine/frame/framing/described.ts';
import { FRAMING_WORDS } from './framing-words.ts';

const BITS = [8, 16, 24, 32, 40, 48, 56, 64];
const SIZES = ['u8', 'varint', ...BITS.flatMap((bits) => [`be${bits}`, `le${bits}`])].filter(
  (word) => typeof describedFraming(`${word} message`) !== 'string',
);
const page = readFileSync(new URL('../../docs/captures.md', import.meta.url), 'utf8');

test.each([
  ['the page', FRAMING_WORDS.fields],
  ['the reason of a refusal', String(describedFraming(''))],
  ['docs/captures.md', page.match(/^\| `u8`.*$/m)![0]],
])('%s names each size of a described framing', (_, words) => {
  const named = new Set(words.match(/\b(?:u8|varint|[bl]e\d+)\b/g));
  expect([...named].sort()).toEqual(SIZES.toSorted());
});
