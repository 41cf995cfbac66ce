/**
 * A category is a colour and a texture: the texture distinguishes categories without colour.
 * Charts draw the patterns they need into their own `defs`; `prefix` keeps the ids of several charts apart.
 */
import type { ReactNode } from 'react';
import { CATEGORIES, type Category } from '#engine/model/annotation.ts';

const CELL = 4;

/**
 * Strokes in a 4 × 4 cell, drawn in the background colour over the category's colour. Value, the largest area, has
 * none. A category of another encoding looks like the one that does the same in protobuf or native bytes.
 */
const TEXTURES: Readonly<Record<Category, string>> = {
  tag: 'M-1 1 L1 -1 M-1 5 L5 -1 M3 5 L5 3',
  length: 'M0 2 H4',
  value: '',
  flag: 'M2 0 V4',
  count: 'M0 2 H4 M2 0 V4',
  type: 'M-1 3 L1 5 M-1 -1 L5 5 M3 -1 L5 1',
  'group-end': 'M-1 1 L1 -1 M-1 5 L5 -1 M3 5 L5 3 M-1 3 L1 5 M-1 -1 L5 5 M3 -1 L5 1',
  header: 'M0 1 H2 M2 3 H4',
  unattributed: 'M1 1 H3 V3 H1 Z',
  key: 'M-1 1 L1 -1 M-1 5 L5 -1 M3 5 L5 3',
  punctuation: 'M0 2 H4',
  quotes: 'M2 0 V4',
  space: 'M0 1 H2 M2 3 H4',
  offset: 'M2 0 V4',
  padding: 'M-1 3 L1 5 M-1 -1 L5 5 M3 -1 L5 1',
};

/** Categories that look alike together, for a legend of two encodings. */
export function byLook(categories: readonly Category[]): readonly (readonly Category[])[] {
  const looks = new Map<string, Category[]>();
  for (const one of categories) looks.set(TEXTURES[one], [...(looks.get(TEXTURES[one]) ?? []), one]);
  return [...looks.values()];
}

export const categoryColor = (category: Category): string => `var(--cat-${category})`;

export const categoryFill = (prefix: string, category: Category): string =>
  TEXTURES[category] === '' ? categoryColor(category) : `url(#${prefix}-${category})`;

export function CategoryPatterns({
  prefix,
  categories = CATEGORIES,
}: {
  readonly prefix: string;
  readonly categories?: readonly Category[];
}): ReactNode {
  return (
    <defs>
      {categories
        .filter((category) => TEXTURES[category] !== '')
        .map((category) => (
          <pattern key={category} id={`${prefix}-${category}`} width={CELL} height={CELL} patternUnits="userSpaceOnUse">
            <rect width={CELL} height={CELL} fill={categoryColor(category)} />
            <path d={TEXTURES[category]} stroke="var(--paper)" strokeOpacity={0.45} strokeWidth={0.9} fill="none" />
          </pattern>
        ))}
    </defs>
  );
}
