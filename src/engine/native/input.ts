/** A cursor over native bytes. It stops at their end, and reports why it stopped. */
import type { IntForm } from './layout.ts';

/** The reason why reading stopped. It is only thrown and caught within the reader. */
export class ReadStopped {
  readonly code: string;
  readonly message: string;
  readonly at: number;
  constructor(code: string, message: string, at: number) {
    this.code = code;
    this.message = message;
    this.at = at;
  }
}

export class Input {
  at = 0;
  /** One past the last byte that may be read: the end of the bytes, or of the current blob. */
  limit = 0;
  /** The last integer that was read, sign-extended. */
  low = 0;
  high = 0;
  /** Whether its varint was longer than necessary. */
  isOverlong = false;
  bytes: Uint8Array = new Uint8Array(0);
  #words: DataView | undefined;

  begin(bytes: Uint8Array, start = 0, end = bytes.length): void {
    this.bytes = bytes;
    this.#words = undefined;
    this.at = start;
    this.limit = end;
  }

  byte(): number {
    if (this.at >= this.limit) throw this.truncated(this.at);
    return this.bytes[this.at++]!;
  }

  skip(size: number): void {
    if (size > this.limit - this.at) throw this.truncated(this.at);
    this.at += size;
  }

  /** Skips `units` UTF-16 units of 1 to 3 bytes each (StreamInput.readString). */
  skipUnits(units: number): void {
    const end = unitsEnd(this, this.at, units);
    if (end < 0) throw this.#badUnits(units);
    this.at = end;
  }

  /** The reason why `units` units cannot be read. */
  #badUnits(units: number): ReadStopped {
    const { bytes, limit, at: start } = this;
    if (units > limit - start) return this.truncated(start);
    let at = start;
    for (let i = 0; i < units && at < limit; i++) {
      const lead = bytes[at]!;
      const size = unitSize(lead);
      if (size === 0) {
        return new ReadStopped('native/bad-text', `A UTF-16 unit does not begin with byte 0x${lead.toString(16)}.`, at);
      }
      at += size;
    }
    return this.truncated(start);
  }

  /** Reads an integer into `low` and `high`. */
  int(form: IntForm): void {
    if (form.kind === 'fixed') {
      this.#fixed(form.bytes, form.order);
      return;
    }
    if (form.kind === 'marked') this.#marked();
    else this.varint(form.bits === 32 ? 5 : 10);
    if (form.zigzag) {
      const { low, high } = this;
      const sign = -(low & 1);
      this.low = ((low >>> 1) | (high << 31)) ^ sign;
      this.high = (high >>> 1) ^ sign;
    } else if (form.bits === 32) this.high = this.low >> 31;
    if (form.kind === 'varint' && form.more === 1 && this.low-- === 0) this.high--;
  }

  #marked(): void {
    const start = this.at;
    const mark = this.byte();
    if (mark > 253)
      throw new ReadStopped('native/bad-varint', `An integer does not begin with the byte ${mark}.`, start);
    const size = mark === 253 ? 8 : mark === 252 ? 4 : mark === 251 ? 2 : 0;
    this.#fixed(size, 'little');
    if (size === 0) this.low = mark;
    else if (size === 2) this.low &= 0xffff;
    if (size < 8) this.high = 0;
    const isNarrower =
      size === 2 ? this.low <= 250 : size === 4 ? this.low >>> 16 === 0 : size === 8 && this.high === 0;
    this.isOverlong = isNarrower;
  }

  /** Reads a varint of at most `longest` bytes: 7 bits a byte, low bits first. */
  varint(longest: number): void {
    const { bytes, limit } = this;
    const start = this.at;
    let at = start;
    let low = 0;
    let high = 0;
    for (let shift = 0; ; shift += 7) {
      if (at >= limit) throw this.truncated(start);
      const byte = bytes[at++]!;
      const bits = byte & 127;
      if (shift < 32) low |= bits << shift;
      if (shift > 25) high |= shift >= 32 ? bits << (shift - 32) : bits >>> (32 - shift);
      if (byte < 128) {
        this.isOverlong = byte === 0 && shift > 0;
        break;
      }
      if (at - start === longest) {
        throw new ReadStopped('native/bad-varint', 'This variable-width integer does not end.', start);
      }
    }
    this.at = at;
    this.low = low;
    this.high = high;
  }

  #fixed(size: number, order: 'big' | 'little'): void {
    const start = this.at;
    this.skip(size);
    this.isOverlong = false;
    let low = 0;
    let high = 0;
    for (let i = 0; i < size; i++) {
      const byte = this.bytes[order === 'little' ? start + i : start + size - 1 - i]!;
      if (i < 4) low |= byte << (i * 8);
      else high |= byte << ((i - 4) * 8);
    }
    this.low = size >= 4 ? low : (low << (32 - size * 8)) >> (32 - size * 8);
    this.high = size === 8 ? high : this.low >> 31;
  }

  /** The same bytes as a DataView, to read four bytes at once. */
  view(): DataView {
    this.#words ??= new DataView(this.bytes.buffer, this.bytes.byteOffset, this.bytes.byteLength);
    return this.#words;
  }

  truncated(at: number): ReadStopped {
    return new ReadStopped('native/truncated', 'The stream ends before this value does.', at);
  }
}

/** Bytes of a UTF-16 unit whose first byte is `lead`; 0: no unit begins with it. */
const unitSize = (lead: number): number =>
  lead < 0x80 ? 1 : lead >= 0xc0 && lead < 0xe0 ? 2 : lead >= 0xe0 && lead < 0xf0 ? 3 : 0;

/** The end of `units` UTF-16 units that begin at an offset; −1: they do not end before the input's limit. */
export function unitsEnd(input: Input, start: number, units: number): number {
  const { bytes, limit } = input;
  if (units > limit - start) return -1;
  let at = start;
  let left = units;
  while (left > 0) {
    if (left >= 8 && limit - at >= 8) {
      const view = input.view();
      while (left >= 8 && limit - at >= 8 && ((view.getInt32(at) | view.getInt32(at + 4)) & 0x80808080) === 0) {
        at += 8;
        left -= 8;
      }
    }
    for (let few = Math.min(left, 8); few > 0; few--) {
      if (at >= limit) return -1;
      const size = unitSize(bytes[at]!);
      if (size === 0) return -1;
      at += size;
      left--;
    }
  }
  return at > limit ? -1 : at;
}
