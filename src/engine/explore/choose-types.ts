/**
 * Types that match the user's search text, sorted by how the name matches, then by how well they explain the input. The
 * current type follows the types that explain the input.
 */
import { parentOf, shortNameOf } from '../schema/names.ts';
import { compareText } from './catalog.ts';

export interface TypeSummary {
  readonly fullName: string;
  /** Nested types are offered last. */
  readonly nested: boolean;
}

/** How well a type explains the open input. */
interface Ranked {
  readonly type: string;
  /** 0 to 1. */
  readonly score: number;
  readonly reason: string;
}

export interface TypeChoice {
  readonly type: TypeSummary;
  /** The name without package, and the package or parents before it. */
  readonly name: string;
  readonly scope: string;
  /** How well it explains the input; null: not tried. */
  readonly rank: Ranked | null;
}

export function chooseTypes(
  types: readonly TypeSummary[],
  {
    ranking,
    used,
    query,
  }: { readonly ranking: readonly Ranked[]; readonly used: string | null; readonly query: string },
): readonly TypeChoice[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const ranks = new Map(ranking.map((rank, index) => [rank.type, { rank, index }]));
  return types
    .flatMap((type) => {
      const name = shortNameOf(type.fullName);
      const match = matchOf(type.fullName.toLowerCase(), name.toLowerCase(), words);
      if (match === null) return [];
      const known = ranks.get(type.fullName);
      const choice: TypeChoice = {
        type,
        name,
        scope: parentOf(type.fullName),
        rank: known?.rank ?? null,
      };
      const rest = type.fullName === used ? 0 : type.nested ? 2 : 1;
      return [{ choice, match, place: known?.index ?? ranks.size + rest }];
    })
    .sort((a, b) => a.match - b.match || a.place - b.place || compareText(a.choice.name, b.choice.name))
    .map(({ choice }) => choice);
}

/**
 * 0: the words begin the bare name; 1: they are in it; 2: they are elsewhere in the full name; null: a word is missing.
 */
function matchOf(fullName: string, name: string, words: readonly string[]): number | null {
  if (!words.every((word) => fullName.includes(word))) return null;
  if (words.length === 0 || words.some((word) => name.startsWith(word))) return 0;
  return words.some((word) => name.includes(word)) ? 1 : 2;
}
