/**
 * Numbers as people read them: bytes with thousands separators, differences with a sign, shares as percentages.
 * The sign is U+2212 and the space before % does not break, so that columns stay aligned and lines whole.
 */
import { countText, grouped } from '#engine/model/count-text.ts';

const NBSP = '\u00a0';

/** Rounded half away from zero, as the decimal that the number is printed as: 1.255 is half, and gives 1.26. */
function fixed(value: number, digits: number): string {
  const above = `${Math.abs(value)}`.replace(new RegExp(`(?<=\\.\\d{${digits}})5$`), '6');
  return (value < 0 ? '−' : '') + grouped(Number(above).toFixed(digits));
}

export const formatCount = (count: number): string => fixed(count, 0);

/** `+30`, `−9`, `0`. */
export const formatSigned = (count: number): string => (count > 0 ? '+' : '') + formatCount(count);

/** A mean: up to two decimals, none where it is whole. */
export const formatMean = (mean: number): string => countText(Math.round(mean * 100) / 100).replace('-', '−');

export const formatBytes = (bytes: number): string => `${formatCount(bytes)}${NBSP}${bytes === 1 ? 'byte' : 'bytes'}`;

/** Ratio → percentage with about three significant digits. Rounding never shows 0 % or 100 % for a value that is neither. */
export function formatPercent(ratio: number): string {
  const percent = Math.abs(ratio) * 100;
  if (percent === 0) return `0${NBSP}%`;
  if (percent === 100) return `${fixed(ratio * 100, 0)}${NBSP}%`;
  if (percent < 0.005) return `${ratio < 0 ? '>−' : '<'}0.01${NBSP}%`;
  if (percent < 100 && percent >= 99.95) return `${ratio < 0 ? '<−' : '>'}99.9${NBSP}%`;
  const digits = percent < 9.995 ? 2 : percent < 999.95 ? 1 : 0;
  return `${fixed(ratio * 100, digits)}${NBSP}%`;
}

/** The same with its sign, which stands at the first digit: `<+0.01 %`. */
export const formatSignedPercent = (ratio: number): string =>
  ratio > 0 ? formatPercent(ratio).replace(/\d/, '+$&') : formatPercent(ratio);

/** part ÷ whole, 0 where there is no whole. */
export const shareOf = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole);

/** Fractions of bytes, to a tenth. */
export function formatTenths(bytes: number): string {
  const rounded = Math.round(bytes * 10) / 10;
  return fixed(rounded === 0 ? 0 : rounded, 1);
}

/** Bits as bytes, to a tenth. */
export const bytesOfBits = (bits: number): string => fixed(bits / 8, 1);
