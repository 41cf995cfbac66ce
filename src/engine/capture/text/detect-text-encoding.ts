/** Every dress an input may wear. To add one, write its file and list it here; of equal scores the first wins. */
import { base64 } from './base64.ts';
import { binary } from './binary.ts';
import { decimal } from './decimal.ts';
import { escaped } from './escaped.ts';
import { hex } from './hex.ts';
import { hexdump } from './hexdump.ts';
import { type Candidate, type Dress, rank } from './text-encoding.ts';

export const DRESSES: readonly Dress[] = [binary, hexdump, hex, decimal, escaped, base64];

/** Every dress with its score for an input that starts with `head`, best first. */
export const judgeDresses = (head: Uint8Array, size: number): readonly Candidate[] =>
  rank(DRESSES.map((dress) => ({ id: dress.id, label: dress.label, ...dress.sniff(head, size) })));
