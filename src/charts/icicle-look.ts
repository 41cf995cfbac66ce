/** Shared by both drawings of an icicle, on canvas and as SVG: sizes in pixels, grounds, and the cutting of labels. */
export const ICICLE = {
  row: 24,
  /** Height of the strip that shows what a field pays itself. */
  strip: 4,
  baseline: 14,
  /** Levels of a still picture. */
  levels: 12,
} as const;

/** Width of a character at 11 px, on the wide side. */
const CHARACTER = 6.2;

/** How much of the value's colour the ground of a level has: a little more the deeper. */
export const groundMix = (level: number): number => Math.min(0.3, 0.09 + 0.03 * level);

/** The name cut to its cell, and the figure where there is room for it as well. */
export function fitLabel(
  name: string,
  figure: string,
  width: number,
): { readonly name: string; readonly figure: string } {
  const room = Math.floor((width - 8) / CHARACTER);
  if (room < 2) return { name: '', figure: '' };
  const both = name.length + figure.length + 2 <= room;
  return {
    name: name.length <= room ? name : `${name.slice(0, room - 1)}…`,
    figure: both ? figure : '',
  };
}
