/** `diff --compressor`: the bytes of the fields of two sides, plain and after compressors, side by side. */
import { measureBits } from '#engine/analysis/measure/measure-bits.ts';
import { perOf } from '#engine/analysis/measure/measure-matrix.ts';
import { firstCompressor } from '#engine/compression/captured-with.ts';
import type { CompressorId } from '#engine/compression/compressor-row.ts';
import { COMPRESSORS, type Compressor, loadCompressor } from '#engine/compression/compressors.ts';
import { isAttributed } from '#engine/cost/bit-parts.ts';
import type { DiffRow, ProfileDiff } from '#engine/cost/diff-profiles.ts';
import { bytesAround, diffPaid, type PaidDiff, rowKey, rowsWithRest } from '#engine/cost/paid-diff.ts';
import { PROTOBUF, type Profile } from '#engine/cost/profile.ts';
import { CAPTURED_NATIVE } from '#engine/encodings/captured-encodings.ts';
import type { EncodingRow } from '#engine/encodings/encoding-row.ts';
import { encodingById } from '#engine/encodings/encodings.ts';
import { nativeEncoding } from '#engine/encodings/native-encoding.ts';
import { SCHEMA_LAYOUT_PROFILE } from '#engine/native/profiles.ts';
import { BITS_NOTES, type BitsFacts } from '#wording/bits-words.ts';
import { aroundWords, formatSignedTenths, paidRowName } from '#wording/pair-words.ts';
import { BadArguments, type Options } from '../options/arguments.ts';
import { Refusal } from '../output/outcome.ts';
import {
  type Column,
  plural,
  printCount,
  printDelta,
  printMarkdownTable,
  printSignedPercent,
  printTable,
  printTenth,
} from '../output/text-table.ts';
import type { Measured } from './measure.ts';
import type { TypeSample, TypeSamples } from './type-samples.ts';

/** Ids separated by commas. @throws BadArguments */
export function loadCompressorList(ids: string): Promise<readonly Compressor[]> {
  const rows = ids.split(',').map((id) => {
    const row = COMPRESSORS.find((known) => known.id === id);
    if (row !== undefined) return row;
    throw new BadArguments(`No compressor ${id}; there are ${COMPRESSORS.map((known) => known.id).join(', ')}`);
  });
  return Promise.all(rows.map(({ id }) => loadCompressor(id)));
}

/** The compressor whose bits are shown if none is chosen: not Brotli, whose bits are not known by field. */
export function firstForBits({ sample }: TypeSample): CompressorId {
  const first = firstCompressor(sample.capturedWith);
  return first === 'brotli' ? 'zstd' : first;
}

export interface PaidSide {
  readonly profile: Profile;
  /** Id of its encoding's ledger. */
  readonly ledger: string;
  readonly measured: Measured;
  readonly samples: TypeSamples;
}

export interface PaidColumn {
  readonly compressor: Compressor;
  readonly diff: PaidDiff;
  /** Whether it is known what each field pays. */
  readonly isByField: boolean;
  /** Bytes of the streams that are outside of the messages: size prefixes, separators. */
  readonly framing: Sides;
  /** Whether only a part of a side's messages was compressed. */
  readonly isSampled: boolean;
}

/** @throws Refusal if a side cannot be compressed in its encoding */
export async function paidColumns(
  a: PaidSide,
  b: PaidSide,
  compressors: readonly Compressor[],
): Promise<readonly PaidColumn[]> {
  const columns: PaidColumn[] = [];
  for (const compressor of compressors) {
    const [before, after] = [await bitsOf(a, compressor), await bitsOf(b, compressor)];
    const diff = diffPaid({ profile: a.profile, bits: before.bits }, { profile: b.profile, bits: after.bits });
    const framing = { a: bytesAround(a, before.bits), b: bytesAround(b, after.bits) };
    const isByField = isAttributed(before.bits.container) && isAttributed(after.bits.container);
    columns.push({ compressor, diff, isByField, framing, isSampled: before.isSampled || after.isSampled });
  }
  return columns;
}

/** @throws Refusal if the messages cannot be compressed in the encoding */
export async function bitsOf(
  { profile, ledger, measured, samples }: PaidSide,
  compressor: Compressor,
): Promise<{ readonly bits: BitsFacts; readonly isSampled: boolean }> {
  const found = samples.of(profile);
  const encoding = found && encodingOf(ledger, profile, measured, found);
  if (found === undefined || encoding === undefined) {
    throw new Refusal(`${profile.type || 'Messages without a type'}: there is nothing to compress as ${ledger}`);
  }
  const { type, sample } = found;
  const per = perOf(undefined, sample, measured.reports[0]!.input.kind);
  const measuredBits = await measureBits({ type, sample, per, encoding, compressor });
  const { label, library, version } = compressor;
  const by = { kind: 'encoder' as const, label, library, version };
  return { bits: { ...measuredBits, by, outOf: profile.messages }, isSampled: sample.isSampled };
}

/** The matrix row that writes a ledger's bytes. `native` is the chosen profile, or the captured encoding. */
function encodingOf(
  ledger: string,
  { pair }: Profile,
  { nativeProfile }: Measured,
  { captured }: TypeSample,
): EncodingRow | undefined {
  if (ledger === captured?.id) return captured;
  if (ledger !== 'native' && ledger !== pair[1]) return encodingById(ledger);
  if (nativeProfile === SCHEMA_LAYOUT_PROFILE && captured === CAPTURED_NATIVE) return captured;
  return encodingById(ledger) ?? (nativeProfile === null ? undefined : nativeEncoding(nativeProfile, {}));
}

/** Bytes of both sides plain and after each compressor, and the library that made them. */
export function printPaidDiff(
  plain: ProfileDiff,
  columns: readonly PaidColumn[],
  { markdown, most }: Pick<Options, 'markdown' | 'most'>,
): string {
  const print = markdown ? printMarkdownTable : printTable;
  const diffs = columns.filter(({ isByField }) => isByField).map(({ diff }) => diff);
  const total = { a: plain.a.bytes, b: plain.b.bytes };
  const lines = rowsWithRest(plain, diffs)
    .map(
      (row): Line => ({
        name: nameOf(row),
        cells: [row.bytes, ...diffs.map(({ rows }) => rows.get(rowKey(row)) ?? { a: 0, b: 0 })],
      }),
    )
    .filter(({ cells }) => cells.some(({ a, b }) => a > 0 || b > 0));
  const shown =
    most === undefined || lines.length <= most + 1
      ? lines
      : mostChanged(lines, [total, ...diffs.map(({ compressed }) => compressed)], most);
  const head = ['plain', ...columns.map(({ compressor: { label } }) => label)].flatMap((title) =>
    ['A', 'B', 'change'].map((side): Column => ({ title: `${title} ${side}`, align: 'right' })),
  );
  const rows = [
    [
      'all',
      ...[total, ...columns.map(({ diff }) => diff.compressed)].flatMap(({ a, b }) => [
        printCount(a),
        printCount(b),
        shareOf(a, b),
      ]),
    ],
    ...shown.map(({ name, cells: [own, ...paid] }) => [
      name,
      ...[printCount(own!.a), printCount(own!.b), printDelta(own!.b - own!.a)],
      ...columns.flatMap(({ isByField, diff }) => (isByField ? paidCells(paid[diffs.indexOf(diff)]!) : ['', '', ''])),
    ]),
  ];
  const makers = columns.map(({ compressor: { label, library, version }, isSampled }) => {
    const of = isSampled ? ', of a sample of the messages' : '';
    return `${label}: ${library} ${version}${of}`;
  });
  const table = print([{ title: 'field', align: 'left' }, ...head], rows);
  const notes = [
    diffs.length === 0 ? 'Bytes.' : 'Bytes; those of a field after compression are the bits that it pays.',
    diffs.length === columns.length ? '' : BITS_NOTES.totalsOnly,
    // All compressors get the same streams.
    aroundWords(columns[0]!.framing),
  ];
  return `${table}\n${[...notes.filter(Boolean), makers.join('; ')].join(' ')}.\n`;
}

const paidCells = ({ a, b }: Sides): readonly string[] => [printTenth(a), printTenth(b), formatSignedTenths(b - a)];

interface Line {
  readonly name: string;
  /** Plain, then after each compressor whose bits are known by field. */
  readonly cells: readonly Sides[];
}

type Sides = { readonly a: number; readonly b: number };

/** The lines whose part of A changes most in one of the columns, then one of all others. */
function mostChanged(lines: readonly Line[], totals: readonly Sides[], most: number): readonly Line[] {
  const change = ({ cells }: Line): number =>
    Math.max(...cells.map(({ a, b }, at) => Math.abs(b - a) / Math.max(1, totals[at]!.a)));
  const sorted = [...lines].sort((x, y) => change(y) - change(x));
  const others = sorted.slice(most);
  const sum = (at: number, side: keyof Sides) => others.reduce((all, { cells }) => all + cells[at]![side], 0);
  const rest = {
    name: `${others.length} others`,
    cells: totals.map((_, at) => ({ a: sum(at, 'a'), b: sum(at, 'b') })),
  };
  return [...sorted.slice(0, most), rest];
}

function nameOf(row: DiffRow): string {
  const { a, b } = row;
  if (a === null && b !== null) return `${b} (in B)`;
  return b === null && a !== null ? `${a} (in A)` : paidRowName(row);
}

function shareOf(a: number, b: number): string {
  if (a === b) return '0';
  return a === 0 ? '' : printSignedPercent((b - a) / a);
}

/** In bytes, as fractions of whole ones. */
export const paidJson = (plain: ProfileDiff, columns: readonly PaidColumn[]) =>
  Object.fromEntries(
    columns.map(({ compressor: { id, library, version, parameters }, diff, isByField, framing, isSampled }) => [
      id,
      {
        ...{ library, version, parameters, isSampled, framing },
        ...diff.compressed,
        rows: isByField
          ? rowsWithRest(plain, [diff]).map(({ a, b }) => ({ a, b, bytes: diff.rows.get(rowKey({ a, b })) ?? null }))
          : [],
      },
    ]),
  );

export function sidesLine({ a, b }: ProfileDiff, encodings: SideNames): string {
  const isNamed = encodings.a !== PROTOBUF || encodings.b !== PROTOBUF;
  const side = ({ messages, bytes }: ProfileDiff['a'], encoding: string) =>
    `${plural(bytes, 'byte')}${isNamed ? ` of ${encoding}` : ''} in ${plural(messages, 'message')}`;
  return `A ${side(a, encodings.a)}, B ${side(b, encodings.b)}`;
}

/** How the encodings of both sides are called. */
export interface SideNames {
  readonly a: string;
  readonly b: string;
}
