/** Rows of cells → lines of text with aligned columns, and figures as a person reads them. */
import { toMarkdownCell } from '#wording/escape.ts';

export interface Column {
  readonly title: string;
  readonly align: 'left' | 'right';
}

/** Columns two spaces apart under their titles and a rule; trailing spaces are cut. */
export function printTable(columns: readonly Column[], rows: readonly (readonly string[])[]): string {
  const widths = columns.map(({ title }, n) =>
    rows.reduce((width, row) => Math.max(width, row[n]!.length), title.length),
  );
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, n) => (columns[n]!.align === 'left' ? cell.padEnd(widths[n]!) : cell.padStart(widths[n]!)))
      .join('  ')
      .trimEnd();
  const rule = widths.map((width) => '─'.repeat(width)).join('  ');
  return [line(columns.map(({ title }) => title)), rule, ...rows.map(line)].map((text) => `${text}\n`).join('');
}

/** The same as a table of GitHub's Markdown. */
export function printMarkdownTable(columns: readonly Column[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`;
  const escaped = rows.map((cells) => cells.map(toMarkdownCell));
  const rule = columns.map(({ align }) => (align === 'left' ? '---' : '--:'));
  return [columns.map(({ title }) => title), rule, ...escaped].map(line).join('');
}

const WHOLE = new Intl.NumberFormat('en-US');

export const printCount = (value: number): string => WHOLE.format(value).replace('-', '−');

/** A mean, to a thousandth unless fewer decimals are wanted: `1,234.5`. */
export const printMean = (value: number, decimals = 3): string =>
  value.toLocaleString('en-US', { maximumFractionDigits: decimals }).replace('-', '−');

/** A mean with one decimal, so that figures in a column or a pair are alike: `1,234.0`. */
export const printTenth = (value: number): string =>
  value.toLocaleString('en-US', { minimumFractionDigits: 1, maximumFractionDigits: 1 }).replace('-', '−');

/** With its sign: a difference. */
export const printDelta = (value: number): string => (value > 0 ? `+${printCount(value)}` : printCount(value));

/** Rounding never shows 0 % or 100 % for a share that is neither. */
export function printPercent(share: number): string {
  const percent = 100 * Math.abs(share);
  const digits = share !== 0 && percent < 9.995 ? 2 : 1;
  const [sign, more, less] = share < 0 ? ['−', '<', '>'] : ['', '>', '<'];
  const rounded = percent.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
  if (rounded === '0.00') return `${less}${sign}0.01 %`;
  if (rounded === '100.0' && percent < 100) return `${more}${sign}99.9 %`;
  return `${sign}${rounded} %`;
}

/** With its sign, which stands at the first digit: `<+0.01 %`. */
export const printSignedPercent = (share: number): string =>
  share > 0 ? printPercent(share).replace(/\d/, '+$&') : printPercent(share);

export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${printCount(count)} ${count === 1 ? one : many}`;
