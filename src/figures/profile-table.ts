/**
 * A profile → a table for other programs: CSV (RFC 4180) and Markdown (GitHub's tables). One line per field, with its
 * own bytes.
 */

import { bytesIn, cellsIn, type FieldProfile, PROTOBUF, type Profile, totalIn } from '#engine/cost/profile.ts';
import { CATEGORIES, type Category } from '#engine/model/annotation.ts';
import { type Csv, type Markdown, toCsv, toMarkdownCode } from '#wording/escape.ts';
import { isOfText } from '#wording/field-words.ts';
import { formatCount, formatPercent, formatSigned, shareOf } from '#wording/number-text.ts';
import { sidesWithBytes } from '#wording/side-words.ts';

const FIRST: readonly Category[] = ['tag', 'length', 'value'];
const SECOND: readonly Category[] = ['flag', 'count', 'length', 'type', 'value'];

/**
 * The categories of a side: those of protobuf, of native layouts, or those that the messages have in another encoding.
 */
export function tableCategories({ fields, other }: Profile, id: string | null): readonly Category[] {
  if (id === PROTOBUF) return FIRST;
  if (other === undefined) return SECOND;
  return CATEGORIES.filter((category) => fields.some((field) => (cellsIn(field, id)[category] ?? 0) > 0));
}

/** A field's bytes in pictures and tables are its own: the page's Self. */
export const FIELD_HEAD = 'field (self)';

/** A column: its name, its cell in the row of a field, and that in the row of unattributed bytes. */
type CsvColumn = readonly [name: string, of: (field: FieldProfile) => string | number, unattributed: string | number];

/**
 * Unattributed bytes, if there are any, have a line and a column, so that the columns sum to the profile's bytes. Cells
 * of amounts that are not counted are empty.
 */
export function printCsv(profile: Profile): Csv {
  const { fields, unattributed, pair, other } = profile;
  const [first, second] = pair;
  const isUnread = unattributed > 0 && first === PROTOBUF;
  // JSON that fits no type has no bytes in protobuf.
  const ours = other?.isAlone ? [] : tableCategories(profile, first);
  const theirs = tableCategories(profile, second);
  const named = other === undefined ? 'native' : second;
  const isUncounted = (field: FieldProfile): boolean => isOfText(field) && field.parents === 0;
  const cellOf = (id: string | null, category: Category) => (field: FieldProfile) => cellsIn(field, id)[category] ?? 0;
  const columns: readonly CsvColumn[] = [
    ['path', ({ path }) => path, 'unattributed'],
    ['number', (field) => (isOfText(field) ? '' : field.number), ''],
    ['type', (field) => (isOfText(field) ? '' : (field.declared?.type ?? '')), ''],
    ['occurrences', (field) => (isOfText(field) ? '' : field.occurrences), ''],
    ['parents', (field) => (isUncounted(field) ? '' : field.parents), ''],
    ['presence', (field) => (isUncounted(field) ? '' : field.presence), ''],
    ...ours.map((category): CsvColumn => [`${first}_${category}`, cellOf(first, category), 0]),
    ...(isUnread ? [[`${first}_unattributed`, () => 0, unattributed] satisfies CsvColumn] : []),
    ...theirs.map((category): CsvColumn => [`${named}_${category}`, cellOf(second, category), 0]),
    ['writer', ({ writer }) => writer ?? '', ''],
  ];
  const rows = [
    columns.map(([name]) => name),
    ...fields.map((field) => columns.map(([, of]) => of(field))),
    ...(isUnread ? [columns.map(([, , rest]) => rest)] : []),
  ];
  return rows.map((row) => `${row.map(toCsv).join(',')}\r\n`).join('') as Csv;
}

/** Fields that cost nothing are left out. A table in a document has no other place for the unit of its figures. */
export function printMarkdown(profile: Profile): Markdown {
  const [first, second] = sidesWithBytes(profile);
  const both = second !== undefined;
  const ours = (field: FieldProfile): number => bytesIn(field, first!.id);
  const theirs = (field: FieldProfile): number => (both ? bytesIn(field, second.id) : 0);
  const spent = profile.fields.filter((field) => ours(field) > 0 || theirs(field) > 0);
  const cells = tableCategories(profile, first!.id);
  const titles = [
    'field (self, in bytes)',
    'present',
    ...cells,
    first!.name,
    ...(both ? [second.name, 'difference'] : []),
  ];
  const rows = spent.map((field) => [
    toMarkdownCode(field.path).replaceAll('|', '\\|'),
    field.parents === 0 ? '' : formatPercent(shareOf(field.presence, field.parents)),
    ...[...cells.map((category) => cellsIn(field, first!.id)[category] ?? 0), ours(field)].map(formatCount),
    ...(both ? [formatCount(theirs(field)), formatSigned(ours(field) - theirs(field))] : []),
  ]);
  const gap = ['', ...cells.map(() => '')];
  const [one, other = 0] = sidesWithBytes(profile).map(({ id }) => totalIn(profile, id));
  if (profile.unattributed > 0) {
    const bytes = formatCount(profile.unattributed);
    rows.push(['unattributed', ...gap, bytes, ...(both ? ['0', `+${bytes}`] : [])]);
  }
  const sums = [one!, ...(both ? [other] : [])].map((bytes) => `**${formatCount(bytes)}**`);
  rows.push(['**all**', ...gap, ...sums, ...(both ? [`**${formatSigned(one! - other)}**`] : [])]);
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`;
  return (line(titles) +
    line(titles.map((_, index) => (index === 0 ? '---' : '---:'))) +
    rows.map(line).join('')) as Markdown;
}
