/**
 * Protobuf's records in the entries of recordings: the few fields that a reader knows by number.
 * protobuf.dev/programming-guides/encoding
 */
import { latin1 } from '../../bytes/latin1.ts';
import { varintBigInt, varintEnd, varintNumber } from '../../bytes/varint.ts';

export interface ProtoRecord {
  readonly field: number;
  /** A varint's value; of other records, 0. */
  readonly value: number;
  /** The contents of a record with a length; of others, their bytes. */
  readonly start: number;
  readonly end: number;
  readonly hasLength: boolean;
}

const [VARINT, FIXED64, LEN, FIXED32] = [0, 1, 2, 5];

/** A message of more records is not read: each takes more memory than its bytes. */
const MAX_RECORDS = 1 << 18;

/** The record that begins at `at`; null: none does that ends before `end`. Groups are none of theirs. */
function recordAt(bytes: Uint8Array, at: number, end: number): ProtoRecord | null {
  const body = varintEnd(bytes, at, end);
  if (body < 0) return null;
  const tag = varintNumber(bytes, at, body);
  const [field, wireType] = [Math.floor(tag / 8), tag % 8];
  const isFixed = wireType === FIXED64 || wireType === FIXED32;
  const after = isFixed ? body + (wireType === FIXED64 ? 8 : 4) : varintEnd(bytes, body, end);
  if (field === 0 || after < 0 || !(isFixed || wireType === VARINT || wireType === LEN)) return null;
  const value = isFixed ? 0 : varintNumber(bytes, body, after);
  const hasLength = wireType === LEN;
  const next = hasLength ? after + value : after;
  if (next > end) return null;
  return { field, value: hasLength ? 0 : value, start: hasLength ? after : body, end: next, hasLength };
}

/** Whether records fill the bytes, however many. */
export function isWholeMessage(bytes: Uint8Array): boolean {
  let at: number | undefined = 0;
  while (at !== undefined && at < bytes.length) at = recordAt(bytes, at, bytes.length)?.end;
  return at !== undefined;
}

/** The records that fill `bytes[start, end)`; null: they do not, or are too many. */
function recordsOf(bytes: Uint8Array, start: number, end: number): readonly ProtoRecord[] | null {
  const records: ProtoRecord[] = [];
  for (let at = start; at < end; ) {
    const record = records.length === MAX_RECORDS ? null : recordAt(bytes, at, end);
    if (record === null) return null;
    records.push(record);
    at = record.end;
  }
  return records;
}

/** Fields of a message by number, each with its last record. A message that is not well-formed, or of too many records, has none. */
export class ProtoFields {
  readonly #bytes: Uint8Array;
  readonly #records: readonly ProtoRecord[] | null;
  readonly #onBroken: () => void;

  /**
   * @param record undefined: no message
   * @param onBroken called if it or a message in it is not well-formed
   */
  constructor(
    bytes: Uint8Array,
    record: Pick<ProtoRecord, 'start' | 'end'> | undefined,
    onBroken: () => void = () => {},
  ) {
    this.#bytes = bytes;
    this.#onBroken = onBroken;
    this.#records = record === undefined ? [] : recordsOf(bytes, record.start, record.end);
    if (this.#records === null) onBroken();
  }

  get isWhole(): boolean {
    return this.#records !== null;
  }

  /** Messages, texts or bytes. */
  all(field: number): readonly ProtoRecord[] {
    return this.#records?.filter((record) => record.field === field && record.hasLength) ?? [];
  }

  one(field: number): ProtoRecord | undefined {
    return this.#records?.findLast((record) => record.field === field && record.hasLength);
  }

  message(field: number): ProtoFields {
    return new ProtoFields(this.#bytes, this.one(field), this.#onBroken);
  }

  text(field: number): string {
    const record = this.one(field);
    return record === undefined ? '' : latin1(this.#bytes, record.start, record.end);
  }

  number(field: number): number {
    return this.#numbers(field)?.value ?? 0;
  }

  #numbers(field: number): ProtoRecord | undefined {
    return this.#records?.findLast((record) => record.field === field && !record.hasLength);
  }

  /** An integer of 64 bits, of which all count. */
  whole(field: number): bigint {
    const record = this.#numbers(field);
    return record === undefined ? 0n : varintBigInt(this.#bytes, record.start, record.end);
  }
}
