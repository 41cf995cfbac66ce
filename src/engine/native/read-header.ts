/**
 * Reads the header of a value, of a list or of a message, into its row: flag, length and count. A count is believed only
 * if the bytes that follow can hold that many elements.
 */
import { Flag } from '../model/annotation.ts';
import { type Input, ReadStopped } from './input.ts';
import { type IntForm, type LayoutOf, NativeSlot } from './layout.ts';
import { Op, type ReadStep, takesBytes } from './read-plan.ts';
import type { NativeRows } from './rows.ts';

const BYTE: IntForm = { kind: 'fixed', bytes: 1, order: 'big' };

/** Maximum total number of elements that take no bytes. A larger count is a fault. */
const MAX_EMPTY_ELEMENTS = 65536;

export class HeaderReader {
  readonly #input: Input;
  readonly #rows: NativeRows;
  readonly #layoutOf: LayoutOf;
  #empties = MAX_EMPTY_ELEMENTS;

  constructor(input: Input, rows: NativeRows, layoutOf: LayoutOf) {
    this.#input = input;
    this.#rows = rows;
    this.#layoutOf = layoutOf;
  }

  /** Begins a message. */
  begin(): void {
    this.#empties = MAX_EMPTY_ELEMENTS;
  }

  /** Reads an integer into a slot. Returns its value. */
  slot(row: number, which: number, form: IntForm): number {
    const rows = this.#rows;
    const input = this.#input;
    const start = input.at;
    input.int(form);
    rows.slot(row, which, input.at - start);
    if (input.isOverlong) rows.mark(row, Flag.OVERLONG);
    if (input.high !== input.low >> 31) {
      throw new ReadStopped('native/too-large', 'This length or count is beyond 2 GiB.', start);
    }
    return input.low;
  }

  /** Reads the flag of an optional value. Returns whether the value follows. */
  flag(row: number, { layout }: ReadStep): boolean {
    const input = this.#input;
    const start = input.at;
    input.int(layout!.flag ?? BYTE);
    const { low, high } = input;
    if (layout!.absence === 'minus') {
      if (low !== 1 && low !== -1)
        throw new ReadStopped('native/bad-flag', `1 or −1 is expected here, not ${low}.`, start);
      this.#rows.slot(row, NativeSlot.FLAG, input.at - start);
      return low === 1;
    }
    if (high !== 0 || low < 0 || low > 1) {
      const given = layout!.flag === undefined ? low & 255 : low;
      throw new ReadStopped('native/bad-flag', `A flag is 0 or 1, not ${given}.`, start);
    }
    this.#rows.slot(row, NativeSlot.FLAG, input.at - start);
    return low === 1;
  }

  /** Reads the count of a block. After a negative count follows the number of bytes of the block. */
  block(form: IntForm): number {
    const input = this.#input;
    const start = input.at;
    input.int(form);
    const { low, high } = input;
    if (high !== low >> 31) throw new ReadStopped('native/too-large', 'This length or count is beyond 2 GiB.', start);
    if (low >= 0) return low;
    input.int(form);
    return -low;
  }

  /** Stops if a count exceeds the number of elements that the remaining bytes can hold. */
  believe(step: ReadStep, elements: number, start: number): void {
    const input = this.#input;
    const room = input.limit - input.at;
    const isSolid = takesBytes(step, this.#layoutOf);
    const smallest = step.op === Op.FIXED ? step.size : 1;
    if (elements > (isSolid ? room / smallest : this.#empties)) {
      const text = `${elements} elements are announced, but only ${room} bytes follow.`;
      throw new ReadStopped('native/count-too-large', text, start);
    }
    if (!isSolid) this.#empties -= elements;
  }

  /** Reads the number of elements of a list, or of its first block; 0 also if the list is absent. */
  count(step: ReadStep, row: number): number {
    const start = this.#input.at;
    const elements = this.#written(step, row);
    this.believe(step, elements, start);
    return elements;
  }

  #written(step: ReadStep, row: number): number {
    const rows = this.#rows;
    const input = this.#input;
    const start = input.at;
    const { count, countTwice, inBlocks, absence } = step.layout!;
    if (inBlocks === true) {
      const elements = this.block(count!);
      if (input.at - start > 15)
        throw new ReadStopped('native/bad-varint', 'A count and a size in more than 15 bytes.', start);
      rows.slot(row, NativeSlot.COUNT, input.at - start);
      return elements;
    }
    const written = this.slot(row, NativeSlot.COUNT, count!);
    if (written === -1 && absence === 'sentinel') {
      rows.mark(row, Flag.DEFAULT);
      return 0;
    }
    if (written < 0) throw new ReadStopped('native/negative-count', `A count of ${written} is not valid.`, start);
    if (step.isOneMore) {
      if (written === 0) rows.mark(row, Flag.DEFAULT);
      return Math.max(0, written - 1);
    }
    if (countTwice === true && written > 0) {
      const again = input.at;
      input.int(count!);
      if (input.low !== written) {
        throw new ReadStopped('native/count-differs', `The count is ${written}, then ${input.low}.`, again);
      }
      rows.slot(row, NativeSlot.COUNT, input.at - start);
    }
    return written;
  }
}
