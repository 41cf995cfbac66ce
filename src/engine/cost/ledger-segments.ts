/** The ledgers of a field as segments of a bar, in the order in which the bytes lie on the wire. */

import type { NativeLedger, ProtobufLedger } from '#engine/cost/profile.ts';
import type { Category } from '#engine/model/annotation.ts';

export interface Segment {
  readonly category: Category;
  readonly bytes: number;
}

export const protobufSegments = ({ tag, length, value }: ProtobufLedger): readonly Segment[] => [
  { category: 'tag', bytes: tag },
  { category: 'length', bytes: length },
  { category: 'value', bytes: value },
];

/** Categories of tokens are listed where the encoding has such. */
export const nativeSegments = ({
  flag,
  type,
  count,
  length,
  value,
  key,
  ...tokens
}: NativeLedger): readonly Segment[] => [
  ...(key === undefined ? [] : [{ category: 'key' as const, bytes: key }]),
  { category: 'flag', bytes: flag },
  { category: 'type', bytes: type },
  { category: 'count', bytes: count },
  { category: 'length', bytes: length },
  { category: 'value', bytes: value },
  ...(Object.entries(tokens) as [Category, number][]).map(([category, bytes]) => ({ category, bytes })),
];

export const sumSegments = (segments: readonly Segment[]): number =>
  segments.reduce((sum, { bytes }) => sum + bytes, 0);

/** `tag 10 · value 100`, without the empty ones. */
export const describeSegments = (segments: readonly Segment[], format: (bytes: number) => string): string =>
  segments
    .filter(({ bytes }) => bytes !== 0)
    .map(({ category, bytes }) => `${category} ${format(bytes)}`)
    .join(' · ') || 'nothing';
