/**
 * Reduces a large message to the part whose native size the statistics do not give. Submessages whose size they give
 * are removed. The rest has to be written; its difference from the statistics equals the difference of the whole
 * message. This works because elements of a list cost the same, independent of the other fields.
 */
import { WireType } from '../model/annotation.ts';
import { Output } from '../native/output.ts';
import type { MessageDescriptor } from '../schema/descriptor.ts';
import { fieldOf } from '../wire/path-plan.ts';
import { emptyRecord, readRecord } from '../wire/raw-record.ts';
import { recordRuns } from '../wire/split-lists.ts';

/** Smaller messages are not reduced. In bytes. */
const SMALL = 1 << 16;
/** Maximum depth at which large messages are reduced; deeper ones are kept whole. */
const DEEPEST = 16;
/** Bytes of elements that are tested together. */
const RUN = 1 << 14;

/** @param isRegular returns whether the statistics give the native size of a message of the type */
export function irregularPart(
  bytes: Uint8Array,
  type: MessageDescriptor,
  isRegular: (message: Uint8Array) => boolean,
  depth = 0,
): Uint8Array {
  if (bytes.length <= SMALL || depth === DEEPEST) return bytes;
  const kept = new Output();
  for (const part of irregularParts(bytes, type, isRegular, depth)) if (part !== null) kept.raw(part);
  return kept.finish();
}

/**
 * Yields the same in parts, each of them a message: first elements of lists, then all other records. null: one step was
 * done, but nothing has to be written.
 */
export function* irregularParts(
  bytes: Uint8Array,
  type: MessageDescriptor,
  isRegular: (message: Uint8Array) => boolean,
  depth = 0,
): Generator<Uint8Array | null, void, void> {
  const others = new Output();
  const record = emptyRecord();
  const writeRecord = (into: Output, start: number, end: number): void => {
    if (end - start <= SMALL) {
      into.raw(bytes, start, end);
      return;
    }
    readRecord(bytes, start, end, record);
    const { message } = fieldOf(type, record.number)!;
    const head = bytes.subarray(start, record.start);
    const tag = head.subarray(0, tagEnd(head));
    const inside = bytes.subarray(record.start, record.end);
    const payload = irregularPart(inside, message!, (inner) => isRegular(within(tag, inner)), depth + 1);
    into.raw(within(tag, payload));
  };
  for (const { start, end, elements } of recordRuns(bytes, type, RUN)) {
    if (elements !== null) {
      if (isRegular(bytes.subarray(start, end))) {
        yield null;
        continue;
      }
      const kept = new Output();
      for (let at = start; at < end; ) {
        const next = readRecord(bytes, at, end, record);
        // The message ends within this record.
        if (next < 0) {
          kept.raw(bytes, at, end);
          break;
        }
        if (!isRegular(bytes.subarray(at, next))) writeRecord(kept, at, next);
        at = next;
      }
      yield kept.finish();
      continue;
    }
    for (let at = start; at < end; ) {
      const next = readRecord(bytes, at, end, record);
      const isGroup = record.wireType === WireType.SGROUP || record.wireType === WireType.EGROUP;
      // Unreadable records and groups are copied unchanged.
      if (next < 0 || isGroup) {
        others.raw(bytes, at, end);
        break;
      }
      const isMessage = record.wireType === WireType.LEN && fieldOf(type, record.number)?.type === 'message';
      if (isMessage) writeRecord(others, at, next);
      else others.raw(bytes, at, next);
      at = next;
    }
  }
  if (others.length > 0) yield others.finish();
}

/** One past a record's tag. */
function tagEnd(head: Uint8Array): number {
  let end = 0;
  while (head[end]! >= 0x80) end++;
  return end + 1;
}

/** A record made of a tag and a payload. */
function within(tag: Uint8Array, payload: Uint8Array): Uint8Array {
  const out = new Output();
  out.raw(tag);
  out.varint64(payload.length, 0);
  out.raw(payload);
  return out.finish();
}
