/** The source of figures, in one sentence. A reader cannot verify a figure without its source. */

import { capturedLedger, PROTOBUF, totalIn } from '#engine/cost/profile.ts';
import { plural } from '#engine/model/count-text.ts';
import { compressedWords } from '#wording/compressed-words.ts';
import { formatBytes } from '#wording/number-text.ts';
import { encodingName } from '#wording/side-words.ts';
import type { FigureSubject, MeasuredFrom } from './subject.ts';

/** The part of a figure that its line needs. */
export interface Sourced {
  /** The line below it; absent: the measured messages. */
  readonly source?: (subject: FigureSubject) => string;
  /** How its own sizes were compressed; absent: it has none, and the line may name those of both sides. */
  readonly compression?: (subject: FigureSubject) => string | null;
}

export const madeWords = ({ date, version }: MeasuredFrom): string => `${date}, Wirecost ${version}`;

/** @param figure the figure above the line; absent: several of the whole */
export function sourceLine(subject: FigureSubject, figure?: Sourced): string {
  if (figure?.source) return figure.source(subject);
  const { profile, from, compressed } = subject;
  const messages = plural(profile.messages, 'message');
  const captured = capturedLedger(profile);
  const encoding = captured === PROTOBUF ? '' : ` in ${encodingName(profile)}`;
  const how = figure?.compression
    ? figure.compression(subject)
    : compressed && compressedWords(compressed, profile).join(' ');
  return [
    `Measured from ${from.name}`,
    `${messages}${profile.type === '' ? '' : ` of ${profile.type}`}, ${formatBytes(totalIn(profile, captured))}${encoding}`,
    ...(profile.pair[1] === null || profile.other ? [] : [`native: ${profile.ledgers[profile.pair[1]]?.label}`]),
    madeWords(from),
    ...(how ? [how] : []),
  ].join(' · ');
}
