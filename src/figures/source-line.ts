/** The source of figures, in one sentence. A reader cannot verify a figure without its source. */
import { capturedLedger, PROTOBUF, totalIn } from '#engine/cost/profile.ts';
import { bitsSource } from '#wording/bits-words.ts';
import { compressedWords } from '#wording/compressed-words.ts';
import { formatBytes, formatCount } from '#wording/number-text.ts';
import { encodingName, sideNames } from '#wording/side-words.ts';
import type { AnyFigureName } from './all-figures.ts';
import type { FigureSubject } from './subject.ts';

/** @param figure the figure above the line; the layers of a capture cover all its messages, of every type */
export function sourceLine({ profile, from, compressed, bits, pair }: FigureSubject, figure?: AnyFigureName): string {
  const made = `${from.date}, Wirecost ${from.version}`;
  if (figure === 'layers') return `Measured from ${from.name} · ${made}`;
  if (figure === 'pair' && pair !== null) {
    const makers = pair.after.map(({ a, b }) => `A ${bitsSource(a)} B ${bitsSource(b)}`);
    return [`Measured from A ${pair.name}`, `B ${from.name}`, made, ...new Set(makers)].join(' · ');
  }
  const messages = `${formatCount(profile.messages)} ${profile.messages === 1 ? 'message' : 'messages'}`;
  const captured = capturedLedger(profile);
  const encoding = captured === PROTOBUF ? '' : ` in ${encodingName(profile)}`;
  return [
    `Measured from ${from.name}`,
    `${messages}${profile.type === '' ? '' : ` of ${profile.type}`}, ${formatBytes(totalIn(profile, captured))}${encoding}`,
    ...(profile.pair[1] === null || profile.other ? [] : [`native: ${profile.ledgers[profile.pair[1]]?.label}`]),
    made,
    ...(figure === 'compressed' && bits !== null ? [bitsSource(bits)] : []),
    ...(compressed === null ? [] : [compressedWords(compressed, sideNames(profile)).join(' ')]),
  ].join(' · ');
}
