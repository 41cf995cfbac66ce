/** The source of figures, in one sentence. A reader cannot verify a figure without its source. */
import { capturedLedger, PROTOBUF, totalIn } from '#engine/cost/profile.ts';
import { compressedWords } from '#wording/compressed-words.ts';
import { formatBytes, formatCount } from '#wording/number-text.ts';
import { encodingName } from '#wording/side-words.ts';
import type { FigureName } from './figures.tsx';
import type { FigureSubject } from './subject.ts';

/** @param figure the figure above the line; the layers of a capture cover all its messages, of every type */
export function sourceLine({ profile, from, compressed }: FigureSubject, figure?: FigureName): string {
  if (figure === 'layers') return `Measured from ${from.name} · ${from.date}, Wirecost ${from.version}`;
  const messages = `${formatCount(profile.messages)} ${profile.messages === 1 ? 'message' : 'messages'}`;
  const captured = capturedLedger(profile);
  const encoding = captured === PROTOBUF ? '' : ` in ${encodingName(profile)}`;
  return [
    `Measured from ${from.name}`,
    `${messages}${profile.type === '' ? '' : ` of ${profile.type}`}, ${formatBytes(totalIn(profile, captured))}${encoding}`,
    ...(from.native === null ? [] : [`native: ${from.native}`]),
    `${from.date}, Wirecost ${from.version}`,
    ...(compressed === null ? [] : [compressedWords(compressed).join(' ')]),
  ].join(' · ');
}
