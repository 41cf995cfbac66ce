/**
 * The dress of an input: how its bytes were written down. Binary is none; hex and base64 are text that stands
 * for bytes. A dress is a value in the list of `index.ts`; adding one takes a file and a line there.
 */
import type { Diagnostic } from '../../model/diagnostic.ts';

/** One way to read an input, how sure we are of it (0 to 1) and why. */
export interface Candidate {
  readonly id: string;
  readonly label: string;
  readonly score: number;
  readonly reason: string;
}

export interface Judgement {
  readonly score: number;
  /** A sentence's end or a sentence, shown to a person. */
  readonly reason: string;
}

export interface Undressed {
  readonly bytes: Uint8Array;
  readonly diagnostics: readonly Diagnostic[];
}

export interface Dress {
  readonly id: string;
  readonly label: string;
  /** Judges by the first bytes; `head` is the whole input where `head.length === size`. */
  sniff(head: Uint8Array, size: number): Judgement;
  /** Takes it off; null: there is none, and the input can be read in pieces. Never throws. */
  readonly read: ((input: Uint8Array) => Undressed) | null;
}

/** The best first; of equals, the one that is listed first. */
export const rank = (candidates: readonly Candidate[]): readonly Candidate[] =>
  candidates.toSorted((a, b) => b.score - a.score);
