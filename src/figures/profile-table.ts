/** A profile → a table that other programs read: CSV (RFC 4180) and Markdown (GitHub's tables). A line a field, its own bytes. */

import { bytesIn, cellsIn, type FieldProfile, type Profile, totalIn } from '#engine/cost/profile.ts';
import { type Csv, type Markdown, toCsv, toMarkdownCode } from '#wording/escape.ts';
import { formatCount, formatPercent, formatSigned, shareOf } from '#wording/number-text.ts';

const FIRST = ['tag', 'length', 'value'] as const;
const SECOND = ['flag', 'count', 'length', 'type', 'value'] as const;

const CSV_COLUMNS = [
  'path',
  'number',
  'type',
  'occurrences',
  'parents',
  'presence',
  ...FIRST.map((category) => `protobuf_${category}` as const),
  ...SECOND.map((category) => `native_${category}` as const),
  'writer',
] as const;

/** The last line holds what no rule explains, if there is any: the columns sum to the profile's bytes. */
export function printCsv({ fields, unattributed, pair: [first, second] }: Profile): Csv {
  const rows = fields.map((field) => [
    field.path,
    field.number,
    field.declared?.type ?? '',
    field.occurrences,
    field.parents,
    field.presence,
    ...FIRST.map((category) => cellsIn(field, first)[category] ?? 0),
    ...SECOND.map((category) => cellsIn(field, second)[category] ?? 0),
    field.writer ?? '',
  ]);
  if (unattributed > 0) rows.push(['unattributed', '', '', '', '', '', 0, 0, unattributed, 0, 0, 0, 0, 0, '']);
  return [CSV_COLUMNS, ...rows].map((row) => `${row.map(toCsv).join(',')}\r\n`).join('') as Csv;
}

/** Fields that cost nothing are left out. */
export function printMarkdown(profile: Profile): Markdown {
  const [first, second] = profile.pair;
  const both = second !== null;
  const ours = (field: FieldProfile): number => bytesIn(field, first);
  const theirs = (field: FieldProfile): number => bytesIn(field, second);
  const spent = profile.fields.filter((field) => ours(field) > 0 || theirs(field) > 0);
  const titles = ['field', 'present', 'tag', 'length', 'value', 'protobuf', ...(both ? ['native', 'difference'] : [])];
  const rows = spent.map((field) => [
    toMarkdownCode(field.path).replaceAll('|', '\\|'),
    field.parents === 0 ? '' : formatPercent(shareOf(field.presence, field.parents)),
    ...[...FIRST.map((category) => cellsIn(field, first)[category] ?? 0), ours(field)].map(formatCount),
    ...(both ? [formatCount(theirs(field)), formatSigned(ours(field) - theirs(field))] : []),
  ]);
  const gap = ['', '', '', ''];
  const [protobuf, native] = [totalIn(profile, first), totalIn(profile, second)];
  if (profile.unattributed > 0) {
    const bytes = formatCount(profile.unattributed);
    rows.push(['unattributed', ...gap, bytes, ...(both ? ['0', `+${bytes}`] : [])]);
  }
  const sums = [protobuf, ...(both ? [native] : [])].map((bytes) => `**${formatCount(bytes)}**`);
  rows.push(['**all**', ...gap, ...sums, ...(both ? [`**${formatSigned(protobuf - native)}**`] : [])]);
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`;
  return (line(titles) +
    line(titles.map((_, index) => (index === 0 ? '---' : '---:'))) +
    rows.map(line).join('')) as Markdown;
}
