/**
 * A category is a colour and a texture: the texture distinguishes categories without colour.
 * Charts draw the patterns they need into their own `defs`; `prefix` keeps the ids of several charts apart.
 */
import type { ReactNode } from 'react';
import { CATEGORIES, type Category } from '#engine/model/annotation.ts';

const CELL = 4;

/**
 * Strokes in a 4 × 4 cell, drawn in the background colour over the category's colour. Value, the largest area, has
 * none.
 */
const TEXTURES: Readonly<Partial<Record<Category, string>>> = {
  tag: 'M-1 1 L1 -1 M-1 5 L5 -1 M3 5 L5 3',
  length: 'M0 2 H4',
  flag: 'M2 0 V4',
  count: 'M0 2 H4 M2 0 V4',
  type: 'M-1 3 L1 5 M-1 -1 L5 5 M3 -1 L5 1',
  'group-end': 'M-1 1 L1 -1 M-1 5 L5 -1 M3 5 L5 3 M-1 3 L1 5 M-1 -1 L5 5 M3 -1 L5 1',
  header: 'M0 1 H2 M2 3 H4',
  unattributed: 'M1 1 H3 V3 H1 Z',
};

/** Categories of other encodings that look like one of protobuf or native bytes, because they do the same. */
const LOOKS: Readonly<Partial<Record<Category, Category>>> = {
  key: 'tag',
  punctuation: 'length',
  quotes: 'flag',
  space: 'header',
  offset: 'flag',
  padding: 'type',
};

const lookOf = (category: Category): Category => LOOKS[category] ?? category;
const textureOf = (category: Category): string | undefined => TEXTURES[lookOf(category)];

/** Categories that look alike together, for a legend of two encodings. */
export function byLook(categories: readonly Category[]): readonly (readonly Category[])[] {
  const looks = new Map<Category, Category[]>();
  for (const category of categories) looks.set(lookOf(category), [...(looks.get(lookOf(category)) ?? []), category]);
  return [...looks.values()];
}

export const categoryColor = (category: Category): string => `var(--cat-${category})`;

export const categoryFill = (prefix: string, category: Category): string =>
  textureOf(category) === undefined ? categoryColor(category) : `url(#${prefix}-${category})`;

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
        .filter((category) => textureOf(category) !== undefined)
        .map((category) => (
          <pattern key={category} id={`${prefix}-${category}`} width={CELL} height={CELL} patternUnits="userSpaceOnUse">
            <rect width={CELL} height={CELL} fill={categoryColor(category)} />
            <path d={textureOf(category)} stroke="var(--paper)" strokeOpacity={0.45} strokeWidth={0.9} fill="none" />
          </pattern>
        ))}
    </defs>
  );
}
