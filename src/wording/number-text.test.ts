import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { meanFigure, signedMeanFigure } from './mean-figures.ts';
import {
  bytesOfBits,
  formatBytes,
  formatCount,
  formatMean,
  formatPercent,
  formatRatio,
  formatSeconds,
  formatSigned,
  formatSignedPercent,
  formatTenths,
} from './number-text.ts';

const plain = (text: string) => text.replaceAll('\u00a0', ' ');

describe('formatPercent', () => {
  test.each([
    ['nothing', 0, '0 %'],
    ['all', 1, '100 %'],
    ['the measured case', 69997 / 9137865, '0.77 %'],
    ['tenths', 0.125, '12.5 %'],
    ['a tenth by rounding', 0.099_99, '10.0 %'],
    ['less than a tenth', -0.0999, '−9.99 %'],
    ['ten times by rounding', 9.9999, '1,000 %'],
    ['nearly nothing is not nothing', 0.00001, '<0.01 %'],
    ['a hundredth by rounding', 0.00006, '0.01 %'],
    ['nearly all is not all', 0.99999, '>99.9 %'],
    ['less', -0.0315, '−3.15 %'],
    ['a little less than nothing', -0.00001, '>−0.01 %'],
    ['more than all', 4.83, '483.0 %'],
    ['far more than all', 10.13, '1,013 %'],
  ])('%s', (_, ratio, words) => {
    expect(plain(formatPercent(ratio))).toBe(words);
  });
});

describe('counts and bytes', () => {
  test.each([
    ['separators', formatCount(9207862), '9,207,862'],
    ['a true minus', formatCount(-1234), '−1,234'],
    ['plus', formatSigned(30), '+30'],
    ['minus', formatSigned(-9), '−9'],
    ['neither', formatSigned(0), '0'],
    ['neither by rounding', [-0.3, 0.3].map(formatSigned).join(), '0,0'],
    ['a signed mean', [1.3333, -0.3].map(signedMeanFigure).join(), '+1.33,−0.30'],
    ['a signed mean of nearly nothing', [0.001, -0.001].map(signedMeanFigure).join(), '0.00,0.00'],
    [
      'means of a column',
      [12, 1.3333, 1234.5, 0].map((mean) => meanFigure(mean)).join(' '),
      '12.00 1.33 1,234.50 0.00',
    ],
    ['an hour', formatSeconds(3_609_312.34, 4), '3,609.3123'],
    ['one byte', formatBytes(1), '1 byte'],
    ['bytes', formatBytes(2), '2 bytes'],
    ['a whole mean', formatMean(11), '11'],
    ['a mean', formatMean(1.3333), '1.33'],
    [
      'means halfway, of both signs',
      [0.125, -0.125, 1.005, -1.005].map((mean) => formatMean(mean)).join(),
      '0.13,−0.13,1.01,−1.01',
    ],
    ['the same in a column', [0.125, -0.125, 1.005, -1.005].map(signedMeanFigure).join(), '+0.13,−0.13,+1.01,−1.01'],
    ['means of nearly nothing', [0.001, -0.001].map((mean) => formatMean(mean)).join(), '0,0'],
    ['means that end with zeros', [100, 1200, 0.1].map((mean) => formatMean(mean)).join(' '), '100 1,200 0.1'],
    [
      'a mean to a thousandth',
      [1234.5, -71_690, 0.12345].map((mean) => formatMean(mean, 3)).join(' '),
      '1,234.5 −71,690 0.123',
    ],
    ['a signed share', formatSignedPercent(0.0077), '+0.77 %'],
    ['a ratio', formatRatio(5180, 5300), '0.98'],
    ['a large ratio', formatRatio(12_345, 1), '12,345.00'],
    ['a ratio of nearly nothing', formatRatio(3, 1000), '<0.01'],
    ['a ratio of nothing', formatRatio(0, 1000), '0.00'],
    ['a ratio to nothing', formatRatio(5, 0), ''],
    ['a share of nearly nothing', formatSignedPercent(0.00001), '<+0.01 %'],
  ])('%s', (_, text, words) => {
    expect(plain(text)).toBe(words);
  });
});

describe('as Intl writes them', () => {
  const to = (minimumFractionDigits: number, maximumFractionDigits = minimumFractionDigits) =>
    new Intl.NumberFormat('en-US', { minimumFractionDigits, maximumFractionDigits });
  const fixed = [to(0), to(1), to(2)];
  const atMostTwo = to(0, 2);
  const intl = (value: number, digits: number, numbers = fixed[digits]!) => numbers.format(value).replace('-', '−');

  test('counts and fractions of bytes', () => {
    const count = fc.maxSafeInteger();
    fc.assert(
      fc.property(count, (value) => {
        expect(formatCount(value)).toBe(intl(value, 0));
      }),
    );
    const bits = fc.integer({ min: -1e9, max: 1e12 });
    fc.assert(
      fc.property(bits, (value) => {
        expect(bytesOfBits(value)).toBe(intl(value / 8, 1));
      }),
    );
    const part = fc.tuple(fc.integer({ min: -1e9, max: 1e9 }), fc.integer({ min: 1, max: 1e6 }));
    fc.assert(
      fc.property(part, ([sum, of]) => {
        expect(formatMean(sum / of)).toBe(intl(sum / of, 2, atMostTwo).replace(/^−0$/, '0'));
        expect(formatTenths(sum / of)).toBe(intl(sum / of, 1).replace(/^−0\.0$/, '0.0'));
      }),
    );
  });

  test('shares, those halfway between two figures too', () => {
    const percentages = [
      ['hundredths', 1, 9_994, 2, 10_000],
      ['thousandths', 6, 9_994, 2, 100_000],
      ['tenths', 100, 998, 1, 1_000],
      ['hundredths above ten', 1_001, 9_994, 1, 10_000],
      ['more than all', 1_001, 9_999, 1, 1_000],
      ['far more than all', 1_001, 99_999, 0, 100],
    ] as const;
    const others: string[] = [];
    for (const [name, from, to, digits, of] of percentages) {
      for (let part = from; part <= to; part++) {
        const percent = Math.abs(part / of) * 100;
        if (percent === 100 || (digits === 2 && percent >= 9.995)) continue;
        const [ours, theirs] = [plain(formatPercent(part / of)), `${intl(percent, digits)} %`];
        if (ours !== theirs) others.push(`${name}: ${part} of ${of} is ${theirs}, not ${ours}`);
      }
    }
    expect(others).toEqual([]);
  });
});
