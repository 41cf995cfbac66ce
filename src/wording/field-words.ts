/** A field in words: what it is declared as, how it is written, and its difference as one sentence. */

import { CAUSES, compareFieldCost } from '#engine/cost/compare.ts';
import { type LedgerSegment, segmentsOf, sumSegments } from '#engine/cost/ledger-segments.ts';
import {
  capturedLedger,
  cellsIn,
  type FieldProfile,
  type LedgerPair,
  PROTOBUF,
  type Profile,
} from '#engine/cost/profile.ts';
import type { WasteRule } from '#engine/cost/waste-rules.ts';
import { plural } from '#engine/model/count-text.ts';
import { shortNameOf } from '#engine/schema/names.ts';
import { formatBytes, formatCount, formatMean, formatPercent, formatSigned, shareOf } from '#wording/number-text.ts';
import { lowerFirst } from './sentence-case.ts';

/** A field of a guessed type: no .proto file has a name like `?7`. */
export const isGuess = ({ name, declared }: FieldProfile): boolean => declared !== null && name.startsWith('?');

/** A name in a text that no schema declares: its bytes are known, and nothing else. */
export const isOfText = ({ declared, occurrences }: FieldProfile): boolean => declared === null && occurrences === 0;

/**
 * `int64`, `repeated Label`, `map`: without the package. A profile does not know whether `optional`, a oneof or an
 * edition gives a field its explicit presence, so the label is left out.
 */
export function declaredType(field: FieldProfile): string {
  const { declared } = field;
  if (isOfText(field)) return 'in no schema';
  if (declared === null) return field.name.endsWith('-other') ? 'another wire type' : 'not declared';
  if (isGuess(field)) return declared.cardinality === 'repeated' ? `repeated ${declared.kind}` : declared.kind;
  const type = shortNameOf(declared.type);
  if (declared.cardinality === 'map') return 'map';
  if (declared.cardinality === 'repeated') return `repeated ${type}${declared.packed ? ', packed' : ''}`;
  return declared.presence === 'required' ? `required ${type}` : type;
}

/** `short` for a row of the table, `title` for the tooltip. */
export function fieldFacts(field: FieldProfile): { readonly short: string; readonly title: string } {
  const short = declaredType(field);
  const presence =
    field.declared === null || field.declared.presence === 'none' || isGuess(field)
      ? ''
      : `, ${field.declared.presence} presence`;
  const native = field.writer === null ? '' : `; native: ${field.writer}`;
  return {
    short,
    title: `${field.path}: ${isOfText(field) ? '' : `field ${field.number}, `}${isGuess(field) ? 'by guess ' : ''}${short}${presence}${native}`,
  };
}

/**
 * `10 × (tag 1 + value 10)`, `3 × Long 26.67 on average`: count × bytes per occurrence; without a count if an encoding
 * alone writes it.
 */
function each(count: number, segments: readonly LedgerSegment[], writer = ''): string {
  const spent = segments.filter(({ bytes }) => bytes > 0);
  if (spent.length === 0) return 'nothing';
  const mean = (bytes: number): string => formatMean(bytes / Math.max(count, 1));
  const parts = spent.map(({ category, bytes }) => `${category} ${mean(bytes)}`);
  // The value is the last segment; if it is also the first, it is the only one.
  const lone = writer !== '' && spent[0]!.category === 'value';
  const average = spent[0]!.bytes % Math.max(count, 1) === 0 ? '' : ' on average';
  const inner = lone ? `${writer} ${mean(spent[0]!.bytes)}${average}` : `(${parts.join(' + ')})`;
  return `${count === 0 ? '' : `${formatCount(count)} × `}${writer !== '' && !lone ? `${writer} ` : ''}${inner}`;
}

/** `10 × (tag 1 + value 10) against 10 × Long 8 = +30 bytes, of which fixed against variable widths +20, tags +10.` */
export function differenceSentence(field: FieldProfile, pair: LedgerPair): string {
  const ours = segmentsOf(cellsIn(field, pair[0]));
  const theirs = segmentsOf(cellsIn(field, pair[1]));
  const difference = sumSegments(ours) - sumSegments(theirs);
  if (field.writer === null && sumSegments(theirs) === 0) {
    return `${each(field.occurrences, ours)}; the native layout does not contain it.`;
  }
  const causes = compareFieldCost(field, pair);
  const because = causes.map(({ cause, bytes }) => `${lowerFirst(CAUSES[cause])} ${formatSigned(bytes)}`).join(', ');
  const unit = Math.abs(difference) === 1 ? 'byte' : 'bytes';
  return `${each(field.occurrences, ours)} against ${each(field.parents, theirs, field.writer ?? '')} = ${formatSigned(difference)} ${unit}${
    causes.length < 2 ? '' : `, of which ${because}`
  }.`;
}

export interface WasteWords {
  readonly label: string;
  readonly bytes: number;
  /** The remedy. */
  readonly remedy: string;
}

const WASTE_WORDS: Readonly<Record<WasteRule, Omit<WasteWords, 'bytes'>>> = {
  negative: { label: 'Negative values as ten-byte varints', remedy: 'declare it sint32 or sint64' },
  overlong: { label: 'Overlong varints', remedy: 'write the shortest form of each varint' },
  defaults: { label: 'Defaults written', remedy: 'leave the value out: absence means the same' },
};

/** Enums have no zigzag form. */
const ENUM_REMEDY = 'give the values of the enum positive numbers';

/**
 * Bytes that the same values did not need, the largest first. The rules are of protobuf: messages captured in another
 * encoding have none. A rule of another version has no words.
 */
export const wasteWords = (
  { waste, declared }: FieldProfile,
  profile: Pick<Profile, 'pair' | 'other' | 'nativeLedger'>,
): readonly WasteWords[] =>
  (capturedLedger(profile) === PROTOBUF ? (Object.keys(WASTE_WORDS) as WasteRule[]) : [])
    .map((rule) => ({
      ...WASTE_WORDS[rule],
      ...(declared?.kind === 'enum' && rule === 'negative' && { remedy: ENUM_REMEDY }),
      bytes: waste[rule] ?? 0,
    }))
    .filter(({ bytes }) => bytes > 0)
    .sort((a, b) => b.bytes - a.bytes);

const NOT_COUNTED = 'not counted, as no schema declares it';

/** `Present in 9,000 of 10,000 (90.0 %), 2.5 records each.` */
export function presenceSentence(field: FieldProfile): string {
  const { occurrences, presence, parents, elements, packedRuns } = field;
  if (isOfText(field)) return NOT_COUNTED;
  if (parents === 0) return 'The parent message does not occur.';
  const where = `${formatCount(presence)} of ${plural(parents, 'parent')} (${formatPercent(shareOf(presence, parents))})`;
  const records =
    presence > 0 && occurrences !== presence ? `, ${formatMean(occurrences / presence)} records each` : '';
  const packed = packedRuns > 0 ? `; ${plural(packedRuns, 'packed run')}, ${plural(elements, 'element')} in all` : '';
  return `${where}${records}${packed}`;
}

export const sizeSentence = (field: FieldProfile): string => {
  const { size, occurrences } = field;
  if (isOfText(field)) return NOT_COUNTED;
  if (occurrences === 0) return 'none';
  return size.min === size.max
    ? `${formatBytes(size.min)} each`
    : `${formatCount(size.min)} to ${formatBytes(size.max)}`;
};
