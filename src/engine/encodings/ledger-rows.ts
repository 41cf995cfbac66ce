/** Adds up the rows of an encoding by field path as soon as they are complete. Only the open rows are kept. */
import {
  type AnnotationTable,
  CATEGORIES,
  type Category,
  type Encoding,
  endAt,
  fieldAt,
  flagsAt,
  headerSizesAt,
  NO_WIRE_TYPE,
  parentAt,
  SLOTS,
  startAt,
} from '../model/annotation.ts';
import { type FieldDescriptor, pathSegment } from '../schema/descriptor.ts';
import { MAX_PATH } from '../wire/path-tree.ts';
import type { EncodedRows } from './encoded-rows.ts';
import { enter, type Ledger } from './ledger.ts';

/** A field path. */
interface Path {
  readonly name: string;
  bytes: Partial<Record<Category, number>> | undefined;
  readonly inner: Map<number, Path>;
}

interface OpenRow {
  row: number;
  start: number;
  end: number;
  parent: number;
  field: number;
  head: number;
  flags: number;
  path: Path;
  isElement: boolean;
  isLeaf: boolean;
}

/** The path of the rows whose own paths are beyond the most. */
const OTHER_PATHS = '…';

const pathNamed = (name: string): Path => ({ name, bytes: undefined, inner: new Map() });

/** An encoding takes more bytes than are allowed. */
export class TooManyBytes extends Error {}

export class LedgerRows implements EncodedRows {
  length = 0;
  /** Bytes of a message at which writing it ends with TooManyBytes. */
  mostBytes = Number.POSITIVE_INFINITY;
  #encoding: Encoding = 'native';
  readonly #mostPaths: number;
  readonly #fields: FieldDescriptor[] = [];
  readonly #indices = new Map<FieldDescriptor, number>();
  readonly #root = pathNamed('');
  /** In the order in which rows opened them. */
  readonly #paths: Path[] = [this.#root];
  readonly #others = pathNamed(OTHER_PATHS);
  /** Outermost first. The rows after `#depth` are free for reuse. */
  readonly #open: OpenRow[] = [];
  #depth = 0;

  /** @param mostPaths the rows of further paths are added up */
  constructor(mostPaths = Number.POSITIVE_INFINITY) {
    this.#mostPaths = mostPaths;
  }

  /** Ends the message and adds it to the ledger. The next one starts with row 0. */
  endMessage(): void {
    while (this.#depth > 0) this.#fold();
    this.length = 0;
  }

  /** Adds bytes between messages. */
  enter(category: Category, bytes: number): void {
    enterBytes(this.#root, category, bytes);
  }

  /** The messages so far. */
  ledger(): Ledger {
    const ledger: Ledger = new Map();
    for (const { name, bytes } of [...this.#paths, this.#others]) {
      if (bytes === undefined) continue;
      const known = ledger.get(name);
      if (known === undefined) ledger.set(name, bytes);
      else for (const [category, more] of entriesOf(bytes)) known[category] = (known[category] ?? 0) + more;
    }
    return ledger;
  }

  take(table: AnnotationTable<FieldDescriptor>): void {
    this.#encoding = table.encoding;
    const indices = table.fields.map((field) => this.fieldIndex(field));
    for (let row = 0; row < table.length; row++) {
      const own = fieldAt(table, row);
      const field = own < 0 ? own : indices[own]!;
      const parent = parentAt(table, row);
      this.add(startAt(table, row), endAt(table, row), parent, field, headerSizesAt(table, row), flagsAt(table, row));
    }
    this.endMessage();
    this.#encoding = 'native';
  }

  comesFrom(): void {}

  open(start: number, parent: number, field: number, flags: number): number {
    if (start > this.mostBytes) throw new TooManyBytes();
    while (this.#depth > 0 && this.#open[this.#depth - 1]!.row !== parent) this.#fold();
    const row = this.length++;
    const above = this.#depth === 0 ? undefined : this.#open[this.#depth - 1]!;
    const isElement = above !== undefined && this.#isElement(above, field, flags);
    const path =
      above === undefined
        ? this.#root
        : field === -1 || isElement
          ? above.path
          : (above.path.inner.get(field) ?? this.#pathIn(above.path, field));
    if (above !== undefined) above.isLeaf = false;
    const entry = this.#open[this.#depth];
    if (entry === undefined) {
      this.#open.push({ row, start, end: start, parent, field, head: 0, flags, path, isElement, isLeaf: true });
    } else {
      entry.row = row;
      entry.start = start;
      entry.end = start;
      entry.parent = parent;
      entry.field = field;
      entry.head = 0;
      entry.flags = flags;
      entry.path = path;
      entry.isElement = isElement;
      entry.isLeaf = true;
    }
    this.#depth++;
    return row;
  }

  /**
   * In native encodings, a list row has one child row for each element, with the same field. A recursive message is not
   * an element, nor is a record of an Any's contents, which has a wire type.
   */
  #isElement(above: OpenRow, field: number, flags: number): boolean {
    if (this.#encoding === 'protobuf' || field < 0 || above.field !== field) return false;
    if ((flags & 7) !== NO_WIRE_TYPE) return false;
    return this.#fields[field]!.cardinality !== 'singular' && !above.isElement;
  }

  #pathIn(around: Path, field: number): Path {
    if (this.#paths.length >= this.#mostPaths || around.name.length > MAX_PATH) return this.#others;
    const name = field < 0 ? `?${-2 - field}` : pathSegment(this.#fields[field]!);
    const path = pathNamed(around.name === '' ? name : `${around.name}.${name}`);
    around.inner.set(field, path);
    this.#paths.push(path);
    return path;
  }

  add(start: number, end: number, parent: number, field: number, head: number, flags: number): void {
    const row = this.open(start, parent, field, flags);
    const entry = this.#at(row);
    entry.head = head;
    entry.end = end;
  }

  slot(row: number, slot: number, size: number): void {
    const entry = this.#at(row);
    entry.head = (entry.head & ~(15 << (slot * 4))) | (size << (slot * 4));
  }

  /** The row is kept until the next one is opened, because more may be written after it. */
  close(row: number, end: number): void {
    this.#at(row).end = end;
  }

  mark(row: number, flags: number): void {
    this.#at(row).flags |= flags;
  }

  payloadOf(row: number): number {
    return payloadOf(this.#at(row));
  }

  parentOf(row: number): number {
    return this.#at(row).parent;
  }

  shift(row: number, by: number): void {
    for (let at = this.#depth - 1; at >= 0 && this.#open[at]!.row > row; at--) {
      this.#open[at]!.start += by;
      this.#open[at]!.end += by;
    }
  }

  fieldIndex(field: FieldDescriptor): number {
    let index = this.#indices.get(field);
    if (index === undefined) {
      index = this.#fields.push(field) - 1;
      this.#indices.set(field, index);
    }
    return index;
  }

  #at(row: number): OpenRow {
    let at = this.#depth - 1;
    while (this.#open[at]!.row !== row) at--;
    return this.#open[at]!;
  }

  #fold(): void {
    const entry = this.#open[--this.#depth]!;
    const { path, head, flags } = entry;
    if (head !== 0) {
      for (const [slot, category] of SLOTS[this.#encoding].entries()) {
        enterBytes(path, category, (head >> (slot * 4)) & 15);
      }
    }
    if (entry.isLeaf) enterBytes(path, CATEGORIES[(flags >> 3) & 15]!, payloadOf(entry));
  }
}

const payloadOf = ({ start, end, head }: OpenRow): number =>
  end - start - (head & 15) - ((head >> 4) & 15) - ((head >> 8) & 15) - (head >> 12);

function enterBytes(path: Path, category: Category, bytes: number): void {
  if (bytes === 0) return;
  path.bytes ??= {};
  path.bytes[category] = (path.bytes[category] ?? 0) + bytes;
}

const entriesOf = (bytes: Partial<Record<Category, number>>) => Object.entries(bytes) as [Category, number][];

export function addToLedger(ledger: Ledger, table: AnnotationTable<FieldDescriptor>): void {
  const rows = new LedgerRows();
  rows.take(table);
  for (const [path, parts] of rows.ledger()) {
    for (const [category, bytes] of Object.entries(parts) as [Category, number][]) enter(ledger, path, category, bytes);
  }
}
