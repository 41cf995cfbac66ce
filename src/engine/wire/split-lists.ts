/**
 * Splits a large message into several messages that are read one after another, so that progress can be shown and a
 * cancel can take effect between them.
 *
 *   │ a │ list list list │ b │ list list │
 *
 * Elements of repeated messages do not depend on other records. Among the other records, a later one may replace
 * an earlier one, so they stay together.
 */
import { joinBytes } from '../bytes/join.ts';
import { WireType } from '../model/annotation.ts';
import type { FieldDescriptor, MessageDescriptor } from '../schema/descriptor.ts';
import { fieldOf } from './path-plan.ts';
import { emptyRecord, readRecord } from './raw-record.ts';

/** Bytes of a message that are read without a pause: about 20 ms. */
export const MAX_READ_AT_ONCE = 1 << 20;

/** Consecutive records. */
export interface Run {
  readonly start: number;
  readonly end: number;
  /** Number of elements by field number, if all records are elements of repeated messages; otherwise null. */
  readonly elements: ReadonlyMap<number, number> | null;
}

const isListOfMessages = (field: FieldDescriptor | undefined): boolean =>
  field?.type === 'message' && field.cardinality !== 'singular';

/**
 * Divides all bytes into runs, in order. Unreadable bytes and everything after them are one run.
 * @param most maximum bytes of a run with more than one element
 */
export function* recordRuns(bytes: Uint8Array, type: MessageDescriptor, most: number): Generator<Run, void, void> {
  const record = emptyRecord();
  const groups: number[] = [];
  let start = 0;
  let elements: Map<number, number> | null = null;
  for (let at = 0; at < bytes.length; ) {
    record.end = 0;
    let next = readRecord(bytes, at, bytes.length, record);
    const { number, wireType } = record;
    // If the message ends within an element, the available part of the element is read.
    if (next < 0 && record.end > bytes.length && wireType === WireType.LEN) next = bytes.length;
    const isOdd = next < 0 || (wireType === WireType.EGROUP && groups.pop() !== number);
    const isElement =
      !isOdd && groups.length === 0 && wireType === WireType.LEN && isListOfMessages(fieldOf(type, number));
    if (at > start && (isElement !== (elements !== null) || (isElement && next - start > most))) {
      yield { start, end: at, elements };
      start = at;
      elements = null;
    }
    if (isOdd) break;
    if (wireType === WireType.SGROUP) groups.push(number);
    if (isElement) {
      elements ??= new Map();
      elements.set(number, (elements.get(number) ?? 0) + 1);
    }
    at = next;
  }
  if (start < bytes.length) yield { start, end: bytes.length, elements };
}

/** A part of a message, read as a message of its own. */
export interface Part extends Pick<Run, 'elements'> {
  readonly bytes: Uint8Array;
}

/** Each run of elements, and finally all other records in their order. */
export function* splitLists(bytes: Uint8Array, type: MessageDescriptor, most: number): Generator<Part, void, void> {
  const others: Uint8Array[] = [];
  for (const { start, end, elements } of recordRuns(bytes, type, most)) {
    const run = bytes.subarray(start, end);
    if (elements !== null) yield { bytes: run, elements };
    else others.push(run);
  }
  if (others.length > 0) yield { bytes: others.length === 1 ? others[0]! : joinBytes(others), elements: null };
}
