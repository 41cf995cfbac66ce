/**
 * The registry of text encodings. To add an encoding, write its file and list it here. If scores are equal, the first
 * one wins.
 */
import { base64 } from './base64.ts';
import { binary, judgeBinary } from './binary.ts';
import { burpItems } from './burp-items.ts';
import { charlesSession } from './charles-session.ts';
import { curlTrace } from './curl-trace.ts';
import { decimal } from './decimal.ts';
import { escaped } from './escaped.ts';
import { hex } from './hex.ts';
import { hexdump } from './hexdump.ts';
import { percent } from './percent.ts';
import { shellCommand } from './shell-command.ts';
import { type Candidate, rank, type TextEncoding } from './text-encoding.ts';

export const TEXT_ENCODINGS: readonly TextEncoding[] = [
  binary,
  curlTrace,
  burpItems,
  charlesSession,
  hexdump,
  hex,
  decimal,
  escaped,
  base64,
  percent,
  shellCommand,
];

/** Every text encoding with its score for an input that begins with `head`, best first. */
export const judgeTextEncodings = (head: Uint8Array, size: number): readonly Candidate[] =>
  judgeBinary(head) ?? rank(TEXT_ENCODINGS.map(({ id, label, sniff }) => ({ id, label, ...sniff(head, size) })));
