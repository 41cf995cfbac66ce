/**
 * A text encoding: a form of bytes as text, such as hex and base64. Binary input has no text encoding. The registry is
 * `detect-text-encoding.ts`. To add an encoding, write its file, and add a row there and its name in `text-labels.ts`.
 */
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { TextEncodingId } from './text-labels.ts';

/** Text is decoded in one piece; longer text is rejected. */
export const MAX_TEXT = 512 << 20;

/** One way to read an input, its certainty (0 to 1), and the reason. */
export interface Candidate {
  readonly id: string;
  readonly label: string;
  readonly score: number;
  readonly reason: string;
}

export interface Judgement {
  readonly score: number;
  /** The end of a sentence, or a sentence, for people. */
  readonly reason: string;
}

export interface DecodedText {
  readonly bytes: Uint8Array;
  readonly diagnostics: readonly Diagnostic[];
}

export interface TextEncoding {
  readonly id: TextEncodingId;
  readonly label: string;
  /** Judges by the first bytes. `head` is the whole input if `head.length === size`. */
  sniff(head: Uint8Array, size: number): Judgement;
  /** Text → its bytes; null: the input itself is the bytes, and can be read in parts. Never throws. */
  readonly read: ((input: Uint8Array) => DecodedText) | null;
}

/** Best first; equal scores keep the order of the list. */
export const rank = (candidates: readonly Candidate[]): readonly Candidate[] =>
  candidates.toSorted((a, b) => b.score - a.score);
