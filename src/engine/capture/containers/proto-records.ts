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

/** The records that fill `bytes[start, end)`; null: they do not. Groups are none of theirs. */
export function recordsOf(bytes: Uint8Array, start: number, end: number): readonly ProtoRecord[] | null {
  const records: ProtoRecord[] = [];
  for (let at = start; at < end; ) {
    const body = varintEnd(bytes, at, end);
    if (body < 0) return null;
    const tag = varintNumber(bytes, at, body);
    const [field, wireType] = [Math.floor(tag / 8), tag % 8];
    if (field === 0) return null;
    if (wireType === FIXED64 || wireType === FIXED32) {
      at = body + (wireType === FIXED64 ? 8 : 4);
      records.push({ field, value: 0, start: body, end: at, hasLength: false });
    } else {
      const after = varintEnd(bytes, body, end);
      if (after < 0 || (wireType !== VARINT && wireType !== LEN)) return null;
      const value = varintNumber(bytes, body, after);
      const hasLength = wireType === LEN;
      at = hasLength ? after + value : after;
      records.push({ field, value: hasLength ? 0 : value, start: hasLength ? after : body, end: at, hasLength });
    }
    if (at > end) return null;
  }
  return records;
}

/** Fields of a message by number, each with its last record. A message that is not well-formed has none. */
export class ProtoFields {
  readonly #bytes: Uint8Array;
  readonly #records: readonly ProtoRecord[] | null;

  /** @param record undefined: no message */
  constructor(bytes: Uint8Array, record: Pick<ProtoRecord, 'start' | 'end'> | undefined) {
    this.#bytes = bytes;
    this.#records = record === undefined ? [] : recordsOf(bytes, record.start, record.end);
  }

  get isWhole(): boolean {
    return this.#records !== null;
  }

  /** Messages, texts or bytes. */
  all(field: number): readonly ProtoRecord[] {
    return this.#records?.filter((record) => record.field === field && record.hasLength) ?? [];
  }

  one(field: number): ProtoRecord | undefined {
    return this.all(field).at(-1);
  }

  message(field: number): ProtoFields {
    return new ProtoFields(this.#bytes, this.one(field));
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
