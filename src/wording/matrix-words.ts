/** A matrix of encodings and compressors → what it says, in sentences. */
import type { MatrixSizes } from '#engine/analysis/measure/matrix-sizes.ts';
import type { CapturedWith } from '#engine/compression/captured-with.ts';
import { formatOf } from '#engine/compression/formats.ts';
import { bytesInAny } from '#engine/cost/in-any.ts';
import { PROTOBUF, type Profile, totalIn } from '#engine/cost/profile.ts';
import { leftOut } from '#engine/encodings/left-out.ts';
import type { EncodingSizes } from '#engine/encodings/matrix.ts';
import { NBSP } from '#engine/model/percent-text.ts';
import { formatBytes, formatChange, formatCount, formatPercent, formatRatio, shareOf } from './number-text.ts';
import { encodingInSentence } from './sentence-case.ts';

/** The contents of one compressed stream. */
export const STREAM_CONTENTS = {
  joined: 'joined and compressed at once',
  request: 'compressed request by request, as they were sent',
  message: 'each compressed alone',
} as const;

/**
 * `10 messages, joined and compressed at once. Protobuf has 68 bytes of framing.` Framing is what the captured messages
 * have between them and the profile leaves out.
 */
export function measuredAs(
  { messages, per, sampled, rows, captured }: Omit<MatrixSizes, 'type' | 'compressors'>,
  profile: Pick<Profile, 'messages' | 'ledgers'> | undefined,
): string {
  const how = messages === 1 ? '1 message' : `${formatCount(messages)} messages, ${STREAM_CONTENTS[per]}`;
  if (sampled !== null) return `${how}; a sample of ${formatCount(sampled.messages)}, extrapolated to all messages.`;
  const row = rows.find(({ id }) => id === captured);
  const plain = profile?.messages === messages ? profile.ledgers[captured]?.bytes : undefined;
  const framing = (row?.bytes ?? 0) - (plain ?? Number.POSITIVE_INFINITY);
  return framing > 0 ? `${how}. ${row!.label} has ${formatBytes(framing)} of framing.` : `${how}.`;
}

/** `Captured with gzip.`, `Captured with gzip (80.0 % of the bytes), no compression (20.0 %).`; empty: without compression. */
export function capturedWithWords(sum: CapturedWith = {}): string {
  const all = Object.entries(sum).sort(([, a], [, b]) => b - a);
  if (all.every(([format]) => format === 'none')) return '';
  const bytes = all.reduce((whole, [, own]) => whole + own, 0);
  const names = all.map(([format, own], at) => {
    const name = formatOf(format)?.label ?? (format === 'none' ? 'no compression' : format);
    return all.length === 1
      ? name
      : `${name} (${formatPercent(shareOf(own, bytes))}${at === 0 ? ' of the bytes' : ''})`;
  });
  return `Captured with ${names.join(', ')}.`;
}

/** The row that others are compared with: the captured one, or protobuf where not all messages have a captured form. */
export function referenceRow<R extends EncodingSizes>({
  rows,
  captured,
}: {
  readonly rows: readonly R[];
  readonly captured: string;
}): R | undefined {
  const sized = (wanted: string) => rows.find(({ id, bytes }) => id === wanted && bytes !== null);
  return sized(captured) ?? sized(PROTOBUF);
}

/** `0.98 ×`, in one line; empty if there is no reference size. */
export const timesOf = (bytes: number, captured: number | null | undefined): string =>
  captured ? `${formatRatio(bytes, captured)}${NBSP}×` : '';

/**
 * ` ±0.34 %`: the error of a size that is extrapolated from a sample; empty: all messages were measured. One stream alone
 * does not show it: ` ±?`. @param by id of a compressor; null: before compression
 */
export const errorWords = (
  { sampled }: Pick<MatrixSizes, 'sampled'>,
  errors: EncodingSizes['errors'],
  by: string | null,
): string => {
  const error = errors[by ?? 'none'];
  return sampled === null ? '' : ` ±${error === undefined ? '?' : formatPercent(error)}`;
};

export interface Ranked {
  readonly label: string;
  readonly bytes: number;
  readonly losses: readonly string[];
}

/** Smallest first. @param by id of a compressor; null: before compression */
export const ranked = ({ rows }: Pick<MatrixSizes, 'rows'>, by: string | null): readonly Ranked[] =>
  rows
    .flatMap(({ label, bytes, compressed, losses }) => {
      const size = by === null ? bytes : bytes === null ? null : (compressed[by] ?? null);
      return size === null ? [] : [{ label, bytes: size, losses }];
    })
    .sort((a, b) => a.bytes - b.bytes);

/**
 * `Smallest of 8 encodings: Thrift compact, 5,180 bytes, 0.98 × protobuf; after zstd level 3 Avro, 1,553 bytes, 0.89 ×.`
 * It names all that are equally small, and the values that these leave out.
 */
export function matrixWords(matrix: MatrixSizes, by: string | null): string {
  const captured = referenceRow(matrix);
  const all = ranked(matrix, null);
  if (all.length === 0 || captured === undefined) return 'Nothing was measured.';
  const plain = firstOf(all);
  const packed = firstOf(by === null ? [] : ranked(matrix, by));
  const compressor = matrix.compressors.find(({ id }) => id === by);
  const after =
    packed.length === 0 ? '' : `; after ${compressor?.label} ${firstWords(packed, captured.compressed[by!])}`;
  return `Smallest of ${formatCount(all.length)} encodings: ${firstWords(plain, captured.bytes)} ${encodingInSentence(captured.label)}${after}.${leftOutWords([...plain, ...packed])}`;
}

const firstOf = (all: readonly Ranked[]): readonly Ranked[] => all.filter(({ bytes }) => bytes === all[0]!.bytes);

/** `Avro, Borsh, 1,553 bytes each, 0.89 ×` */
const firstWords = (first: readonly Ranked[], captured: number | null | undefined): string =>
  `${first.map(({ label }) => label).join(', ')}, ${formatBytes(first[0]!.bytes)}${first.length > 1 ? ' each' : ''}, ${timesOf(first[0]!.bytes, captured)}`;

/** ` Avro binary leaves values out (extensions have no position: 77).` */
function leftOutWords(named: readonly Ranked[]): string {
  const of = new Map(named.map(({ label, losses }) => [label, leftOut(losses)]));
  return [...of]
    .filter(([, losses]) => losses.length > 0)
    .map(([label, losses]) => ` ${label} leaves values out (${losses.join('; ')}).`)
    .join('');
}

/** `93.6 % of the protobuf bytes are in an Any: JSON and text format write it out, all others keep it as protobuf.`; empty: none are. */
export function inAnyWords(profile: Profile): string {
  const bytes = bytesInAny(profile);
  if (bytes === 0) return '';
  const share = formatPercent(shareOf(bytes, totalIn(profile, PROTOBUF)));
  return `${share} of the protobuf bytes are in an Any: JSON and text format write it out, all others keep it as protobuf.`;
}

type Side = Pick<EncodingSizes, 'label' | 'bytes'>;

/** `JSON takes 11,063 bytes, protobuf 5,292: +109 %.` */
export function againstWords(captured: Side, other: Side): string {
  const [ours, theirs] = [captured.bytes ?? 0, other.bytes ?? 0];
  const difference = theirs === ours ? 'the same' : formatChange(ours, theirs);
  return `${other.label} takes ${formatBytes(theirs)}, ${captured.label} ${formatCount(ours)}: ${difference}.`;
}
