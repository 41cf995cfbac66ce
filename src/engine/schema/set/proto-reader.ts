/**
 * Reads protobuf records one after another, for descriptors: only tags, varints and lengths. It throws if the bytes are
 * not records; the reader of the whole set turns that into a finding. https://protobuf.dev/programming-guides/encoding/
 */
import { VARINT_OVERFLOW, VARINT_TRUNCATED, varintEnd, varintLow } from '../../bytes/varint.ts';

const utf8 = new TextDecoder();

/** Shared by all empty lists, which are most lists. */
export const NONE: never[] = [];

/** A list that can be appended to. */
export const mutableList = <T>(list: readonly T[]): T[] => (list === NONE ? [] : (list as T[]));

type Slot<Draft> = (draft: Draft, reader: ProtoReader) => void;

/** Handlers of records, by wire type and field number; records without a handler are skipped. */
export interface Slots<Draft> {
  readonly len?: Readonly<Record<number, Slot<Draft>>>;
  readonly varint?: Readonly<Record<number, Slot<Draft>>>;
}

export function readRecords<Draft>(reader: ProtoReader, { len, varint }: Slots<Draft>, draft: Draft): Draft {
  while (reader.next()) {
    const { number, wireType } = reader;
    const slot = wireType === 2 ? len?.[number] : wireType === 0 ? varint?.[number] : undefined;
    if (slot === undefined) reader.skip();
    else slot(draft, reader);
  }
  return draft;
}

/** The same for untrusted bytes. false: the bytes are not records up to their end. */
export const readRecordsSafely = <Draft>(reader: ProtoReader, slots: Slots<Draft>, draft: Draft): boolean =>
  isReadable(() => readRecords(reader, slots, draft));

/** false: `read` found bytes that are not records. */
export function isReadable(read: () => void): boolean {
  try {
    read();
    return true;
  } catch (fault) {
    if (!(fault instanceof RangeError)) throw fault;
    return false;
  }
}

/** Groups nested deeper do not occur in real messages. */
const MAX_DEPTH = 100;

/** Text up to this length is decoded by a loop, which is faster than the platform's decoder. */
const SHORT = 48;

export class ProtoReader {
  readonly bytes: Uint8Array;
  /** Offset of the next byte. */
  at: number;
  readonly end: number;
  /** Field number of the last record. */
  number = 0;
  wireType = 0;

  constructor(bytes: Uint8Array, at = 0, end: number = bytes.length) {
    this.bytes = bytes;
    this.at = at;
    this.end = end;
  }

  /** Reads a tag; false at the end. */
  next(): boolean {
    if (this.at >= this.end) return false;
    const tag = this.uint();
    this.number = tag >>> 3;
    this.wireType = tag & 7;
    if (this.number === 0) throw new RangeError('field number 0');
    return true;
  }

  /** A varint's low 32 bits, unsigned. */
  uint(): number {
    const end = varintEnd(this.bytes, this.at, this.end);
    if (end === VARINT_TRUNCATED) throw new RangeError('ends in a varint');
    if (end === VARINT_OVERFLOW) throw new RangeError('a varint of more than ten bytes');
    const value = varintLow(this.bytes, this.at, end) >>> 0;
    this.at = end;
    return value;
  }

  int(): number {
    return this.uint() | 0;
  }

  bool(): boolean {
    return this.uint() !== 0;
  }

  /** A reader of the contents of a LEN record. This reader continues after the record. */
  inner(): ProtoReader {
    const end = this.#lengthEnd();
    const inner = new ProtoReader(this.bytes, this.at, end);
    this.at = end;
    return inner;
  }

  text(): string {
    const end = this.#lengthEnd();
    const start = this.at;
    this.at = end;
    if (end - start <= SHORT) {
      const { bytes } = this;
      let text = '';
      let at = start;
      let bits = 0;
      for (; at + 8 <= end; at += 8) {
        const [a, b, c, d] = [bytes[at]!, bytes[at + 1]!, bytes[at + 2]!, bytes[at + 3]!];
        const [e, f, g, h] = [bytes[at + 4]!, bytes[at + 5]!, bytes[at + 6]!, bytes[at + 7]!];
        bits |= a | b | c | d | e | f | g | h;
        text += String.fromCharCode(a, b, c, d, e, f, g, h);
      }
      for (; at < end; at++) {
        bits |= bytes[at]!;
        text += String.fromCharCode(bytes[at]!);
      }
      if (bits < 128) return text;
    }
    return utf8.decode(this.bytes.subarray(start, end));
  }

  /** Skips the record's payload. */
  skip(depth = 0): void {
    const { number, wireType } = this;
    if (wireType === 0) this.uint();
    else if (wireType === 1) this.#pass(8);
    else if (wireType === 2) this.at = this.#lengthEnd();
    else if (wireType === 5) this.#pass(4);
    else if (wireType === 3 && depth < MAX_DEPTH) {
      for (;;) {
        if (!this.next()) throw new RangeError('a group without an end');
        if (this.wireType === 4) break;
        this.skip(depth + 1);
      }
      if (this.number !== number) throw new RangeError('a group that ends as another');
    } else throw new RangeError(`wire type ${wireType}`);
  }

  #lengthEnd(): number {
    const length = this.uint();
    const end = this.at + length;
    if (end > this.end) throw new RangeError('longer than what is there');
    return end;
  }

  #pass(count: number): void {
    this.at += count;
    if (this.at > this.end) throw new RangeError('ends in a number');
  }
}
