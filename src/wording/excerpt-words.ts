/** The highlighted part of an excerpt, and its share of a message, in words. */
import type { Excerpt, ExcerptSegment, ExcerptSide } from '#engine/inspect/excerpt.ts';
import { inSentence } from './chart-words.ts';
import { formatBytes, formatCount } from './number-text.ts';

/** `Protobuf`, `JSON`. */
export const sideWord = ({ encoding, label }: Pick<ExcerptSide, 'encoding' | 'label'>): string =>
  label ?? (encoding === 'protobuf' ? 'Protobuf' : 'Native');

const inWords = (side: ExcerptSide): string => inSentence(sideWord(side));

/** `hits.version in message 0: 11 bytes as protobuf, 8 as native`. */
export function excerptTitle({ ordinal, path, sides }: Excerpt): string {
  const place = `message ${formatCount(ordinal)}`;
  const counts = sides
    .map((side, at) => {
      const bytes = path === '' ? side.size : litBytes(side);
      return `${at === 0 ? formatBytes(bytes) : formatCount(bytes)} as ${inWords(side)}`;
    })
    .join(', ');
  return `${path === '' ? `Message ${formatCount(ordinal)}` : `${path} in ${place}`}: ${counts}`;
}

/** `bytes 208–335 of 9,191`. */
export const rangeWords = ({ start, bytes, size }: ExcerptSide): string =>
  bytes.length === size
    ? formatBytes(size)
    : `bytes ${formatCount(start)}–${formatCount(start + bytes.length - 1)} of ${formatCount(size)}`;

const litBytes = ({ lit }: ExcerptSide): number => (lit === null ? 0 : lit[1] - lit[0]);

/** A segment with its start offset, computed from the segments before it. */
export interface PlacedSegment extends ExcerptSegment {
  /** messageOffset. */
  readonly start: number;
  readonly isLit: boolean;
}

export function placedSegments({ start, segments, lit }: ExcerptSide): readonly PlacedSegment[] {
  let at = start;
  return segments.map((segment) => {
    const placed = { ...segment, start: at, isLit: lit !== null && at >= lit[0] && at < lit[1] };
    at += segment.bytes;
    return placed;
  });
}

export const bytesMissing = (path: string): string =>
  path === '' ? 'The first bytes of the message.' : `${path} has no bytes here.`;

/**
 * The bytes that sharing it reveals: `56 bytes of message 0 as they are, around hits.version: 32 of protobuf, 24 of
 * native`.
 */
export function excerptContents({ ordinal, path, sides }: Excerpt): string {
  const parts = sides.map((side) => `${formatCount(side.bytes.length)} of ${inWords(side)}`);
  const all = sides.reduce((sum, { bytes }) => sum + bytes.length, 0);
  return `${formatBytes(all)} of message ${formatCount(ordinal)} as they are${path === '' ? '' : `, around ${path}`}: ${parts.join(', ')}`;
}
