/**
 * A text encoding: how text stands for the bytes of an input, as hex and base64 do. Binary input has none. The registry is
 * `detect-text-encoding.ts`; one more is a file, a line there and its name in `text-labels.ts`.
 */
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { TextEncodingId } from './text-labels.ts';

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

export interface DecodedText {
  readonly bytes: Uint8Array;
  readonly diagnostics: readonly Diagnostic[];
}

export interface TextEncoding {
  readonly id: TextEncodingId;
  readonly label: string;
  /** Judges by the first bytes; `head` is the whole input where `head.length === size`. */
  sniff(head: Uint8Array, size: number): Judgement;
  /** Text → the bytes it stands for; null: the input is the bytes, and can be read in pieces. Never throws. */
  readonly read: ((input: Uint8Array) => DecodedText) | null;
}

/** The best first; of equals, the one that is listed first. */
export const rank = (candidates: readonly Candidate[]): readonly Candidate[] =>
  candidates.toSorted((a, b) => b.score - a.score);
