/** Advice in sentences, and as a table for a pull request. */
import type { Advice } from '#engine/advise/advice.ts';
import type { Compatibility, Effort } from '#engine/advise/change.ts';
import type { WithDictionary } from '#engine/advise/dictionary.ts';
import type { Reencoded } from '#engine/advise/edited-schema.ts';
import type { Measure } from '#engine/advise/measure.ts';
import type { WasteKind } from '#engine/advise/waste.ts';
import type { ProfileDiff } from '#engine/cost/diff-profiles.ts';
import { shortNameOf } from '#engine/schema/names.ts';
import { apartFromLost, lostValues } from './advice-notes.ts';
import { formatBytes, formatCount, formatPercent, formatSigned, formatSignedPercent, shareOf } from './number-text.ts';

/** Its figures are those of its patch. */
type Row = Omit<Advice, 'edits'>;

/** Values that an edited schema does not hold; null: the schema was not edited. */
type Lost = Pick<Reencoded, 'lost' | 'lostSize'> | null;

/** `−180 (−1.96 %)`: a saving has a minus sign. */
export const changeText = (saved: number, before: number): string =>
  saved === 0 ? '0' : `${formatSigned(-saved)} (${formatSignedPercent(-shareOf(saved, before))})`;

const SECONDS_A_DAY = 86_400;
const UNITS = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'] as const;

/** A saving in bytes a day, with decimal units: `−1.6 GB`. @param rate messages a second */
export function aDayText(saved: number, messages: number, rate: number): string {
  let size = aDay(-saved, messages, rate);
  let unit = 0;
  for (; Math.round(Math.abs(size)) >= 1000 && unit < UNITS.length - 1; unit++) size /= 1000;
  const digits = Math.abs(size) < 9.95 && unit > 0 ? 1 : 0;
  return `${size > 0 ? '+' : size < 0 ? '−' : ''}${Math.abs(size).toFixed(digits)}\u00a0${UNITS[unit]}`;
}

/**
 * Why the messages have another size here than as captured; empty: they have the same.
 * @param label the compressor's name; id undefined: without one
 */
export function rewrittenText(before: Measure, captured: Measure, id: string | undefined, label: string): string {
  const packed = id === undefined ? undefined : captured.compressed[id];
  if (captured.bytes === before.bytes && (packed === undefined || packed === before.compressed[id!])) return '';
  const sizes = `${formatBytes(captured.bytes)}${packed === undefined ? '' : `, ${formatCount(packed)} with ${label}`}`;
  const anew =
    captured.bytes === before.bytes
      ? 'in the order of their field numbers'
      : 'as a protobuf library writes them: in the order of their field numbers, each value once, and packed if the schema declares it';
  return `For the comparison, the messages are written anew ${anew}. As captured, they take ${sizes}.`;
}

/** Why the picture's sizes are smaller than those of the sentence; empty: they are equal. */
export function prefixesText(before: number, after: number, { a, b }: Pick<ProfileDiff, 'a' | 'b'>): string {
  const [was, is] = [before - a.bytes, after - b.bytes];
  if (was === 0 && is === 0) return '';
  const sizes = was === is ? formatBytes(was) : `${formatBytes(was)} before, ${formatBytes(is)} after`;
  return `By cause and by field, without the size prefixes of the messages (${sizes}):`;
}

/** Bytes per day, from the bytes of a number of messages. */
export const aDay = (bytes: number, messages: number, rate: number): number =>
  Math.round((bytes / Math.max(1, messages)) * rate * SECONDS_A_DAY);

/** `−24 (−0.70 %) ±11`, `no difference (±12)`. */
export function compressedText(
  { deployed: { saved }, noise, isNoDifference, isSettled }: Row,
  before: Measure,
  id: string,
): string {
  const text = changeText(saved.compressed[id] ?? 0, before.compressed[id] ?? 0);
  if (!isSettled) return text;
  const band = formatCount(noise[id] ?? 0);
  return isNoDifference ? `no difference (±${band})` : `${text} ±${band}`;
}

/** The cost of another compressor: `It takes 6.3 × the time of zstd here. …` @param time as a multiple */
export const timeText = (time: number, rankedBy: string): string =>
  `It takes ${time < 0.05 ? 'less than 0.1' : time < 10 ? time.toFixed(1) : Math.round(time)}\u00a0× the time of ${rankedBy} here: native libraries have another ratio.`;

/** How a dictionary was measured. */
export const dictionaryText = ({ trainedOn, messages, dictionary }: WithDictionary): string =>
  `A dictionary of ${formatBytes(dictionary)} is trained by libzstd on ${formatCount(trainedOn)} of the messages and measured on the other ${formatCount(messages)}; its own bytes are not counted.`;

export const EFFORT_WORDS: Readonly<Record<Effort, string>> = {
  'writer only': 'Only the writer changes',
  'schema compatible': 'The schema stays compatible',
  'new field needed': 'Needs a new field number',
  'new message version': 'Needs a new version of the message',
};

export const WASTE_WORDS: Readonly<Record<WasteKind, string>> = {
  'overlong varints': 'Varints that are longer than necessary',
  'padded lengths': 'Lengths that are longer than necessary',
  'defaults written': 'Defaults written in fields without presence',
  'unpacked runs': 'Packed fields that are written unpacked',
  'repeated scalars': 'Singular scalars written several times: the last one counts',
  'replaced values': 'Values that others replace: of a oneof, a key of a map, a message in parts (messages)',
  'unknown fields': 'Fields that the schema does not know',
  'negatives in ten bytes': 'Negative numbers in ten bytes: the schema has to say sint',
};

/** The bytes that the writer alone wastes, without those that the schema wastes. */
export const writerWaste = (bytes: number, all: number): string =>
  `The writer wastes ${formatBytes(bytes)} (${formatPercent(shareOf(bytes, all))})`;

/** `binary unsafe, JSON safe, source safe`. */
export const compatibilityText = ({ binary, json, source }: Omit<Compatibility, 'reasons'>): string =>
  `binary ${binary}, JSON ${json}, source ${source}`;

interface RankedBy {
  readonly id: string;
  readonly label: string;
}

/** The size of the messages with all chosen changes and what that saves: raw, and by the compressor. */
export function appliedText(row: Row, before: Measure, compressor: RankedBy, lost: Lost): readonly string[] {
  const { after, saved } = row.deployed;
  const { bytes } = saved;
  const { id, label } = compressor;
  const raw =
    bytes === 0
      ? `${formatBytes(after.bytes)}, as before`
      : `${formatBytes(after.bytes)}: ${formatBytes(Math.abs(bytes))} ${bytes > 0 ? 'less' : 'more'} (${formatPercent(shareOf(Math.abs(bytes), before.bytes))})`;
  const packed = `${formatBytes(after.compressed[id] ?? 0)} with ${label}: ${compressedText(row, before, id)}`;
  const [lostRaw, lostPacked] = apartFrom(lost, id);
  return [`${raw}${lostRaw}.`, `${packed}${lostPacked}.`, ...newNumbersText(row, before, compressor)];
}

const apartFrom = (lost: Lost, id: string): readonly [raw: string, compressed: string] => [
  apartFromLost(lost?.lostSize.bytes ?? 0),
  apartFromLost(lost?.lostSize.compressed[id] ?? 0),
];

/** Why the patch has new numbers, and the sizes without them where they differ. Empty: it has none. */
export function newNumbersText(row: Row, before: Measure, compressor: RankedBy | undefined): readonly string[] {
  const { moves } = row.deployed;
  if (moves.length === 0) return [];
  const fields = moves.map(({ message, field }) => `${shortNameOf(message)}.${field}`).join(', ');
  const have = moves.length === 1 ? 'has a new number' : 'have new numbers';
  return [
    `In the patch ${fields} ${have}, so that no old record is misread.`,
    ...(isResized(row, compressor?.id) ? [presentNumbersText(row, before, compressor)] : []),
  ];
}

/** The sizes with the present numbers, where old records need not be read. */
export function presentNumbersText(
  { after, saved, deployed: { moves } }: Row,
  before: Measure,
  compressor: RankedBy | undefined,
): string {
  const sizes = [`${formatBytes(after.bytes)}, ${changeText(saved.bytes, before.bytes)}`];
  if (compressor !== undefined) {
    const { id, label } = compressor;
    const change = changeText(saved.compressed[id] ?? 0, before.compressed[id] ?? 0);
    sizes.push(`${formatCount(after.compressed[id] ?? 0)} with ${label}, ${change}`);
  }
  return `With the present ${moves.length === 1 ? 'number' : 'numbers'}: ${sizes.join('; ')}.`;
}

/** Whether new numbers change the size, beyond the noise. @param id of the ranking compressor */
export function isResized({ after, deployed, noise }: Row, id: string | undefined): boolean {
  if (after.bytes !== deployed.after.bytes) return true;
  if (id === undefined) return false;
  return Math.abs((after.compressed[id] ?? 0) - (deployed.after.compressed[id] ?? 0)) > (noise[id] ?? 0);
}

/** For the description of a pull request. */
export function adviceMarkdown(
  type: string,
  row: Row,
  before: Measure,
  compressor: { readonly id: string; readonly label: string },
  { rows }: ProfileDiff,
  lost: Lost,
): string {
  const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\u00a0', ' ');
  const line = (...cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`;
  const { id, label } = compressor;
  const { after, saved } = row.deployed;
  const [lostRaw, lostPacked] = apartFrom(lost, id);
  const changed = rows.filter(({ bytes }) => bytes.a !== bytes.b);
  return [
    line(type, 'before', 'after', 'change'),
    '| --- | ---: | ---: | ---: |',
    line(
      'bytes',
      formatCount(before.bytes),
      formatCount(after.bytes),
      `${changeText(saved.bytes, before.bytes)}${lostRaw}`,
    ),
    line(
      label,
      formatCount(before.compressed[id] ?? 0),
      formatCount(after.compressed[id] ?? 0),
      `${compressedText(row, before, id)}${lostPacked}`,
    ),
    ...changed.map(({ a, b, bytes }) =>
      line(`\`${b ?? a}\``, formatCount(bytes.a), formatCount(bytes.b), formatSigned(bytes.b - bytes.a)),
    ),
    '',
    ...(lost === null || lost.lost.length === 0 ? [] : [`${lostValues(lost.lost)}.`, '']),
    `Compatibility: ${compatibilityText(row.compatibility)}.`,
    '',
  ].join('\n');
}
