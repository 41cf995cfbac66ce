/**
 * A profile → its composition, in two lines: the total and its overhead; the largest field and the unexplained bytes.
 */

import { countedUnit } from '#engine/cost/counted-unit.ts';
import { largestField } from '#engine/cost/default-field.ts';
import { unreadInAny } from '#engine/cost/in-any.ts';
import {
  bytesIn,
  capturedLedger,
  cellsIn,
  type FieldProfile,
  PROTOBUF,
  type Profile,
  totalIn,
  unexplainedBytes,
  unreadBytes,
} from '#engine/cost/profile.ts';
import { plural } from '#engine/model/count-text.ts';
import { contentsWords } from './content-words.ts';
import { formatBytes, formatCount, formatMean, formatPercent, shareOf } from './number-text.ts';
import { pathTail } from './path-tail.ts';
import { encodingName } from './side-words.ts';
import type { Phrase } from './verdict-words.ts';

/** All bytes are said to be of the counted records. If they take less than this part, the messages are counted. */
const NEARLY_ALL = 0.9;

/** `200 spans take 43,335 bytes, 217 each. 30.1 % is tags and lengths.` */
export function compositionOf(profile: Profile): readonly Phrase[] {
  const { messages, fields } = profile;
  if (messages === 0) return [{ text: 'No messages.', tone: 'subject' }];
  const unit = countedUnit(profile, NEARLY_ALL);
  const noun = unit.count === 1 ? unit.singular : unit.plural;
  const inMessages = unit.path === null || messages === 1 ? '' : ` in ${formatCount(messages)} messages`;
  const captured = capturedLedger(profile);
  const around = fields.reduce((sum, field) => sum + aroundValues(field, captured), 0);
  const total = totalIn(profile, captured);
  return [
    { text: `${formatCount(unit.count)} ${noun}${inMessages} ${verbOf(profile, unit.count)} ` },
    { text: formatBytes(total), tone: 'subject' },
    ...(captured !== PROTOBUF || profile.nativeLedger === null ? [{ text: ` in ${encodingName(profile)}` }] : []),
    { text: unit.count > 1 ? `, ${formatMean(total / unit.count)} each. ` : '. ' },
    ...(total === 0
      ? []
      : [
          {
            text: `${formatPercent(shareOf(around, total))} is ${AROUND[captured === PROTOBUF ? 'protobuf' : captured.startsWith('captured-') ? 'text' : 'native']}.`,
            tone: 'quiet',
          } as const,
        ]),
  ];
}

/** The bytes of protobuf are computed if the messages were captured in a native encoding that no ledger has. */
function verbOf({ nativeLedger }: Profile, count: number): string {
  if (nativeLedger === null) return 'would take';
  return count === 1 ? 'takes' : 'take';
}

/** Bytes that carry no value, by encoding. */
const AROUND = {
  protobuf: 'tags and lengths',
  text: 'keys, punctuation, quotes and white space',
  native: 'lengths, flags and counts',
} as const;

/** Bytes that carry no value. */
const aroundValues = (field: FieldProfile, id: string): number => bytesIn(field, id) - (cellsIn(field, id).value ?? 0);

/** `hits.source is the largest field: 8,646 bytes, 94.1 %. Every byte is explained.` Several may be equally large. */
export function largestPart(profile: Profile): string {
  const { fields } = profile;
  const captured = capturedLedger(profile);
  const unattributed = unreadBytes(profile);
  const largest = largestField(profile);
  const total = totalIn(profile, captured);
  const equal = fields.filter((field) => bytesIn(field, captured) === largest?.bytes).length - 1;
  const first = largest
    ? `${pathTail(largest.field.path)}${equal > 0 ? ` and ${formatCount(equal)} more are the largest fields` : ' is the largest field'}: ${formatBytes(largest.bytes)}${equal > 0 ? ' each' : ''}, ${formatPercent(shareOf(largest.bytes, total))}. `
    : '';
  if (profile.other?.isAlone) return `${first}No type fits these messages. Their own field names are shown.`;
  const unnamed = unexplainedBytes(profile) - unattributed;
  if (captured === PROTOBUF && unnamed > 0 && unnamed + unattributed >= total)
    return [wireTypeWords(fields), restWords(unattributed, 0, total, 'A type would name the fields.'), first]
      .join(' ')
      .trimEnd();
  const unread = captured === PROTOBUF ? unreadInAny(profile) : 0;
  const inAny = unread === 0 ? '' : `${formatBytes(unread)} are in an Any whose type no schema has.`;
  return first + restWords(unattributed, unnamed, total, inAny) + contentsWords(profile);
}

/** `422 records: LEN 1,499 bytes, I64 540, VARINT 526, I32 300.` What is known of fields without a schema. */
function wireTypeWords(fields: readonly FieldProfile[]): string {
  const byType = new Map<string, number>();
  let records = 0;
  for (const field of fields) {
    const bytes = bytesIn(field, PROTOBUF);
    if (bytes === 0) continue;
    records += field.occurrences;
    const type = wireTypeOf(field);
    byType.set(type, (byType.get(type) ?? 0) + bytes);
  }
  const sums = [...byType].sort(([, a], [, b]) => b - a);
  const parts = sums.map(([type, bytes], at) => `${type} ${at === 0 ? formatBytes(bytes) : formatCount(bytes)}`);
  return `${plural(records, 'record')}: ${parts.join(', ')}.`;
}

/** Records with the same number and several wire types: only their sum is known. */
function wireTypeOf({ widths, size, declared }: FieldProfile): string {
  if (widths.length !== null) return 'LEN';
  if (widths.value !== null) return 'VARINT';
  if (declared === null) return 'others';
  return size.max === 8 ? 'I64' : 'I32';
}

/** Unexplained bytes: bytes that could not be read, and bytes of fields that are known by number alone. */
function restWords(unattributed: number, unnamed: number, total: number, next = ''): string {
  const sentences = [
    unattributed > 0 && `${formatBytes(unattributed)} could not be read.`,
    unnamed > 0 && `${formatBytes(unnamed)} are in fields that no schema has a type for.`,
    next !== '' && next,
  ].filter((sentence) => sentence !== false);
  if (total === 0) return 'Absent and default values take no bytes.';
  return sentences.length === 0 ? 'Every byte is explained.' : sentences.join(' ');
}
