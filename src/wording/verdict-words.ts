/** A profile → the verdict: the messages, the bytes of both encodings, which takes more and by how much. */

import { bytesAlone } from '#engine/cost/compare.ts';
import { countedUnit } from '#engine/cost/counted-unit.ts';
import { keptInAny } from '#engine/cost/in-any.ts';
import { capturedLedger, cellsIn, PROTOBUF, type Profile, totalIn, unreadBytes } from '#engine/cost/profile.ts';
import { formatBytes, formatCount, formatMean, formatPercent, formatSignedPercent, shareOf } from './number-text.ts';
import { firstName, firstTitle, sideName, sideNames } from './side-words.ts';

/** A part of the sentence; the deciding numbers are highlighted. */
export interface Phrase {
  readonly text: string;
  readonly tone?: 'subject' | 'good' | 'bad' | 'even' | 'quiet';
}

export const plainText = (phrases: readonly Phrase[]): string => phrases.map(({ text }) => text).join('');

export function verdictOf(profile: Profile): readonly Phrase[] {
  const { messages, pair } = profile;
  const [first, second] = [totalIn(profile, pair[0]), totalIn(profile, pair[1])];
  const unit = countedUnit(profile);
  const noun = unit.count === 1 ? unit.singular : unit.plural;
  const inMessages = unit.path === null || messages === 1 ? '' : ` in ${formatCount(messages)} messages`;
  const subject: Phrase = { text: `${formatCount(unit.count)} ${noun}${inMessages}.`, tone: 'subject' };
  if (messages === 0) return [{ text: 'No messages.', tone: 'subject' }];
  if (profile.other?.isAlone) return [subject, { text: ` ${profile.other.label} ${formatBytes(second)}.` }];
  if (pair[1] === null) return [subject, { text: ` ${overheadOf(profile)}` }];

  const { alone, shared } = sharedOf(profile);
  const difference = shared[0] - shared[1];
  const totals = ` ${firstTitle(profile)} ${formatBytes(first)}, ${sideName(profile)}\u00a0${formatCount(second)}${alone === null ? '' : `. ${alone}`}: `;
  const notes = [...spaceOf(profile), ...keptOf(profile), ...unreadOf(profile)];
  if (difference === 0)
    return [subject, { text: totals }, { text: 'both cost the same', tone: 'even' }, { text: '.' }, ...notes];
  const verb = difference > 0 ? 'costs' : 'saves';
  const ratio = Math.abs(difference) / shared[1];
  const percent = difference > 0 ? formatSignedPercent(ratio) : formatPercent(ratio);
  const each = Math.abs(difference) / unit.count;
  const article = /^[aeiou]/.test(unit.short) ? 'an' : 'a';
  return [
    subject,
    { text: totals },
    {
      text: `${firstName(profile)} ${verb}${shared[1] === 0 ? '' : ` ${percent},`}`,
      tone: difference > 0 ? 'bad' : 'good',
    },
    { text: ` ${formatMean(each)} ${each === 1 ? 'byte' : 'bytes'} ${article} ${unit.short}.` },
    ...notes,
  ];
}

/** The bytes that both sides could have, which alone show what an encoding costs; the others, in words. */
export function sharedOf(profile: Profile): {
  readonly shared: readonly [first: number, second: number];
  /** `Without the 9,922 bytes that only JSON has`; null: there are no others. */
  readonly alone: string | null;
} {
  const { pair } = profile;
  const [first, second] = bytesAlone(profile);
  const words = aloneWords(profile);
  return {
    shared: [totalIn(profile, pair[0]) - first, totalIn(profile, pair[1]) - second],
    alone: words && `Without ${words}`,
  };
}

/** `the 9,922 bytes that only JSON has`; null: each byte has a place on both sides. */
export function aloneWords(profile: Profile): string | null {
  const names = sideNames(profile);
  const parts = bytesAlone(profile).flatMap((bytes, at) =>
    bytes === 0 ? [] : [`the ${formatBytes(bytes)} that only ${names[at]} has`],
  );
  return parts.length === 0 ? null : parts.join(' and ');
}

/** White space of a captured text is not a cost of its encoding: another writer leaves it out. */
function spaceOf(profile: Profile): readonly Phrase[] {
  const captured = capturedLedger(profile);
  const own = Object.values(profile.ledgers[captured]?.own ?? {});
  const cells = [...profile.fields.map((field) => cellsIn(field, captured)), ...own];
  const bytes = cells.reduce((sum, { space = 0 }) => sum + space, 0);
  return bytes === 0 ? [] : [{ text: ` The ${sideName(profile)} has ${formatBytes(bytes)} of white space.` }];
}

/** They are in both totals, and hide how the rest differs. */
function keptOf(profile: Profile): readonly Phrase[] {
  const bytes = keptInAny(profile);
  return bytes === 0 ? [] : [{ text: ` ${formatBytes(bytes)} are in an Any, protobuf on both sides.` }];
}

function unreadOf(profile: Profile): readonly Phrase[] {
  const bytes = unreadBytes(profile);
  return bytes === 0 ? [] : [{ text: ` ${formatBytes(bytes)} could not be read.` }];
}

/** Without a schema there is nothing to compare with: the protobuf overhead. */
function overheadOf({ fields, ledgers, unattributed }: Profile): string {
  const bytes = totalIn({ ledgers }, PROTOBUF);
  const sum = (cell: 'tag' | 'length' | 'value'): number =>
    fields.reduce((total, field) => total + (cellsIn(field, PROTOBUF)[cell] ?? 0), 0);
  const parts = [
    `tags ${formatCount(sum('tag'))}`,
    `length prefixes ${formatCount(sum('length'))}`,
    `values ${formatCount(sum('value'))}`,
    ...(unattributed > 0 ? [`unattributed ${formatCount(unattributed)}`] : []),
  ];
  const overhead = shareOf(sum('tag') + sum('length'), bytes);
  return `Protobuf ${formatBytes(bytes)}: ${parts.join(', ')}. Overhead ${formatPercent(overhead)}.`;
}
