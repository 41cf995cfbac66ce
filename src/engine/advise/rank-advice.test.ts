import { describe, expect, test } from 'vitest';
import type { Advice } from './advice.ts';
import { isInVain, rankAdvice } from './rank-advice.ts';

type Row = readonly [title: string, bytes: number, zstd: number, facts?: Partial<Advice>];

const advice = ([title, bytes, zstd, facts]: Row): Advice => {
  const saved = { bytes, compressed: { zstd } };
  return { title, against: 'before', isNoDifference: false, changes: [], deployed: { saved }, ...facts } as Advice;
};

const NOISE = { isNoDifference: true };
const TO_ZSTD = { changes: [{ change: 'compressor', from: 'gzip', to: 'zstd' }] } as const;

/** From first to last. */
const ROWS: readonly Row[] = [
  ['of the writer', 5, -9, { against: 'captured' }],
  ['after compression most', 20, 40],
  ['after compression less', 90, 30],
  ['of a writer that wastes nothing', 0, 20, { against: 'captured' }],
  ['another compressor', 0, 90, TO_ZSTD],
  ['within the noise, most raw bytes', 60, 1, NOISE],
  ['within the noise, fewer', 10, 5, NOISE],
  ['within the noise, and no raw bytes', 0, 8, NOISE],
  ['nothing after compression', 70, 0],
  ['less than nothing', 80, -2],
];
const titles = (rows: readonly Pick<Advice, 'title'>[]) => rows.map(({ title }) => title);

describe('rows of advice', () => {
  test('by what is left after compression', () => {
    const ranked = rankAdvice(ROWS.toReversed().map(advice), 'zstd');
    expect(titles(ranked)).toEqual(ROWS.map(([title]) => title));
    expect(ranked.map(({ id }) => id)).toEqual(ROWS.map((_, at) => at + 1));
    expect(ranked.map((one) => isInVain(one, 'zstd'))).toEqual(ROWS.map((_, at) => at >= 5));
  });

  test('by raw bytes, if no compressor ranks', () => {
    const some = ROWS.slice(1, 3).map(advice);
    expect(titles(rankAdvice(some, undefined))).toEqual(['after compression less', 'after compression most']);
  });
});
