import { describe, expect, test } from 'vitest';
import {
  formatBytes,
  formatCount,
  formatMean,
  formatPercent,
  formatSigned,
  formatSignedPercent,
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
    ['one byte', formatBytes(1), '1 byte'],
    ['bytes', formatBytes(2), '2 bytes'],
    ['a whole mean', formatMean(11), '11'],
    ['a mean', formatMean(1.3333), '1.33'],
    ['a signed share', formatSignedPercent(0.0077), '+0.77 %'],
    ['a share of nearly nothing', formatSignedPercent(0.00001), '<+0.01 %'],
  ])('%s', (_, text, words) => {
    expect(plain(text)).toBe(words);
  });
});
