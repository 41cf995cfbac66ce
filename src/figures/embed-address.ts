/**
 * The figure of an embed and its options: the part of the fragment in front of the link.
 *
 *   embed.html#figure=waterfall&theme=dark&w2-9881-1x2ab3c-7Vpdb9s2FH3P…
 *              └ what is shown            └ the link, to the end: a cut one is detected
 */
import { type FigureName, isFigureName } from './figures.tsx';

export const EMBED_THEMES = ['auto', 'light', 'dark'] as const;
/** `auto`: the scheme of the reader's system. */
export type EmbedTheme = (typeof EMBED_THEMES)[number];

export interface EmbedAddress {
  readonly figure: FigureName;
  readonly theme: EmbedTheme;
  /** The fragment of a link, without `#`. */
  readonly link: string;
}

export const printEmbedFragment = ({ figure, theme, link }: EmbedAddress): string =>
  `#figure=${figure}${theme === 'auto' ? '' : `&theme=${theme}`}&${link}`;

/**
 * Parses a fragment. Missing parts mean the waterfall, in the reader's theme. `unknown`: a figure that this version
 * does not have.
 */
export function readEmbedFragment(fragment: string): EmbedAddress & { readonly unknown: string | null } {
  const parts = fragment.replace(/^#/, '').split('&');
  const link = parts.pop() ?? '';
  const settings = new Map(parts.map((part) => part.split('=', 2) as [string, string]));
  const figure = settings.get('figure') ?? 'waterfall';
  const theme = EMBED_THEMES.find((name) => name === settings.get('theme')) ?? 'auto';
  return isFigureName(figure)
    ? { figure, theme, link, unknown: null }
    : { figure: 'waterfall', theme, link, unknown: figure };
}
