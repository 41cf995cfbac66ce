/** Notes of the advice panel. */
import type { Batches } from '#engine/advise/batch.ts';
import { formatBytes, formatCount } from './number-text.ts';

export const ADVICE_NOTES = {
  none: 'No change was found that would pay.',
  inVain: 'Measured, and no saving with',
  differInSign: 'Raw and compressed differ in sign: the ranking follows',
  noPatch: 'There is no patch:',
  noBytes: 'It has no bytes here.',
  edit: 'Edit the .proto: the same messages by another schema',
  noFile: 'The schema has no file that can be edited.',
  limit: 'What brings this below a limit?',
  noChanges: 'No four changes bring it below the limit.',
  noFields: 'No five fields make up the excess.',
  waste: 'What does waste cost?',
  schemaWaste: 'The writer wastes nothing; the schema does',
  noWaste:
    'No varint or length is longer than it needs to be, no default is written, no run unpacked, no value replaced by another, no field unknown, and no field would take less with sint for its negative numbers.',
} as const;

/** @param titles of the changes, in their order */
export const foundChanges = (titles: readonly string[]): string =>
  titles.length === 0
    ? ADVICE_NOTES.none
    : `${formatCount(titles.length)} ${titles.length === 1 ? 'change was' : 'changes were'} measured. The first: ${titles[0]}.`;

/** The largest message and a limit, in bytes. */
export function limitWords(largest: number, limit: number): string {
  const head = `The largest message takes ${formatBytes(largest)}`;
  return largest <= limit
    ? `${head}: it is below the limit already.`
    : `${head}, ${formatBytes(largest - limit)} too much.`;
}
/** '': the largest message is as long when it is written anew. */
export const rewrittenWords = (largest: number, rewritten: number): string =>
  rewritten === largest
    ? ''
    : `As captured. Written anew without waste, in the order of the field numbers, the largest takes ${formatBytes(rewritten)}.`;
export const withChanges = (largest: number): string => `With these changes it takes ${formatCount(largest)}:`;
export const withoutFields = (largest: number): string => `Without these fields it takes ${formatCount(largest)}:`;

/** Messages that are not advised on; '': all are. */
export function leftOut({ unread, tooLarge }: { readonly unread: number; readonly tooLarge: number }): string {
  const parts: string[] = [];
  if (unread > 0)
    parts.push(
      unread === 1
        ? '1 message cannot be read whole and is left out.'
        : `${formatCount(unread)} messages cannot be read whole and are left out.`,
    );
  if (tooLarge > 0)
    parts.push(
      tooLarge === 1
        ? '1 message is left out: its values take too much memory.'
        : `${formatCount(tooLarge)} messages are left out: their values take too much memory.`,
    );
  return parts.join(' ');
}

/** @param count of the chosen changes @param titles of the rows that clash; empty: they are not known */
export function refusedChanges(reason: string, count: number, titles: readonly string[]): string {
  const head = count === 1 ? 'This change cannot be made' : 'These changes do not go together';
  return titles.length === 0
    ? `${head}: ${reason}.`
    : `${head}: ${titles.map((title) => `“${title}”`).join(', ')}. ${reason}.`;
}

export const refusedAdvice = (reason: string): string => `${reason}. There is nothing to advise on.`;

/** `, 5 messages joined and compressed at once`, in a sentence after its compressed size. '': there is one message. */
export function piecesText({ measured, pieces }: { readonly measured: number; readonly pieces: number }): string {
  if (measured === 1) return '';
  const messages = `${formatCount(measured)} messages`;
  if (pieces === 1) return `, ${messages} joined and compressed at once`;
  return pieces === measured
    ? `, ${messages}, each compressed alone`
    : `, ${messages} in ${formatCount(pieces)} pieces, each compressed alone`;
}

/** Measured messages, if they are a sample. */
export const sampledMessages = (messages: number, outOf: number): string =>
  `${formatCount(messages)} of ${formatCount(outOf)} messages, evenly spread: `;

/** The bytes of messages that were captured in another encoding; empty: all were captured in protobuf. */
export function computedNote(computed: number, messages: number): string {
  if (computed === 0) return '';
  const count = computed === messages ? 'The' : formatCount(computed);
  const some = `${count} ${computed === 1 ? 'message was' : 'messages were'}`;
  return `${some} captured in another encoding than protobuf: the bytes are those in protobuf.`;
}

export const measuredKinds = (done: number, total: number): string =>
  total === 0 ? 'Reading the messages…' : `${formatCount(done)} of ${formatCount(total)} kinds of change measured`;

/** The records that are split again, and sizes of messages that are not measured. */
export function batchWords({ path, records, messages, fixed, sizes }: Batches): string {
  if (path === null || fixed === null)
    return `The ${formatCount(messages)} messages hold no list of records. A message of several holds them as a list, with a tag and a length for each; what a transport adds to each message is not counted.`;
  const least = sizes[0]!.records;
  const leftOut =
    least === 1
      ? ''
      : ` Messages of fewer than ${formatCount(least)} are left out: they would repeat these ${formatBytes(fixed)} too often to measure.`;
  return `${formatCount(messages)} ${messages === 1 ? 'message has' : 'messages have'} ${formatCount(records)} of ${path}. Each message also has ${formatBytes(fixed)} for any number of them.${leftOut}`;
}

export const lostValues = (paths: readonly string[]): string =>
  `The edited schema has no place for values of these fields, so they are not written: ${paths.join(', ')}`;

/** After a saving, which is that of the other values. '': none is lost. */
export const apartFromLost = (bytes: number): string =>
  bytes === 0 ? '' : `, apart from ${formatBytes(bytes)} of lost values`;

/** Beside the saving. */
export const lostCount = (fields: number): string =>
  fields === 1 ? 'Values of 1 field are not written.' : `Values of ${formatCount(fields)} fields are not written.`;

/** @param all fields that have values @param same those written as a field of the same name @param moved as another one */
export const pairedFields = (same: number, moved: number, all: number): string =>
  `${formatCount(same)} of ${formatCount(all)} fields with values ${same === 1 ? 'is' : 'are'} written as the field of the same name${moved === 0 ? '.' : '; as another one:'}`;
