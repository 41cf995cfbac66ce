/**
 * Numbers as people read them: bytes with thousands separators, differences with a sign, shares as percentages.
 * The sign is U+2212 and the space before % does not break, so that columns stay aligned and lines whole.
 */

const GROUPED = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const NBSP = '\u00a0';

export const formatCount = (count: number): string => GROUPED.format(count).replace('-', '−');

/** `+30`, `−9`, `0`. */
export const formatSigned = (count: number): string => (count > 0 ? '+' : '') + formatCount(count);

/** A mean: up to two decimals, none where it is whole. */
export function formatMean(mean: number): string {
  const rounded = Math.round(mean * 100) / 100;
  return rounded.toLocaleString('en-US', { maximumFractionDigits: 2 }).replace('-', '−');
}

export const formatBytes = (bytes: number): string => `${formatCount(bytes)}${NBSP}${bytes === 1 ? 'byte' : 'bytes'}`;

/** Ratio → percentage with about three significant digits. Rounding never shows 0 % or 100 % for a value that is neither. */
export function formatPercent(ratio: number): string {
  const percent = Math.abs(ratio) * 100;
  const sign = ratio < 0 ? '−' : '';
  if (percent === 0) return `0${NBSP}%`;
  if (percent === 100) return `${sign}100${NBSP}%`;
  if (percent < 0.005) return `${ratio < 0 ? '>−' : '<'}0.01${NBSP}%`;
  if (percent < 100 && percent >= 99.95) return `${ratio < 0 ? '<−' : '>'}99.9${NBSP}%`;
  const digits = percent < 9.995 ? 2 : percent < 999.95 ? 1 : 0;
  return `${sign}${percent.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits })}${NBSP}%`;
}

/** The same with its sign, which stands at the first digit: `<+0.01 %`. */
export const formatSignedPercent = (ratio: number): string =>
  ratio > 0 ? formatPercent(ratio).replace(/\d/, '+$&') : formatPercent(ratio);

/** part ÷ whole, 0 where there is no whole. */
export const shareOf = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole);

/** Fractions of bytes, to a tenth. */
export function formatTenths(bytes: number): string {
  const rounded = Math.round(bytes * 10) / 10;
  return (rounded === 0 ? 0 : rounded)
    .toLocaleString('en-US', { minimumFractionDigits: 1, maximumFractionDigits: 1 })
    .replace('-', '−');
}

/** Bits as bytes, to a tenth. */
export const bytesOfBits = (bits: number): string =>
  (bits / 8).toLocaleString('en-US', { minimumFractionDigits: 1, maximumFractionDigits: 1 });
