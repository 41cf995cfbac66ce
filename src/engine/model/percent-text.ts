/** Shares as percentages. The minus is U+2212 and the space before % does not break. */
import { grouped } from './count-text.ts';

export const NBSP = '\u00a0';

/** Half away from zero, as the decimal that the number is printed as: 1.255 is half, and gives 1.26. */
export function rounded(value: number, digits: number): number {
  const above = `${value}`.replace(new RegExp(`(?<=\\.\\d{${digits}})5$`), '6');
  return Number(Number(above).toFixed(digits));
}

/** Rounded; zero has no sign. */
export function fixed(value: number, digits: number): string {
  const amount = rounded(value, digits);
  return (amount < 0 ? '−' : '') + grouped(Math.abs(amount).toFixed(digits));
}

/** Ratio → percentage with about three significant digits. Rounding never shows 0 % or 100 % for a value that is neither. */
export function formatPercent(ratio: number): string {
  const percent = Math.abs(ratio) * 100;
  if (percent > 0 && percent < 0.005) return `${ratio < 0 ? '>−' : '<'}0.01${NBSP}%`;
  if (percent < 100 && percent >= 99.95) return `${ratio < 0 ? '<−' : '>'}99.9${NBSP}%`;
  const isWhole = percent === 0 || percent === 100 || percent >= 999.95;
  return `${fixed(ratio * 100, isWhole ? 0 : percent < 9.995 ? 2 : 1)}${NBSP}%`;
}
