/**
 * Many messages of one type to statistics by field path, in one pass and without an object per byte or field.
 * Findings are not worded here: the bits that `add` returns mark a message that has any, and the caller annotates
 * it if it needs them.
 */
import { varintWidth } from '../bytes/varint.ts';
import type { MessageDescriptor } from '../schema/descriptor.ts';
import * as Cell from './cells.ts';
import * as Entry from './entry.ts';
import { KernelRows, theKernel } from './kernel.ts';
import { fieldOf, MAX_ROWS, PathPlan } from './path-plan.ts';
import * as ScanFlag from './scan-flags.ts';
import { MOST_READ_AT_ONCE, splitLists } from './split-lists.ts';

/** Cells of a row. */
const STRIDE = 64;
/** No cell of the kernel adds up more than the bytes that were entered since the last flush. */
const FLUSH_BYTES = 2 ** 30;

export class Scan {
  readonly plan: PathPlan;
  messages = 0;
  bytes = 0;
  unattributed = 0;
  /** Widths of overlong tags, by row: an overlong tag is too rare to have columns. */
  readonly overlongTags = new Map<number, number[]>();

  readonly #rows: KernelRows;
  /** Row · STRIDE + Cell, without what is in the kernel since the last flush. */
  #totals = new Float64Array(0);
  #unflushed = 0;
  #counted: Float64Array<ArrayBuffer> | undefined;

  /** A scratch scan shares the plan of another, so that both number their rows alike. */
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
    // An empty message counts too.
    const size = end - start + 1;
    if (this.#unflushed + size > FLUSH_BYTES) this.#flush();
    this.messages++;
    this.bytes += end - start;
    this.#counted = undefined;
    const kernel = theKernel();
    // The rows may lose their place before the message is entered: it is not among what is flushed then.
    const flags = kernel.scan(this.#rows, bytes, start, end);
    this.#unflushed += size;
    this.unattributed += kernel.unattributed;
    return this.plan.isFull ? flags | ScanFlag.IRREGULAR : flags;
  }

  /**
   * Enters one message in steps: what `add` does at once. Yields the bytes of each step. Nothing else may be entered in
   * between.
   */
  *addInSteps(bytes: Uint8Array, type: MessageDescriptor, most = MOST_READ_AT_ONCE): Generator<number, number, void> {
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
    // Each part counted its elements as a list of their own.
    for (const [number, { parts, elements, extra }] of lists) {
      const row = this.plan.fieldRow(0, fieldOf(type, number)!, MAX_ROWS);
      if (row < 0) continue;
      this.#totals[row * STRIDE + Cell.PRESENT]! -= parts - 1;
      this.#totals[row * STRIDE + Cell.COUNT_EXTRA]! += extraCountBytes(elements) - extra;
    }
    return flags;
  }

  /** The sum of row `row` in `cell`. Rows that only another scan on the plan has used are empty here. */
  cellAt(row: number, cell: number): number {
    this.#flush();
    return this.#totals[row * STRIDE + cell] ?? 0;
  }

  /** All that row `row` has added up, by Cell; nothing for a row that it has not used. Valid until more is entered. */
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

  /** By block: how many of its messages there are. */
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
      // Groups are counted as records, other messages by the widths of their lengths.
      let records = this.cellAt(row, Cell.RECORDS);
      for (let width = 0; width < 10; width++) records += this.cellAt(row, Cell.LENGTH_WIDTHS + width);
      instances[child >> 1]! += records;
    }
    return instances;
  }

  /** Adds what is in the kernel to the totals. */
  #flush(): void {
    if (this.#unflushed === 0 || this.#rows.place === 0) return;
    this.#unflushed = 0;
    const cells = theKernel().cellsOf(this.#rows);
    if (this.#totals.length < cells.length) {
      const totals = new Float64Array(cells.length * 2);
      totals.set(this.#totals);
      this.#totals = totals;
    }
    const totals = this.#totals;
    for (let row = 0; row < cells.length; row += STRIDE) {
      for (let at = row + Cell.PRESENT; at < row + Cell.FACTS; at++) {
        const value = cells[at]!;
        if (value === 0) continue;
        cells[at] = 0;
        if (at - row === Cell.MIN_SIZE) totals[at] = totals[at] === 0 ? value : Math.min(totals[at]!, value);
        else if (at - row === Cell.MAX_SIZE) totals[at] = Math.max(totals[at]!, value);
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

/** Bytes of a list's count beyond the one that every count takes, as VInt. */
const extraCountBytes = (count: number): number => varintWidth(count, 0) - 1;
