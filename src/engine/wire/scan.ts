/**
 * Messages of one type → statistics by field path, in one pass and without an object per byte or field. It makes no
 * sentences for findings. The bits that `add` returns mark a message that has findings; the caller annotates it if it
 * needs them.
 */
import { varintWidth } from '../bytes/varint.ts';
import type { MessageDescriptor } from '../schema/descriptor.ts';
import * as Cell from './cells.ts';
import * as Entry from './entry.ts';
import { KernelRows, wireKernel } from './kernel.ts';
import { fieldOf, MAX_ROWS, PathPlan } from './path-plan.ts';
import * as ScanFlag from './scan-flags.ts';
import { splitLists } from './split-lists.ts';

/** Totals of a row. */
const STRIDE = Cell.CELLS;
/** Words of a row in the kernel's memory. */
const ROW = Cell.ROW_BYTES / 4;
/** The totals are flushed after this many bytes, so that no cell of the kernel overflows. */
const FLUSH_BYTES = 2 ** 30;

export class Scan {
  readonly plan: PathPlan;
  messages = 0;
  bytes = 0;
  unattributed = 0;
  /** Widths of overlong tags, by row. They are too rare to have cells. */
  readonly overlongTags = new Map<number, number[]>();

  readonly #rows: KernelRows;
  /** Totals at row · STRIDE + Cell, without the counts in the kernel since the last flush. */
  #totals = new Float64Array(0);
  #unflushed = 0;
  #counted: Float64Array<ArrayBuffer> | undefined;

  /** A temporary scan shares the plan of another one, so that both number their rows alike. */
  constructor(type: MessageDescriptor | undefined, plan = new PathPlan(type)) {
    this.plan = plan;
    this.#rows = new KernelRows(
      plan,
      () => this.#flush(),
      (row, width) => this.#countOverlongTag(row, width),
    );
  }

  /** Enters one message: `bytes[start, end)`. Returns bits of ScanFlag. */
  add(bytes: Uint8Array, start: number, end: number): number {
    // Each message counts as one further byte, so that empty messages count too.
    const size = end - start + 1;
    if (this.#unflushed + size > FLUSH_BYTES) this.#flush();
    this.messages++;
    this.bytes += end - start;
    this.#counted = undefined;
    const kernel = wireKernel();
    // The rows may be evicted, and thereby flushed, before the message is entered. Its size is therefore added
    // afterwards.
    const flags = kernel.scan(this.#rows, bytes, start, end);
    this.#unflushed += size;
    this.unattributed += kernel.unattributed;
    return this.plan.isFull ? flags | ScanFlag.IRREGULAR : flags;
  }

  /**
   * Enters `count` consecutive messages. The first begins at `start`, and they end at `ends[first]` and so on.
   * @returns bits of ScanFlag of each message, valid until the next one is entered
   */
  addMany(bytes: Uint8Array, start: number, ends: Uint32Array, first: number, count: number): Int32Array {
    const size = ends[first + count - 1]! - start;
    if (this.#unflushed + size + count > FLUSH_BYTES) this.#flush();
    this.messages += count;
    this.bytes += size;
    this.#counted = undefined;
    const kernel = wireKernel();
    const flags = kernel.scanMany(this.#rows, bytes, start, ends, first, count);
    this.#unflushed += size + count;
    this.unattributed += kernel.unattributed;
    if (this.plan.isFull) for (let at = 0; at < count; at++) flags[at]! |= ScanFlag.IRREGULAR;
    return flags;
  }

  /**
   * Enters one message in steps, with the same result as `add`. Yields the number of bytes of each step. Nothing else
   * may be entered between the steps.
   */
  *addInSteps(bytes: Uint8Array, type: MessageDescriptor, most: number): Generator<number, number, void> {
    const messages = this.messages + 1;
    const lists = new Map<number, { parts: number; elements: number; extra: number }>();
    let flags = 0;
    for (const { bytes: part, elements } of splitLists(bytes, type, most)) {
      flags |= this.add(part, 0, part.length);
      for (const [number, count] of elements ?? []) {
        const list = lists.get(number) ?? { parts: 0, elements: 0, extra: 0 };
        lists.set(number, list);
        list.parts++;
        list.elements += count;
        list.extra += extraCountBytes(count);
      }
      yield part.length;
    }
    this.messages = messages;
    this.#counted = undefined;
    this.#flush();
    // Each part counted its elements as a separate list.
    for (const [number, { parts, elements, extra }] of lists) {
      const row = this.plan.fieldRow(0, fieldOf(type, number)!, MAX_ROWS);
      if (row < 0) continue;
      this.#totals[row * STRIDE + Cell.PRESENT]! -= parts - 1;
      this.#totals[row * STRIDE + Cell.COUNT_EXTRA]! += extraCountBytes(elements) - extra;
    }
    return flags;
  }

  /** The sum of row `row` in `cell`. It is 0 for a row that only another scan of the plan used. */
  cellAt(row: number, cell: number): number {
    this.#flush();
    return this.#totals[row * STRIDE + cell] ?? 0;
  }

  /**
   * All sums of row `row`, by Cell; empty for a row that this scan did not use. Valid until the next message is
   * entered.
   */
  cellsAt(row: number): Float64Array {
    this.#flush();
    return this.#totals.subarray(row * STRIDE, (row + 1) * STRIDE);
  }

  isEmpty(row: number): boolean {
    this.#flush();
    const totals = this.#totals;
    for (let at = row * STRIDE + Cell.PRESENT; at < row * STRIDE + Cell.FACTS; at++) {
      if ((totals[at] ?? 0) !== 0) return false;
    }
    return true;
  }

  /** By block: the number of its messages. */
  get instances(): Float64Array<ArrayBuffer> {
    this.#counted ??= this.#countInstances();
    return this.#counted;
  }

  #countInstances(): Float64Array<ArrayBuffer> {
    const { plan } = this;
    const instances = new Float64Array(plan.blocks.length);
    instances[0] = this.messages;
    for (let row = 0; row < plan.rows; row++) {
      const child = plan.child[row]!;
      if (child < 0 || (plan.traits[row]! & Entry.UNKNOWN) !== 0 || this.isEmpty(row)) continue;
      // Records of groups have their own count. Other messages are counted by the widths of their lengths.
      let records = this.cellAt(row, Cell.RECORDS);
      for (let width = 0; width < 10; width++) records += this.cellAt(row, Cell.LENGTH_WIDTHS + width);
      instances[child >> 1]! += records;
    }
    return instances;
  }

  /** Adds the kernel's counts to the totals. */
  #flush(): void {
    if (this.#unflushed === 0 || this.#rows.place === 0) return;
    this.#unflushed = 0;
    const cells = wireKernel().cellsOf(this.#rows);
    const size = (cells.length / ROW) * STRIDE;
    if (this.#totals.length < size) {
      const totals = new Float64Array(size * 2);
      totals.set(this.#totals);
      this.#totals = totals;
    }
    const totals = this.#totals;
    for (let row = 0, total = 0; row < cells.length; row += ROW, total += STRIDE) {
      for (let cell = Cell.PRESENT; cell < Cell.FACTS; cell++) {
        const value = cells[row + cell]!;
        if (value === 0) continue;
        cells[row + cell] = 0;
        const at = total + cell;
        if (cell === Cell.MIN_SIZE) totals[at] = totals[at] === 0 ? value : Math.min(totals[at]!, value);
        else if (cell === Cell.MAX_SIZE) totals[at] = Math.max(totals[at]!, value);
        else totals[at]! += value;
      }
    }
  }

  #countOverlongTag(row: number, width: number): void {
    const widths = this.overlongTags.get(row) ?? new Array<number>(10).fill(0);
    widths[width - 1]!++;
    this.overlongTags.set(row, widths);
  }
}

/** Bytes of a VInt count beyond the first byte. */
const extraCountBytes = (count: number): number => varintWidth(count, 0) - 1;
