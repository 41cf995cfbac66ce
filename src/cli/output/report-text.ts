/** Profiles → the report in a terminal: a verdict in words, its causes, and the fields with both ledgers. */

import { implausibilityOf } from '#engine/analysis/evidence/implausibility.ts';
import type { OwnFindings } from '#engine/analysis/messages-run.ts';
import { CAUSES, compareProfile } from '#engine/cost/compare.ts';
import {
  bytesIn,
  capturedLedger,
  cellsIn,
  headerSides,
  PROTOBUF,
  type Profile,
  totalIn,
  unexplainedBytes,
} from '#engine/cost/profile.ts';
import type { Diagnostic } from '#engine/model/diagnostic.ts';
import { contentsWords } from '#wording/content-words.ts';
import { isOfText } from '#wording/field-words.ts';
import { firstName, firstTitle, sideName } from '#wording/side-words.ts';
import { sharedOf } from '#wording/verdict-words.ts';
import { visible } from '#wording/visible.ts';
import {
  type Column,
  plural,
  printCount,
  printDelta,
  printPercent,
  printSignedPercent,
  printTable,
  printTenth,
} from './text-table.ts';

/** @param findings about the messages that were added up @param groups their names, if no type names them */
export const printProfile = (
  profile: Profile,
  nativeLabel: string | null,
  findings?: OwnFindings,
  groups: readonly string[] = [],
): string =>
  [
    verdict(profile, nativeLabel, groups),
    implausibility(profile, findings),
    unexplained(profile),
    profile.pair[1] === null || profile.other?.isAlone ? '' : causes(profile),
    fields(profile),
  ]
    .filter((part) => part !== '')
    .join('\n');

/** Maximum number of groups that the verdict names. */
const MAX_GROUPS = 3;

function ofGroups(groups: readonly string[]): string {
  if (groups.length === 0) return '';
  const more = groups.length - MAX_GROUPS;
  const named = groups.slice(0, MAX_GROUPS).map(visible).join('; ');
  return ` of ${named}${more > 0 ? ` and ${plural(more, 'group')} more` : ''}`;
}

function verdict(profile: Profile, nativeLabel: string | null, groups: readonly string[]): string {
  const { type, messages, other } = profile;
  const native = profile.pair[1];
  const [first, second] = [totalIn(profile, profile.pair[0]), totalIn(profile, native)];
  const what = `${type === '' ? 'Without a type' : type}, ${plural(messages, 'message')}${ofGroups(groups)}.`;
  if (native === null) return `${what} ${firstTitle(profile)} ${plural(first, 'byte')}.${contentsWords(profile)}\n`;
  if (other?.isAlone) return `${what} ${other.label} ${plural(second, 'byte')}, by its own names: no type fits it.\n`;
  const { alone, shared } = sharedOf(profile);
  const delta = shared[0] - shared[1];
  const [verb, sign] = delta > 0 ? ['costs', '+'] : ['saves', ''];
  const size = Math.abs(delta);
  const amounts = [
    ...(shared[1] === 0 ? [] : [(delta > 0 ? printSignedPercent : printPercent)(size / shared[1])]),
    `${sign}${plural(size, 'byte')}`,
    ...(messages > 1 ? [`${sign}${printTenth(size / messages)} a message`] : []),
  ];
  const cost = delta === 0 ? 'both cost the same' : `${firstName(profile)} ${verb} ${amounts.join(', ')}`;
  const how = other?.isCaptured ? ' as captured' : other === undefined ? ` (${nativeLabel ?? native})` : '';
  const totals = `${firstTitle(profile)} ${plural(first, 'byte')}, ${sideName(profile)} ${printCount(second)}${how}`;
  return `${what} ${totals}${alone === null ? '' : `. ${alone}`}: ${cost}.${contentsWords(profile)}\n`;
}

function implausibility(profile: Profile, findings: OwnFindings | undefined): string {
  const found = implausibilityOf(profile, findings);
  return found === null ? '' : `${[found.verdict, ...found.facts].join(' ')}\n`;
}

/** From this share on, bytes that the type does not explain are said at the top. */
const NOTABLE = 0.01;

/** Captured bytes of a message with a type that none of its fields explains. */
function unexplained(profile: Profile): string {
  const { type, nativeLedger } = profile;
  if (type === '' || nativeLedger !== undefined) return '';
  const captured = capturedLedger(profile);
  const bytes = unexplainedBytes(profile);
  const total = totalIn(profile, captured);
  if (bytes < NOTABLE * total || bytes === 0) return '';
  return `${printCount(bytes)} of ${plural(total, 'byte')} are in no field of ${type}${captured === PROTOBUF ? '' : ', so no other encoding has them'}.\n`;
}

function causes(profile: Profile): string {
  const columns: readonly Column[] = [
    { title: `from ${sideName(profile)} to ${firstName(profile)}`, align: 'left' },
    { title: 'bytes', align: 'right' },
  ];
  return printTable(columns, [
    [sideName(profile), printCount(totalIn(profile, profile.pair[1]))],
    ...compareProfile(profile).map(({ cause, bytes }) => [`  ${CAUSES[cause]}`, printDelta(bytes)]),
    [firstName(profile), printCount(totalIn(profile, profile.pair[0]))],
    ...headers(profile),
  ]);
}

/** The transport's headers that are written like messages, and both totals with them. */
function headers(profile: Profile): readonly (readonly string[])[] {
  const header = headerSides(profile);
  if (header === null) return [];
  const native = totalIn(profile, profile.pair[1]) + header.native;
  const protobuf = totalIn(profile, profile.pair[0]) + header.protobuf;
  return [
    ['native with header', printCount(native)],
    ['  Header', printDelta(header.protobuf - header.native)],
    ['protobuf with header', printCount(protobuf)],
  ];
}

function fields(profile: Profile): string {
  const [first, second] = profile.pair;
  const native = second !== null;
  // JSON that fits no type has no bytes in protobuf.
  const isAlone = profile.other?.isAlone === true;
  // Few layouts write type bytes, and few encodings all of their categories: the column would be zeros.
  const cells = OTHER_CELLS.filter(
    (cell) =>
      (profile.other === undefined && ALWAYS.has(cell)) ||
      profile.fields.some((field) => (cellsIn(field, second)[cell] ?? 0) > 0),
  );
  const ours = isAlone
    ? []
    : first === PROTOBUF
      ? (['tag', 'length', 'value'] as const)
      : OTHER_CELLS.filter((cell) => profile.fields.some((field) => (cellsIn(field, first)[cell] ?? 0) > 0));
  const writers = native && profile.other === undefined;
  const left = (title: string): Column => ({ title, align: 'left' });
  const right = (title: string): Column => ({ title, align: 'right' });
  const columns = [
    left('field'),
    right('number'),
    right('occurs'),
    right('present'),
    ...(isAlone ? [] : [...ours, firstName(profile)].map(right)),
    ...(native ? [...cells, sideName(profile), ...(isAlone ? [] : ['delta'])].map(right) : []),
    ...(writers ? [left('writer')] : []),
  ];
  const shown = profile.fields.filter((field) => field.occurrences > 0 || bytesIn(field, second) > 0);
  const depths = new Map<string, number>();
  const rows = shown.map((field) => {
    const depth = field.parent === '' ? 0 : (depths.get(field.parent) ?? 0) + 1;
    depths.set(field.path, depth);
    const own = cellsIn(field, first);
    const [total, other] = [bytesIn(field, first), bytesIn(field, second)];
    return [
      `${'  '.repeat(depth)}${field.name}`,
      isOfText(field) ? '' : String(field.number),
      isOfText(field) ? '' : printCount(field.occurrences),
      field.parents === 0 ? '' : printPercent(field.presence / field.parents),
      ...(isAlone ? [] : [...ours.map((cell) => own[cell] ?? 0), total].map(printCount)),
      ...(native
        ? [
            ...[...cells.map((cell) => cellsIn(field, second)[cell] ?? 0), other].map(printCount),
            ...(isAlone ? [] : [printDelta(total - other)]),
          ]
        : []),
      ...(writers ? [field.writer ?? ''] : []),
    ];
  });
  if (profile.unattributed > 0) {
    const gap = (count: number) => Array<string>(count).fill('');
    const bytes = printCount(profile.unattributed);
    rows.push([
      'unattributed',
      ...gap(3 + ours.length),
      bytes,
      ...(native ? [...gap(1 + cells.length), `+${bytes}`] : []),
      ...gap(writers ? 1 : 0),
    ]);
  }
  const hidden = profile.fields.length - shown.length;
  const note =
    hidden === 0
      ? ''
      : `${plural(hidden, 'field')} that ${hidden === 1 ? 'costs nothing is' : 'cost nothing are'} left out.\n`;
  return printTable(columns, rows) + note;
}

const OTHER_CELLS = [
  'key',
  'punctuation',
  'quotes',
  'space',
  'offset',
  'padding',
  'flag',
  'count',
  'type',
  'length',
  'value',
  'group-end',
  'unattributed',
] as const;
const ALWAYS: ReadonlySet<string> = new Set(['flag', 'count', 'length', 'value']);

/** `error schema/unresolved, a.proto:3:9: message` */
export const printDiagnostic = (finding: Diagnostic): string => printFinding(finding, null);

/** @param input its name, among several */
export function printFinding(finding: Diagnostic, input: string | null): string {
  const { severity, code, message } = finding;
  const where = placeOf(finding, input);
  return `${severity} ${code}${where === '' ? '' : `, ${where}`}: ${message}`;
}

function placeOf({ space, start, end, ordinal, lost, file, line, column }: Diagnostic, input: string | null): string {
  if (space === 'schema') return [file, line, column].filter((part) => part !== undefined).join(':');
  // Findings that are only counted have no place.
  const isPlaced = space !== 'capture' || end > 0;
  const parts = [
    ...(input === null ? [] : [input]),
    ...(isPlaced && ordinal !== undefined ? [`message ${ordinal}`] : []),
    ...(isPlaced ? [`byte ${start}`] : []),
  ];
  return `${lost !== undefined && isPlaced ? 'first in ' : ''}${parts.join(', ')}`;
}
