/** A profile → what it is made of, in two lines: the amount and what of it carries no value; the largest part and what is not explained. */

import { countedUnit } from '#engine/cost/counted-unit.ts';
import { protobufSegments, sumSegments } from '#engine/cost/ledger-segments.ts';
import type { Profile } from '#engine/cost/profile.ts';
import { formatBytes, formatCount, formatMean, formatPercent, shareOf } from './number-text.ts';
import type { Phrase } from './verdict-words.ts';

/** `200 spans take 43,335 bytes, 217 each. 30.1 % is tags and lengths.` */
export function compositionOf(profile: Profile): readonly Phrase[] {
  const { messages, bytes, fields } = profile;
  if (messages === 0) return [{ text: 'No messages.', tone: 'subject' }];
  const unit = countedUnit(profile);
  const noun = unit.count === 1 ? unit.singular : unit.plural;
  const inMessages = unit.path === null || messages === 1 ? '' : ` in ${formatCount(messages)} messages`;
  const around = fields.reduce((sum, { protobuf }) => sum + protobuf.tag + protobuf.length, 0);
  return [
    { text: `${formatCount(unit.count)} ${noun}${inMessages} ${unit.count === 1 ? 'takes' : 'take'} ` },
    { text: formatBytes(bytes.protobuf), tone: 'subject' },
    { text: unit.count > 1 ? `, ${formatMean(bytes.protobuf / unit.count)} each. ` : '. ' },
    { text: `${formatPercent(shareOf(around, bytes.protobuf))} is tags and lengths.`, tone: 'quiet' },
  ];
}

/** `hits.source is the largest field: 8,646 bytes, 94.1 %. Every byte is explained.` */
export function largestPart({ fields, bytes, unattributed }: Profile): string {
  const own = fields.map((field) => ({ field, bytes: sumSegments(protobufSegments(field.protobuf)) }));
  const largest = own.reduce<(typeof own)[number] | null>(
    (most, each) => (each.bytes > (most?.bytes ?? 0) ? each : most),
    null,
  );
  const first = largest
    ? `${tailOf(largest.field.path)} is the largest field: ${formatBytes(largest.bytes)}, ${formatPercent(shareOf(largest.bytes, bytes.protobuf))}. `
    : '';
  return `${first}${unattributed === 0 ? 'Every byte is explained.' : `${formatBytes(unattributed)} could not be read.`}`;
}

/** The last two names of a path: what stands before them is in the picture and in the table. */
const tailOf = (path: string): string => (path.match(/\[[^\]]*\]|[^.]+/g) ?? [path]).slice(-2).join('.');
