/**
 * A large message without those of its submessages whose native size the statistics give: what is left has to be
 * written, and what it takes beyond the statistics is what the whole message takes beyond them. Elements of a list cost
 * the same beside any other fields.
 */
import { WireType } from '../model/annotation.ts';
import { Output } from '../native/output.ts';
import type { MessageDescriptor } from '../schema/descriptor.ts';
import { fieldOf } from '../wire/path-plan.ts';
import { emptyRecord, readRecord } from '../wire/raw-record.ts';

/** Bytes; smaller messages are taken whole. */
const SMALL = 1 << 16;
/** Bytes of elements that are looked at together. */
const RUN = 1 << 14;

/** @param isRegular whether the statistics give the native size of a message of the type */
export function irregularPart(
  bytes: Uint8Array,
  type: MessageDescriptor,
  isRegular: (message: Uint8Array) => boolean,
): Uint8Array {
  if (bytes.length <= SMALL) return bytes;
  const kept = new Output();
  const record = emptyRecord();
  /** Elements that are looked at together: where each ends, and where the first begins. */
  let ends: number[] = [];
  let from = 0;
  let at = 0;

  const keep = (start: number, end: number): void => {
    const isLarge = end - start > SMALL;
    if (!isLarge) {
      kept.raw(bytes, start, end);
      return;
    }
    readRecord(bytes, start, end, record);
    const { message } = fieldOf(type, record.number)!;
    const head = bytes.subarray(start, record.start);
    const tag = head.subarray(0, tagEnd(head));
    const payload = irregularPart(bytes.subarray(record.start, record.end), message!, (inner) =>
      isRegular(within(tag, inner)),
    );
    kept.raw(within(tag, payload));
  };
  const settle = (): void => {
    if (ends.length > 0 && !isRegular(bytes.subarray(from, at))) {
      let start = from;
      for (const end of ends) {
        if (!isRegular(bytes.subarray(start, end))) keep(start, end);
        start = end;
      }
    }
    ends = [];
  };

  while (at < bytes.length) {
    const next = readRecord(bytes, at, bytes.length, record);
    if (next < 0 || record.wireType === WireType.SGROUP || record.wireType === WireType.EGROUP) break;
    const field = fieldOf(type, record.number);
    const isMessage = field?.type === 'message' && record.wireType === WireType.LEN;
    if (isMessage && field.cardinality !== 'singular') {
      if (ends.length === 0) from = at;
      ends.push(next);
      at = next;
      if (at - from >= RUN) settle();
      continue;
    }
    settle();
    if (isMessage) keep(at, next);
    else kept.raw(bytes, at, next);
    at = next;
  }
  settle();
  // Records that cannot be read, and groups, are copied as they are.
  kept.raw(bytes, at, bytes.length);
  return kept.finish();
}

/** One past the tag that a record begins with. */
function tagEnd(head: Uint8Array): number {
  let end = 0;
  while (head[end]! >= 0x80) end++;
  return end + 1;
}

/** A record of a payload. */
function within(tag: Uint8Array, payload: Uint8Array): Uint8Array {
  const out = new Output();
  out.raw(tag);
  out.varint64(payload.length, 0);
  out.raw(payload);
  return out.finish();
}
