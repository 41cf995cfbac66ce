/** Types a person may mean by what was typed: by how the name matches, then by how well they explain the input. The type in use follows those that explain it. */
import { compareText } from './catalog.ts';

export interface TypeSummary {
  readonly fullName: string;
  /** Types nested in others are offered last. */
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
  /** Bare name, and the package or parents before it. */
  readonly name: string;
  readonly scope: string;
  /** How well it explains the input; null where it was not tried. */
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
      const dot = type.fullName.lastIndexOf('.');
      const name = type.fullName.slice(dot + 1);
      const match = matchOf(type.fullName.toLowerCase(), name.toLowerCase(), words);
      if (match === null) return [];
      const known = ranks.get(type.fullName);
      const choice: TypeChoice = {
        type,
        name,
        scope: type.fullName.slice(0, Math.max(0, dot)),
        rank: known?.rank ?? null,
      };
      const rest = type.fullName === used ? 0 : type.nested ? 2 : 1;
      return [{ choice, match, place: known?.index ?? ranks.size + rest }];
    })
    .sort((a, b) => a.match - b.match || a.place - b.place || compareText(a.choice.name, b.choice.name))
    .map(({ choice }) => choice);
}

/** 0 begins the bare name, 1 is within it, 2 elsewhere in the full name; null: some word is nowhere. */
function matchOf(fullName: string, name: string, words: readonly string[]): number | null {
  if (!words.every((word) => fullName.includes(word))) return null;
  if (words.length === 0 || words.some((word) => name.startsWith(word))) return 0;
  return words.some((word) => name.includes(word)) ? 1 : 2;
}
