/**
 * Shared by both drawings of an icicle, on canvas and as SVG: sizes in pixels, backgrounds, and truncation of labels.
 */
import { placesIn, shorten } from '#wording/path-tail.ts';

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
export function fitLabel(
  name: string,
  figure: string,
  width: number,
): { readonly name: string; readonly figure: string } {
  const room = Math.floor((width - 8) / CHARACTER);
  if (room < 2) return { name: '', figure: '' };
  const both = placesIn(name) + figure.length + 2 <= room;
  return {
    name: shorten(name, room),
    figure: both ? figure : '',
  };
}
