/** Adds up the rows of an encoding by field path as soon as they are complete. */
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
import { type OpenRow, OpenRows, payloadOf } from '../native/open-rows.ts';
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

interface PathRow extends OpenRow {
  field: number;
  path: Path;
  isElement: boolean;
}

/** The path of the rows whose own paths are beyond the most. */
const OTHER_PATHS = '…';

const pathNamed = (name: string): Path => ({ name, bytes: undefined, inner: new Map() });

/** An encoding takes more bytes than are allowed. */
export class TooManyBytes extends Error {}

export class LedgerRows extends OpenRows<PathRow> implements EncodedRows {
  /** Bytes of a message at which writing it ends with TooManyBytes. */
  mostBytes = Number.POSITIVE_INFINITY;
  #encoding: Encoding = 'native';
  readonly #mostPaths: number;
  readonly #root = pathNamed('');
  /** In the order in which rows opened them. */
  readonly #paths: Path[] = [this.#root];
  readonly #others = pathNamed(OTHER_PATHS);

  /** @param mostPaths the rows of further paths are added up */
  constructor(mostPaths = Number.POSITIVE_INFINITY) {
    super();
    this.#mostPaths = mostPaths;
  }

  /** Ends the message and adds it to the ledger. The next one starts with row 0. */
  endMessage(): void {
    this.foldDownTo(-1);
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
    this.foldDownTo(parent);
    const row = this.length++;
    const above = this.depth === 0 ? undefined : this.rows[this.depth - 1]!;
    const isElement = above !== undefined && this.#isElement(above, field, flags);
    const path =
      above === undefined
        ? this.#root
        : field === -1 || isElement
          ? above.path
          : (above.path.inner.get(field) ?? this.#pathIn(above.path, field));
    if (above !== undefined) above.isLeaf = false;
    const entry = this.rows[this.depth];
    if (entry === undefined) {
      this.rows.push({ row, start, end: start, parent, field, head: 0, flags, path, isElement, isLeaf: true });
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
    this.depth++;
    return row;
  }

  /**
   * In native encodings, a list row has one child row for each element, with the same field. A recursive message is not
   * an element, nor is a record of an Any's contents, which has a wire type.
   */
  #isElement(above: PathRow, field: number, flags: number): boolean {
    if (this.#encoding === 'protobuf' || field < 0 || above.field !== field) return false;
    if ((flags & 7) !== NO_WIRE_TYPE) return false;
    return this.fields[field]!.cardinality !== 'singular' && !above.isElement;
  }

  #pathIn(around: Path, field: number): Path {
    if (this.#paths.length >= this.#mostPaths || around.name.length > MAX_PATH) return this.#others;
    const name = field < 0 ? `?${-2 - field}` : pathSegment(this.fields[field]!);
    const path = pathNamed(around.name === '' ? name : `${around.name}.${name}`);
    around.inner.set(field, path);
    this.#paths.push(path);
    return path;
  }

  fold(row: PathRow): void {
    const { path, head, flags } = row;
    if (head !== 0) {
      for (const [slot, category] of SLOTS[this.#encoding].entries()) {
        enterBytes(path, category, (head >> (slot * 4)) & 15);
      }
    }
    if (row.isLeaf) enterBytes(path, CATEGORIES[(flags >> 3) & 15]!, payloadOf(row));
  }
}

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
