/** Rows of cells → lines of text with aligned columns, and figures as a person reads them. */
import { toMarkdownCell } from '#wording/escape.ts';
import { formatPercent, formatSignedPercent } from '#wording/number-text.ts';

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

export { plural } from '#engine/model/count-text.ts';
/** Figures as the page writes them, with plain spaces. */
export {
  formatCount as printCount,
  formatRatio as printRatio,
  formatSigned as printDelta,
  formatTenths as printTenth,
} from '#wording/number-text.ts';

export const plainSpaces = (text: string): string => text.replace('\u00a0', ' ');

export const printPercent = (share: number): string => plainSpaces(formatPercent(share));
export const printSignedPercent = (share: number): string => plainSpaces(formatSignedPercent(share));
