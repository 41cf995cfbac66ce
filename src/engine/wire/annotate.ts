/**
 * Turns one message into the rows of its ledger, with or without a schema. protobuf.dev/programming-guides/encoding
 *
 * Row 0 is the message, then there is a row for each record. Where a record cannot be read, the rest of its region, the
 * message or the LEN payload that holds it, is one unattributed row. A schema decides which LEN records are parsed as
 * messages; it changes no other boundaries. The kernel reads the bytes (`kernel/walk.ts`); this file makes the table.
 */
import type { AnnotationTable } from '../model/annotation.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { ROW_WORDS } from '../model/row-cells.ts';
import type { FieldDescriptor, MessageDescriptor } from '../schema/descriptor.ts';
import { Findings } from './findings.ts';
import { isGuessed } from './guessed.ts';
import { type Annotator, KernelRows, wireKernel } from './kernel.ts';
import * as Memory from './kernel-memory.ts';
import { fieldOf, PathPlan } from './path-plan.ts';
import { MAX_READ_AT_ONCE, recordRuns } from './split-lists.ts';

export interface Annotation {
  readonly table: AnnotationTable<FieldDescriptor>;
  /** In reading order. */
  readonly diagnostics: readonly Diagnostic[];
}

export interface AnnotateOptions {
  /** Number of the message in the input; it is copied to the diagnostics. */
  readonly ordinal?: number | undefined;
  /** Whether the table is borrowed from the kernel: valid until the next annotation or scan. */
  readonly isBorrowed?: boolean;
}

/** A plan with more rows than this is not kept for the next message. */
const MAX_KEPT_ROWS = 4096;

/** Rows of a type's earlier messages, kept for the next one. */
const known = new WeakMap<MessageDescriptor, KernelRows>();
let knownOfNone: KernelRows | undefined;

function rowsFor(descriptor: MessageDescriptor | undefined): KernelRows {
  const kept = descriptor === undefined ? knownOfNone : known.get(descriptor);
  if (kept !== undefined && kept.plan.rows <= MAX_KEPT_ROWS) return kept;
  const rows = new KernelRows(
    new PathPlan(descriptor),
    () => {},
    () => {},
  );
  if (descriptor === undefined) knownOfNone = rows;
  else known.set(descriptor, rows);
  return rows;
}

/**
 * Rows of `bytes`, read as `descriptor` or, without one, by field numbers and wire types alone.
 * Any bytes give a table, and the own bytes of its rows sum to the number of bytes. Takes 12 bytes a row.
 */
export function annotate(
  bytes: Uint8Array,
  descriptor: MessageDescriptor | undefined,
  { ordinal, isBorrowed = false }: AnnotateOptions = {},
): Annotation {
  const rows = rowsFor(descriptor);
  const listener = new Listener(rows.plan, ordinal);
  wireKernel().annotate(rows, bytes, listener);
  return { table: listener.table(isBorrowed), diagnostics: listener.findings.list() };
}

/** The diagnostics of `annotate`, without keeping rows: for messages of any size. */
export function findingsOf(bytes: Uint8Array, descriptor: MessageDescriptor | undefined): readonly Diagnostic[] {
  const rows = rowsFor(descriptor);
  const listener = new FindingsListener(rows.plan);
  wireKernel().annotate(rows, bytes, listener);
  return listener.findings.list();
}

/** The same in steps. Each yields the number of bytes that it read. */
export function* findingsInSteps(
  bytes: Uint8Array,
  descriptor: MessageDescriptor,
  most = MAX_READ_AT_ONCE,
): Generator<number, readonly Diagnostic[], void> {
  const rows = rowsFor(descriptor);
  const listener = new FindingsListener(rows.plan);
  for (const { start, end } of recordRuns(bytes, descriptor, most)) {
    listener.base = start;
    wireKernel().annotate(rows, bytes.subarray(start, end), listener);
    yield end - start;
  }
  return listener.findings.list();
}

class FindingsListener implements Annotator {
  readonly findings: Findings;
  readonly plan: PathPlan;
  /** Where the bytes that are being read begin in the message. */
  base = 0;

  constructor(plan: PathPlan, ordinal?: number | undefined) {
    this.plan = plan;
    this.findings = new Findings(ordinal);
  }

  fault(fault: number, start: number, end: number): void {
    this.findings.fault(fault, this.base + start, this.base + end);
  }

  unknown(block: number, number: number, start: number, end: number): void {
    this.findings.unknown(this.plan.blocks[block]!.descriptor!, number, this.base + start, this.base + end);
  }

  mismatch(block: number, tag: number, start: number, end: number): void {
    const field = fieldOf(this.plan.blocks[block]!.descriptor, tag >>> 3);
    this.findings.mismatch(field, tag & 7, this.base + start, this.base + end);
  }

  invalidText(row: number, start: number, end: number): void {
    this.findings.invalidUtf8(this.plan.field[row], this.base + start, this.base + end);
  }

  spill(): void {}

  patch(_row: number, _end: number, _word: number): void {}

  rare(_row: number, _field: number): void {}

  far(_row: number, _parent: number): void {}
}

const NO_PAIRS = new Int32Array(0);
const pairsOf = (pairs: readonly number[]): Int32Array => (pairs.length === 0 ? NO_PAIRS : Int32Array.from(pairs));

class Listener extends FindingsListener {
  /** Full arrays of cells, ANNOTATIONS_ROOM rows each. */
  readonly #full: Uint32Array[] = [];
  readonly #rare: number[] = [];
  readonly #far: number[] = [];

  override spill(): void {
    this.#full.push(wireKernel().cells(Memory.ANNOTATIONS_ROOM).slice());
  }

  override patch(row: number, end: number, word: number): void {
    const cells = this.#full[Math.floor(row / Memory.ANNOTATIONS_ROOM)]!;
    const at = (row % Memory.ANNOTATIONS_ROOM) * ROW_WORDS;
    if (end > 0) cells[at + 1] = end;
    const cell = cells[at + 2]!;
    cells[at + 2] = (wireKernel().kinds.with(cell >>> 16, word) << 16) | (cell & 0xffff);
  }

  override rare(row: number, field: number): void {
    this.#rare.push(row, field);
  }

  override far(row: number, parent: number): void {
    this.#far.push(row, parent);
  }

  table(isBorrowed: boolean): AnnotationTable<FieldDescriptor> {
    const kernel = wireKernel();
    const last = kernel.cells(kernel.annotations);
    return {
      encoding: 'protobuf',
      length: this.#full.length * Memory.ANNOTATIONS_ROOM + kernel.annotations,
      cells: this.#full.length > 0 ? joined([...this.#full, last]) : isBorrowed ? last : last.slice(),
      kinds: kernel.kinds.words,
      farParents: pairsOf(this.#far),
      rareFields: pairsOf(this.#rare),
      fields: this.plan.fields(),
      isGuessed: isGuessed(this.plan.blocks[0]!.descriptor),
    };
  }
}

function joined(parts: readonly Uint32Array[]): Uint32Array {
  const whole = new Uint32Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
