/** A and B → what changes from the first to the second, in a headline and one reason. */
import { countedUnits } from '#engine/cost/counted-unit.ts';
import {
  type DiffRow,
  type DiffSide,
  type DiffUnits,
  diffProfiles,
  type ProfileDiff,
} from '#engine/cost/diff-profiles.ts';
import { REST, rowKey } from '#engine/cost/paid-diff.ts';
import { capturedLedger, PROTOBUF, type Profile, totalIn } from '#engine/cost/profile.ts';
import {
  formatBytes,
  formatChange,
  formatCount,
  formatMean,
  formatSigned,
  formatTenths,
  signed,
} from './number-text.ts';
import { afterWords, type StreamFacts } from './paid-words.ts';
import { pathTail } from './path-tail.ts';
import { encodingName } from './side-words.ts';
import type { Phrase } from './verdict-words.ts';

/** The captured encoding of either side. */
export const shownDiffOf = (
  a: Profile,
  b: Profile,
  aligned: Readonly<Record<string, string>> = {},
  units?: DiffUnits,
): ProfileDiff => diffProfiles(capturedSide(a), capturedSide(b), aligned, units);

export const capturedSide = (profile: Profile): DiffSide => ({ profile, ledger: capturedLedger(profile) });

/** Bytes of all messages in the captured encoding. */
export const capturedTotal = (profile: Profile): number => totalIn(profile, capturedLedger(profile));

/** The divisors of each side's bytes; null: one side has no such unit. */
export function unitsOf(unit: 'total' | 'message' | 'record', a: Profile, b: Profile): DiffUnits | null {
  if (unit === 'total') return { a: 1, b: 1 };
  if (unit === 'message') return a.messages > 0 && b.messages > 0 ? { a: a.messages, b: b.messages } : null;
  const [one, other] = countedUnits(a, b);
  if (one.path === null || other.path === null || one.count === 0 || other.count === 0) return null;
  return { a: one.count, b: other.count };
}

/** `a message`, `a series`: what a unit is called; the second side's name where they differ. */
export function unitWords(unit: 'total' | 'message' | 'record', a: Profile, b: Profile): string {
  if (unit === 'total') return 'in total';
  if (unit === 'message') return 'a message';
  const [{ short: one }, { short: other }] = countedUnits(a, b);
  return `${/^[aeiou]/.test(one) ? 'an' : 'a'} ${one === other ? one : `${one} or ${other}`}`;
}

/** `B takes 11,749 bytes, A 71,690: 83.6 % less, 35.6 instead of 217.2 a series.` Encodings are named unless both are protobuf. */
export function pairHeadline(b: Profile, a: Profile): readonly Phrase[] {
  const [before, after] = [capturedTotal(a), capturedTotal(b)];
  const change = after - before;
  const [inA, inB] = [encodingName(a), encodingName(b)];
  const isNamed = inA !== PROTOBUF || inB !== PROTOBUF;
  const ofB = `B takes ${formatBytes(after)}${isNamed ? ` in ${inB}` : ''}`;
  const totals = `${ofB}, A ${formatCount(before)}${inA === inB ? '' : ` in ${inA}`}: `;
  if (change === 0) return [{ text: totals }, { text: 'the same', tone: 'even' }, { text: '.' }];
  return [
    { text: totals },
    { text: formatChange(before, after), tone: change > 0 ? 'bad' : 'good' },
    { text: `${eachOf(a, b)}.` },
  ];
}

/** `After zstd level 3, B takes 3,557 bytes, A 3,944: −9.81 %.` */
export function afterPairWords({ a, b }: { readonly a: PairStream; readonly b: PairStream }): string {
  const change = b.compressedBytes - a.compressedBytes;
  const share = change === 0 ? 'the same' : formatChange(a.compressedBytes, b.compressedBytes);
  const after = afterWords(a);
  return `${after.charAt(0).toUpperCase()}${after.slice(1)}, B takes ${formatBytes(b.compressedBytes)}, A ${formatCount(a.compressedBytes)}: ${share}.`;
}

export interface CapturedSide {
  readonly profile: Profile;
  /** Bytes as captured; null: it is not known. */
  readonly captured: number | null;
}

/** `Compressed as captured: −32.0 %, B 12,506 bytes, A 18,383.`; empty: it is not known, or the same as plain. */
export function capturedPairWords(a: CapturedSide, b: CapturedSide): string {
  const isCompressed = ({ profile, captured }: CapturedSide): boolean =>
    captured !== null && captured < capturedTotal(profile);
  if (a.captured === null || b.captured === null || !(isCompressed(a) || isCompressed(b))) return '';
  const how = isCompressed(a) && isCompressed(b) ? 'Compressed as captured' : 'As captured';
  const change = b.captured - a.captured;
  const share = change === 0 ? 'the same' : formatChange(a.captured, b.captured);
  return `${how}: ${share}, B ${formatBytes(b.captured)}, A ${formatCount(a.captured)}.`;
}

type PairStream = StreamFacts & { readonly compressedBytes: number };

function eachOf(a: Profile, b: Profile): string {
  const unit = unitsOf('record', a, b) ? 'record' : 'message';
  const units = unitsOf(unit, a, b);
  if (units === null || (units.a === 1 && units.b === 1)) return '';
  return `, ${formatMean(capturedTotal(b) / units.b)} instead of ${formatMean(capturedTotal(a) / units.a)} ${unitWords(unit, a, b)}`;
}

/** Why no field aligns if only one side is read by number; empty: both have names of fields, or neither. */
export function untypedSide(a: Profile, b: Profile): string {
  if (isByNumber(a) === isByNumber(b)) return '';
  return isByNumber(a)
    ? 'A is read by field number, so its fields have other names than in B: swap both, and choose its type. '
    : 'B is read by field number, so its fields have other names than in A: choose its type. ';
}

const isByNumber = ({ type, other }: Profile): boolean => type === '' && other?.isAlone !== true;

/** `Most of it: …labels.value −30,492, symbols +2,310.` Many small changes, or opposite ones, are not most of the sum. */
export function pairReason(diff: ProfileDiff): string {
  const changes = diff.rows.map((row) => ({ row, change: row.bytes.b - row.bytes.a }));
  const largest = changes
    .filter(({ change }) => change !== 0)
    .sort((x, y) => Math.abs(y.change) - Math.abs(x.change))
    .slice(0, 2);
  const sumOf = (of: typeof changes): number => of.reduce((sum, { change }) => sum + change, 0);
  const [named, all] = [sumOf(largest), sumOf(changes)];
  const isMost = Math.abs(named) * 2 > Math.abs(all) && named * all > 0;
  const list = largest.map(({ row, change }) => `${shortName(row)} ${formatSigned(change)}`).join(', ');
  const moved = diff.rows.filter(({ aligned }) => aligned === 'name' || aligned === 'chosen').length;
  const only = (['only A', 'only B'] as const).flatMap((side) => {
    const count = diff.rows.filter(({ alone, bytes }) => alone === side && bytes.a + bytes.b > 0).length;
    return count === 0 ? [] : [`${formatCount(count)} in ${side.slice(-1)} alone`];
  });
  const fields = [...(moved === 0 ? [] : [`${formatCount(moved)} aligned by name`]), ...only];
  return [
    largest.length === 0
      ? 'Every field takes the same bytes in both.'
      : `${isMost ? 'Most of it' : 'Largest changes'}: ${list}.`,
    ...(fields.length === 0 ? [] : [`Fields: ${fields.join(', ')}.`]),
  ].join(' ');
}

/** `A 8,646 bytes, B none: −8,646.`; in another unit than the total: `A none, B 22.54 bytes a series: +22.54.` */
export function fieldChange({ a, b, bytes }: DiffRow, per: string | null): string {
  const sized = (size: number): string =>
    per === null ? formatBytes(size) : `${formatMean(size)} ${size === 1 ? 'byte' : 'bytes'} ${per}`;
  const before = a === null && b !== null ? 'none' : sized(bytes.a);
  const after = b === null && a !== null ? 'none' : sized(bytes.b);
  const change = bytes.b - bytes.a;
  return `A ${before}, B ${after}: ${change === 0 ? 'the same' : signed(change, per === null ? formatCount(change) : formatMean(change))}.`;
}

/** A change of compressed bytes, to a tenth: `+1.5`, `−0.3`; without a sign if it rounds to `0.0`. */
export function formatSignedTenths(bytes: number): string {
  const text = formatTenths(bytes);
  return bytes > 0 && text !== '0.0' ? `+${text}` : text;
}

/** The path in B, after the path in A if they differ. */
export function rowName({ a, b, ofNoField }: DiffRow): string {
  if (a === null || b === null) return a ?? b ?? OF_NO_FIELD[ofNoField ?? 'unattributed'];
  return a === b ? a : `${a} → ${b}`;
}

/** The same beside compressed bytes, where the row of no field also has what the streams have around the messages. */
export const paidRowName = (row: DiffRow): string =>
  rowKey(row) === REST ? 'no field: container, framing' : rowName(row);

/** Why compressed sizes are of more than the plain bytes; empty: they are of the same. */
export function aroundWords({ a, b }: DiffRow['bytes']): string {
  if (a === 0 && b === 0) return '';
  return `The messages are compressed with the bytes around them (${formatBytes(a)} in A, ${formatCount(b)} in B), which the plain bytes leave out.`;
}

/** Names of the row that has the bytes of no field. */
const OF_NO_FIELD = { unattributed: 'unattributed', messages: 'the messages themselves' } as const;

/** The end of a path; of two paths both, whole. */
const shortName = (row: DiffRow): string =>
  row.a !== null && row.b !== null && row.a !== row.b ? rowName(row) : pathTail(rowName(row), '…');

export const DIFF_CAUSES: Readonly<Record<string, string>> = {
  tag: 'Tags',
  length: 'Length prefixes',
  value: 'Values',
  flag: 'Flags',
  count: 'Counts',
  type: 'Type bytes',
  key: 'Names and numbers of fields',
  punctuation: 'Brackets, colons, commas and ends',
  quotes: 'Quotes and escapes',
  space: 'White space and comments',
  offset: 'Offsets and pointers',
  padding: 'Padding',
  'group-end': 'End tags',
  'only A': 'Fields in A alone',
  'only B': 'Fields in B alone',
  unattributed: 'Unattributed',
};
