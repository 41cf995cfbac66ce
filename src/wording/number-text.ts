/**
 * Numbers as people read them: bytes with thousands separators, differences with a sign, shares as percentages.
 * The sign is U+2212 and the space before % does not break, so that columns stay aligned and lines whole.
 */
import { fixed, formatPercent, NBSP } from '#engine/model/percent-text.ts';

export { formatPercent } from '#engine/model/percent-text.ts';

export const formatCount = (count: number): string => fixed(count, 0);

/** A value that rounds to zero has no sign, and the minus is in the text. */
export const signed = (value: number, text: string): string => (value > 0 && Number(text) !== 0 ? `+${text}` : text);

/** `+30`, `−9`, `0`. */
export const formatSigned = (count: number): string => signed(count, formatCount(count));

/** A mean, with no zeros at its end. */
export const formatMean = (mean: number, mostDecimals = 2): string => fixed(mean, mostDecimals).replace(/\.?0+$/, '');

export const formatBytes = (bytes: number): string => `${formatCount(bytes)}${NBSP}${bytes === 1 ? 'byte' : 'bytes'}`;

/** The same with its sign, which stands at the first digit: `<+0.01 %`. */
export const formatSignedPercent = (ratio: number): string =>
  ratio > 0 ? formatPercent(ratio).replace(/\d/, '+$&') : formatPercent(ratio);

/** From `before` to `after` as a share of it: `+12.0 %`; of nothing there is no share: `+7`. */
export const formatChange = (before: number, after: number): string =>
  before === 0 ? formatSigned(after) : formatSignedPercent((after - before) / before);

/** part ÷ whole, 0 where there is no whole. */
export const shareOf = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole);

/** Bytes ÷ other bytes, `0.98`; empty where there are no others. Rounding never shows 0 for bytes that are there. */
export const formatRatio = (bytes: number, base: number): string =>
  base === 0 ? '' : bytes > 0 && bytes / base < 0.005 ? '<0.01' : fixed(bytes / base, 2);

/** Milliseconds as seconds. */
export const formatSeconds = (milliseconds: number, decimals: number): string => fixed(milliseconds / 1000, decimals);

/** Fractions of bytes, to a tenth. */
export const formatTenths = (bytes: number): string => fixed(bytes, 1);

/** Bits as bytes, to a tenth. */
export const bytesOfBits = (bits: number): string => fixed(bits / 8, 1);
