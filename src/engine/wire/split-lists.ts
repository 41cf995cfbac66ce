/**
 * A large message as several that are read one after another, so that progress is seen and a cancel is heard in between.
 *
 *   │ a │ list list list │ b │ list list │
 *
 * Elements of lists of messages do not depend on what stands beside them. Among other records, a later one may replace an
 * earlier one: they stay together.
 */
import { joinBytes } from '../bytes/join.ts';
import { WireType } from '../model/annotation.ts';
import type { FieldDescriptor, MessageDescriptor } from '../schema/descriptor.ts';
import { fieldOf } from './path-plan.ts';
import { emptyRecord, readRecord } from './raw-record.ts';

/** Bytes of a message that is read at once: some 20 ms. */
export const MOST_READ_AT_ONCE = 1 << 20;

/** Records side by side. */
export interface Run {
  readonly start: number;
  readonly end: number;
  /** Elements by field number, where all of them are elements of lists of messages; null elsewhere. */
  readonly elements: ReadonlyMap<number, number> | null;
}

const isListOfMessages = (field: FieldDescriptor | undefined): boolean =>
  field?.type === 'message' && field.cardinality !== 'singular';

/**
 * All bytes in runs, in their order. Bytes that cannot be read, and all behind them, are one run.
 * @param most bytes of a run of more than one element
 */
export function* recordRuns(
  bytes: Uint8Array,
  type: MessageDescriptor,
  most = MOST_READ_AT_ONCE,
): Generator<Run, void, void> {
  const record = emptyRecord();
  const groups: number[] = [];
  let start = 0;
  let elements: Map<number, number> | null = null;
  for (let at = 0; at < bytes.length; ) {
    record.end = 0;
    let next = readRecord(bytes, at, bytes.length, record);
    const { number, wireType } = record;
    // An element that the message ends within is read as far as it goes.
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

/** A part of a message that is read as a message. */
export interface Part extends Pick<Run, 'elements'> {
  readonly bytes: Uint8Array;
}

/** Each run of elements, and last all other records, in their order. */
export function* splitLists(
  bytes: Uint8Array,
  type: MessageDescriptor,
  most = MOST_READ_AT_ONCE,
): Generator<Part, void, void> {
  const others: Uint8Array[] = [];
  for (const { start, end, elements } of recordRuns(bytes, type, most)) {
    const run = bytes.subarray(start, end);
    if (elements !== null) yield { bytes: run, elements };
    else others.push(run);
  }
  if (others.length > 0) yield { bytes: others.length === 1 ? others[0]! : joinBytes(others), elements: null };
}
