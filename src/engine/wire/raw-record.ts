/** Reads one record after another, without a schema and without rows. Heuristics and advice use this reader. */

import { varintEnd, varintNumber } from '../bytes/varint.ts';
import { WireType } from '../model/annotation.ts';

export interface RawRecord {
  number: number;
  wireType: number;
  /** Extent of the payload; empty for start and end tags of groups. */
  start: number;
  end: number;
}

export const emptyRecord = (): RawRecord => ({ number: 0, wireType: 0, start: 0, end: 0 });

/** Reads the record at `p` into `into`. Returns where the next record begins; −1: the record cannot be read. */
export function readRecord(bytes: Uint8Array, p: number, limit: number, into: RawRecord): number {
  const tagEnd = varintEnd(bytes, p, limit);
  if (tagEnd < 0) return -1;
  const tag = varintNumber(bytes, p, tagEnd);
  if (tag < 8 || tag > 0xffffffff) return -1;
  into.number = tag >>> 3;
  into.wireType = tag & 7;
  into.start = tagEnd;
  into.end = payloadEnd(bytes, tagEnd, limit, into);
  return into.end > limit ? -1 : into.end;
}

function payloadEnd(bytes: Uint8Array, p: number, limit: number, into: RawRecord): number {
  switch (into.wireType) {
    case WireType.VARINT:
      return varintEnd(bytes, p, limit);
    case WireType.I64:
      return p + 8;
    case WireType.I32:
      return p + 4;
    case WireType.LEN: {
      const lengthEnd = varintEnd(bytes, p, limit);
      if (lengthEnd < 0) return -1;
      into.start = lengthEnd;
      return lengthEnd + varintNumber(bytes, p, lengthEnd);
    }
    case WireType.SGROUP:
    case WireType.EGROUP:
      return p;
    default:
      return -1;
  }
}

/**
 * Offset of the tag that ends a group; −1: it cannot be read, or does not end before `limit`.
 * @param p after the tag that begins the group
 * @param most depth of groups, including this one
 */
export function groupEnd(
  bytes: Uint8Array,
  p: number,
  limit: number,
  number: number,
  most = Number.POSITIVE_INFINITY,
): number {
  const record = emptyRecord();
  const open = [number];
  for (let at = p; open.length <= most && at < limit; ) {
    const next = readRecord(bytes, at, limit, record);
    if (next < 0) return -1;
    if (record.wireType === WireType.SGROUP) open.push(record.number);
    else if (record.wireType === WireType.EGROUP) {
      if (open.pop() !== record.number) return -1;
      if (open.length === 0) return at;
    }
    at = next;
  }
  return -1;
}

/** Whether the unreadable record at `p` is valid up to `limit`. Such a record may be truncated. */
export function isCutRecord(bytes: Uint8Array, p: number, limit: number): boolean {
  const tagEnd = varintEnd(bytes, p, limit);
  if (tagEnd < 0) return isCutVarint(bytes, p, limit);
  const tag = varintNumber(bytes, p, tagEnd);
  if (tag < 8 || tag > 0xffffffff) return false;
  const wireType = tag & 7;
  if (wireType === WireType.I32 || wireType === WireType.I64) return true;
  if (wireType !== WireType.VARINT && wireType !== WireType.LEN) return false;
  const end = varintEnd(bytes, tagEnd, limit);
  return end < 0 ? isCutVarint(bytes, tagEnd, limit) : wireType === WireType.LEN;
}

const isCutVarint = (bytes: Uint8Array, p: number, limit: number): boolean =>
  limit - p < 10 && bytes.subarray(p, limit).every((byte) => byte >= 128);

export interface Probe {
  /** Number of records, including records in groups. */
  readonly records: number;
  readonly largestNumber: number;
}

/**
 * Reads `bytes[start, end)` as a message; undefined: it is not a message. LEN payloads are not read.
 * @param isCut the message continues after `end`
 */
export function probeMessage(bytes: Uint8Array, start: number, end: number, isCut = false): Probe | undefined {
  const record = emptyRecord();
  const groups: number[] = [];
  let records = 0;
  let largestNumber = 0;
  for (let p = start; p < end; ) {
    const next = readRecord(bytes, p, end, record);
    if (next < 0) {
      if (isCut && isCutRecord(bytes, p, end)) break;
      return undefined;
    }
    p = next;
    if (record.wireType === WireType.SGROUP) groups.push(record.number);
    else if (record.wireType === WireType.EGROUP) {
      if (groups.pop() !== record.number) return undefined;
      continue;
    }
    records++;
    if (record.number > largestNumber) largestNumber = record.number;
  }
  return isCut || groups.length === 0 ? { records, largestNumber } : undefined;
}
