/**
 * The kernel, WebAssembly made from kernel/, and the contents of its memory: tables of plans and rows of field paths.
 * They are placed there when a walk needs them, and stay until the memory is needed. Only one walk runs at a time, from
 * start to end.
 */

import { WireType } from '../model/annotation.ts';
import { ROW_WORDS } from '../model/row-cells.ts';
import { type RowKinds, rowKinds } from '../model/row-kinds.ts';
import { type NamedType, typeNamedAt, URL_TAG, VALUE_TAG } from './any.ts';
import * as Cell from './cells.ts';
import * as Entry from './entry.ts';
import { KERNEL_CODE } from './kernel-code.ts';
import * as Memory from './kernel-memory.ts';
import { typeIdAt } from './message-set.ts';
import { MAX_BLOCKS, MAX_ROWS, type PathPlan } from './path-plan.ts';

/** Receives a walk's findings. Offsets are messageOffsets. */
export interface Annotator {
  fault(fault: number, start: number, end: number): void;
  unknown(block: number, number: number, start: number, end: number): void;
  mismatch(block: number, tag: number, start: number, end: number): void;
  invalidText(row: number, start: number, end: number): void;
  /** The array of annotations is full. It starts again with row `rows`. */
  spill(rows: number): void;
  /** Sets bits in the kind of a spilled row, and its end unless `end` is 0. */
  patch(row: number, end: number, word: number): void;
  /** The field of a row whose kind cannot hold the field. */
  rare(row: number, field: number): void;
  /** From row `row` on, `parent` is the parent of each row that is far from its parent. */
  far(row: number, parent: number): void;
}

interface Exports {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number };
  readonly annotations: { readonly value: number };
  readonly unattributed: { readonly value: number };
  place(dispatch: number, rows: number): void;
  gather(rows: number, count: number): void;
  scan(ends: number, count: number): void;
  annotate(end: number): void;
}

/** Rows of field paths in the kernel's memory: one for each row of the plan. */
export class KernelRows {
  readonly plan: PathPlan;
  /** Called before the rows are removed from the kernel's memory. */
  readonly evict: () => void;
  readonly onOverlongTag: (row: number, width: number) => void;
  /** Their place in the kernel's memory; 0: they have none. */
  place = 0;
  /** Number of rows, and number of rows that there is room for. */
  known = 0;
  room = 0;
  /** The place of the dispatch tables that lead to these rows, with room for `blocks` blocks; 0: they have none. */
  tables = 0;
  blocks = 0;

  constructor(plan: PathPlan, evict: () => void, onOverlongTag: (row: number, width: number) => void) {
    this.plan = plan;
    this.evict = evict;
    this.onOverlongTag = onOverlongTag;
  }
}

const ROW = Cell.ROW_BYTES;
const BLOCK = 1 << Memory.BLOCK_SHIFT;
const PAGE = 65536;
/** If the memory grew beyond this number of bytes, the next small message replaces it. */
const LARGEST_KEPT = Memory.MESSAGE + 8 * 1048576;
/** If there are more scans than this, unused ones are dropped. */
const MAX_RESIDENTS = 256;

class Kernel {
  readonly #module: WebAssembly.Module;
  readonly #host: Record<string, (...args: number[]) => unknown>;
  #exports!: Exports;
  /** A view of the memory, renewed whenever it grew. */
  #bytes!: Uint8Array;
  #words!: Int32Array;

  #rowsTop: number = Memory.ROWS;
  readonly #residents = new Set<KernelRows>();
  #tablesTop: number = Memory.DISPATCH;

  #rows: KernelRows | undefined;
  #annotator: Annotator | undefined;
  #kinds = rowKinds();
  /** The type that the last URL of an Any names; its end is an address. */
  #named: NamedType | undefined;

  constructor() {
    const code = Uint8Array.from(atob(KERNEL_CODE), (character) => character.charCodeAt(0));
    this.#module = new WebAssembly.Module(code);
    this.#host = {
      resolve: (block: number, tag: number, start: number, end: number) =>
        this.#resolve(block, tag >>> 0, start >>> 0, end >>> 0),
      enter: (place: number) => this.#enter(place / ROW),
      overlongTag: (place: number, width: number) => this.#rows!.onOverlongTag(place / ROW, width),
      fault: (fault: number, start: number, end: number) => this.#annotator!.fault(fault, start >>> 0, end >>> 0),
      unknown: (block: number, number: number, start: number, end: number) =>
        this.#annotator!.unknown(block, number, start >>> 0, end >>> 0),
      mismatch: (block: number, tag: number, start: number, end: number) =>
        this.#annotator!.mismatch(block, tag >>> 0, start >>> 0, end >>> 0),
      invalidText: (place: number, start: number, end: number) =>
        this.#annotator!.invalidText(place / ROW, start >>> 0, end >>> 0),
      spill: (rows: number) => this.#annotator!.spill(rows >>> 0),
      patch: (row: number, end: number, word: number) => this.#annotator!.patch(row >>> 0, end >>> 0, word),
      far: (row: number, parent: number) => this.#annotator!.far(row >>> 0, parent >>> 0),
      kind: (field: number, word: number, row: number) => this.#kindOf(field, word, row >>> 0),
      kindWith: (kind: number, word: number) => this.#kinds.with(kind, word),
    };
    this.#begin();
  }

  /** Starts with a memory of minimum size, without rows and tables. */
  #begin(): void {
    const instance = new WebAssembly.Instance(this.#module, { host: this.#host });
    this.#exports = instance.exports as unknown as Exports;
    this.#bytes = new Uint8Array(this.#exports.memory.buffer);
    this.#words = new Int32Array(this.#exports.memory.buffer);
    this.#bytes.fill(255, Memory.TEXT_MASK, Memory.TEXT_MASK + 32);
    this.#rowsTop = Memory.ROWS;
    this.#tablesTop = Memory.DISPATCH;
  }

  /** The kinds of the last walk's annotations. */
  get kinds(): RowKinds {
    return this.#kinds;
  }

  /** Bytes that the last walk could not read. */
  get unattributed(): number {
    return this.#exports.unattributed.value >>> 0;
  }

  /** Number of annotations since the last spill. `spill` received all earlier ones. */
  get annotations(): number {
    return this.#exports.annotations.value;
  }

  /** The cells of the first `rows` annotations. Borrowed: until the next walk. */
  cells(rows: number): Uint32Array {
    return new Uint32Array(this.#exports.memory.buffer, Memory.ANNOTATIONS, rows * ROW_WORDS);
  }

  /** Enters bytes[start, end) into `rows`. Returns bits of ScanFlag. */
  scan(rows: KernelRows, bytes: Uint8Array, start: number, end: number): number {
    const ends = this.#prepare(rows, bytes, start, end, 1) >> 2;
    this.#words[ends] = Memory.MESSAGE + end - start;
    this.#exports.scan(ends << 2, 1);
    return this.#words[ends]!;
  }

  /** Adds up `count` consecutive messages. The first begins at `start`, and they end at `ends[first]` and so on. */
  scanMany(
    rows: KernelRows,
    bytes: Uint8Array,
    start: number,
    ends: Uint32Array,
    first: number,
    count: number,
  ): Int32Array {
    const place = this.#prepare(rows, bytes, start, ends[first + count - 1]!, count) >> 2;
    const words = this.#words;
    for (let at = 0; at < count; at++) words[place + at] = Memory.MESSAGE + ends[first + at]! - start;
    this.#exports.scan(place << 2, count);
    this.#refresh();
    return this.#words.subarray(place, place + count);
  }

  annotate(rows: KernelRows, bytes: Uint8Array, annotator: Annotator): void {
    const kinds = rowKinds();
    if (kinds !== this.#kinds) {
      // Rows of field paths cache kinds too, and the cached kinds belong to one list.
      this.#kinds = kinds;
      this.#bytes.fill(0, Memory.KIND_CACHE, Memory.KIND_CACHE + (16 << Memory.KIND_CACHE_BITS));
      this.#evict(undefined);
      this.#rowsTop = Memory.ROWS;
    }
    this.#prepare(rows, bytes, 0, bytes.length, 0);
    this.#annotator = annotator;
    this.#exports.annotate(Memory.MESSAGE + bytes.length);
    this.#annotator = undefined;
  }

  /** The current cells of rows that have a place: ROW_BYTES of each. */
  cellsOf(rows: KernelRows): Int32Array {
    this.#exports.gather(rows.place, rows.known);
    this.#refresh();
    return this.#words.subarray(rows.place >> 2, (rows.place + rows.known * ROW) >> 2);
  }

  /** Puts bytes[start, end) at MESSAGE. Returns an aligned address after all bytes that may be read, with room for the ends of `messages` messages. */
  #prepare(rows: KernelRows, bytes: Uint8Array, start: number, end: number, messages: number): number {
    const behind = (Memory.MESSAGE + end - start + Memory.MESSAGE_PADDING + 15) & ~15;
    const needed = behind + 4 * messages + 64;
    // A memory never shrinks, so a small message after a large one gets a new memory.
    if (this.#exports.memory.buffer.byteLength > LARGEST_KEPT && needed < Memory.MESSAGE + PAGE) {
      this.#evict(undefined);
      this.#begin();
    }
    const { memory } = this.#exports;
    if (needed > memory.buffer.byteLength) memory.grow(Math.ceil((needed - memory.buffer.byteLength) / PAGE));
    this.#refresh();
    this.#bytes.set(start === 0 && end === bytes.length ? bytes : bytes.subarray(start, end), Memory.MESSAGE);
    this.#rows = rows;
    this.#named = undefined;
    this.#sync(rows);
    this.#exports.place(this.#tablesOf(rows), rows.place);
    return behind;
  }

  #refresh(): void {
    const { buffer } = this.#exports.memory;
    if (buffer === this.#bytes.buffer) return;
    this.#bytes = new Uint8Array(buffer);
    this.#words = new Int32Array(buffer);
  }

  #resolve(block: number, tag: number, start: number, end: number): number {
    const rows = this.#rows!;
    this.#refresh();
    const entry = this.#entryOf(rows.plan, block, tag, start, end);
    this.#sync(rows);
    this.#exports.place(this.#tablesOf(rows), rows.place);
    this.#enterTag(rows, block, tag, entry);
    return entry;
  }

  /** The entry of the record whose tag ends at `start`. */
  #entryOf(plan: PathPlan, block: number, tag: number, start: number, end: number): number {
    if (plan.isItem(block, tag)) return plan.resolveItem(block, typeIdAt(this.#bytes, start, end));
    if (plan.isAny(block)) {
      const named = this.#named;
      if (tag === URL_TAG) this.#named = typeNamedAt(this.#bytes, start, end, plan.blocks[block]!.descriptor!);
      else if (tag === VALUE_TAG && named?.end === start - 1) return plan.resolveContents(block, named.type);
    }
    return plan.resolve(block, tag);
  }

  #kindOf(field: number, word: number, row: number): number {
    const kind = this.#kinds.of(field, word);
    if (!this.#kinds.isRare(kind)) return kind;
    this.#annotator!.rare(row, field);
    return kind + 65536;
  }

  #enter(row: number): number {
    const rows = this.#rows!;
    const { plan } = rows;
    const child = plan.enter(row);
    this.#refresh();
    this.#words[((rows.place + row * ROW) >> 2) + Cell.CHILD] = child;
    this.#exports.place(this.#tablesOf(rows), rows.place);
    // The entry of the field's messages names their block from now on.
    const block = plan.block[row]!;
    const tag = plan.number[row]! * 8 + WireType.LEN;
    const entry = plan.blocks[block]!.entries.get(tag);
    if (entry !== undefined) this.#enterTag(rows, block, tag, entry);
    return child;
  }

  /** Gives the rows a place for all rows of their plan, and writes the facts of new ones. */
  #sync(rows: KernelRows): void {
    const { plan, known } = rows;
    const count = Math.min(plan.rows, MAX_ROWS);
    if (rows.place !== 0 && known === count) return;
    if (rows.place === 0 || count > rows.room) this.#placeRows(rows, Math.max(16, count + (count >> 1)));
    for (let row = rows.known; row < count; row++) {
      const at = (rows.place + row * ROW) >> 2;
      this.#words[at + Cell.CHILD] = plan.child[row]!;
      this.#words[at + Cell.INTEGER] = plan.integer[row]!;
      this.#words[at + Cell.FIELD] = plan.fieldIndex[row]!;
      this.#words[at + Cell.ONEOF] = plan.oneof[row]! * ROW;
      this.#words[at + Cell.HELD] = plan.held[row]!;
    }
    rows.known = count;
  }

  /** Removes all rows from the memory except `kept`. */
  #evict(kept: KernelRows | undefined): void {
    for (const resident of this.#residents) {
      if (resident === kept) continue;
      resident.evict();
      resident.place = 0;
      resident.known = 0;
      resident.tables = 0;
    }
    this.#residents.clear();
  }

  #placeRows(rows: KernelRows, wanted: number): void {
    const room = Math.min(wanted, MAX_ROWS);
    let kept: Uint8Array | undefined;
    if (rows.place !== 0) kept = this.#bytes.slice(rows.place, rows.place + rows.known * ROW);
    if (this.#rowsTop + room * ROW > Memory.ROWS_END || this.#residents.size >= MAX_RESIDENTS) {
      this.#evict(rows);
      this.#rowsTop = Memory.ROWS;
    }
    rows.place = this.#rowsTop;
    rows.room = room;
    rows.tables = 0;
    this.#rowsTop += room * ROW;
    this.#bytes.fill(0, rows.place, this.#rowsTop);
    if (kept !== undefined) this.#bytes.set(kept, rows.place);
    this.#residents.add(rows);
  }

  /** The tables that lead to rows with a place, with room for all blocks of their plan. */
  #tablesOf(rows: KernelRows): number {
    const { blocks } = rows.plan;
    if (rows.tables !== 0 && blocks.length <= rows.blocks) return rows.tables;
    const room = Math.min(blocks.length + (blocks.length >> 1) + 2, MAX_BLOCKS);
    if (this.#tablesTop + room * BLOCK > Memory.DISPATCH_END) {
      for (const resident of this.#residents) resident.tables = 0;
      this.#tablesTop = Memory.DISPATCH;
      this.#bytes.fill(0, Memory.TAG_CACHE, Memory.TAG_CACHE + (16 << Memory.TAG_CACHE_BITS));
    }
    rows.tables = this.#tablesTop;
    rows.blocks = room;
    this.#tablesTop += room * BLOCK;
    this.#bytes.fill(0, rows.tables, this.#tablesTop);
    for (const { index, entries } of blocks) {
      for (const [tag, entry] of entries) this.#enterTag(rows, index, tag, entry);
    }
    return rows.tables;
  }

  /** Writes a plan's entry into the tables of `rows`, if the tag has one byte and all its records have that entry. */
  #enterTag(rows: KernelRows, within: number, tag: number, entry: number): void {
    if (tag >= 128 || !rows.plan.isFixed(within, tag)) return;
    const at = (rows.tables + within * BLOCK + tag * 8) >> 2;
    const row = entry >>> Entry.ENTRY_ROW_SHIFT;
    const action = entry & 15;
    const child = action === Entry.MESSAGE ? rows.plan.child[row]! : 0;
    const block = (child & Entry.NOT_ENTERED) === 0 ? child >> 1 : 0;
    this.#words[at] = rows.place + row * ROW;
    this.#words[at + 1] = (entry & 0xfff) | (block << Entry.CHILD_SHIFT) | (action << Entry.ACTION_SHIFT);
  }
}

let kernel: Kernel | undefined;

/** The kernel, created at the first call. */
export function wireKernel(): Kernel {
  kernel ??= new Kernel();
  return kernel;
}
