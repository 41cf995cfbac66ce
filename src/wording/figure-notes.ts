/** Facts that the receiver of figures must know beside them: the sender saw them in the analysis itself. */
import { countText } from '#engine/model/count-text.ts';
import { type Beside, besideWords } from './beside-words.ts';
import { contradictWords } from './type-words.ts';
import { visible } from './visible.ts';

export interface FigureNotes {
  readonly beside?: Beside;
  /** The type that their address, header or method names, and that the messages contradict. */
  readonly contradicted?: string;
  /** The types of the files, if they differ. */
  readonly mixed?: readonly string[];
  /** Errors of the schema touch the type of the messages. */
  readonly isTouched?: true;
}

/** The same facts, where they are known, whether they matter or not. */
interface KnownFacts {
  readonly beside: Beside | null;
  readonly contradicted: string | undefined;
  readonly mixed?: readonly string[] | undefined;
  readonly isTouched: boolean;
}

/** The facts that matter; undefined: figures need no note. */
export function figureNotes({ beside, contradicted, mixed, isTouched }: KnownFacts): FigureNotes | undefined {
  const notes: FigureNotes = {
    ...(beside !== null && besideWords(beside) !== '' ? { beside } : {}),
    ...(contradicted === undefined ? {} : { contradicted }),
    ...(mixed === undefined ? {} : { mixed }),
    ...(isTouched ? { isTouched } : {}),
  };
  return Object.keys(notes).length > 0 ? notes : undefined;
}

/** Types that are listed; a link may name 10,000. */
const LISTED_TYPES = 5;

export const noteWords = ({ beside, contradicted, mixed, isTouched }: FigureNotes): string =>
  [
    contradicted !== undefined && `These messages ${contradictWords(visible(contradicted))}.`,
    mixed && `The figures mix files of different types: ${listed(mixed)}.`,
    isTouched && 'Errors of the sender’s schema touch this type: its messages may be read wrongly.',
    beside && besideWords(beside),
  ]
    .filter(Boolean)
    .join(' ');

function listed(types: readonly string[]): string {
  const more = types.length - LISTED_TYPES;
  return [...types.slice(0, LISTED_TYPES).map(visible), ...(more > 0 ? [`${countText(more)} more`] : [])].join(', ');
}
