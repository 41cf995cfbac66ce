/**
 * Shared by both drawings of an icicle, on canvas and as SVG: sizes in pixels, backgrounds, and truncation of labels.
 */
import { formatCount } from '#wording/number-text.ts';
import { placesIn, shorten } from '#wording/path-tail.ts';
import type { IcicleCell } from './icicle-geometry.ts';

export const ICICLE = {
  row: 24,
  /** Height of the strip that shows a field's own bytes. */
  strip: 4,
  baseline: 14,
  /** Levels of a static picture. */
  levels: 12,
} as const;

/** Width of a character at 11 px, rounded up. */
const CHARACTER = 6.2;

/** The share of the value colour in the background of a level; it grows a little with depth. */
export const groundMix = (level: number): number => Math.min(0.3, 0.09 + 0.03 * level);

/** The name, truncated to its cell, and the figure if there is room. */
export function labelOf({ node, count, bytes, width, shared }: IcicleCell): {
  readonly name: string;
  readonly figure: string;
} {
  const name = node?.name ?? `${formatCount(count)} more`;
  const figure = formatCount(bytes);
  const room = Math.floor((width - 8) / CHARACTER);
  if (room < 2) return { name: '', figure: '' };
  const both = placesIn(name) + figure.length + 2 <= room;
  return {
    name: shorten(name, room, shared),
    figure: both ? figure : '',
  };
}
