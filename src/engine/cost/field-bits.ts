/**
 * The rows of messages in a compressed body → what each field path pays of the compressed stream, by category.
 *
 *   Σ fields + container = 8 × compressed bytes
 */

import type { StreamBits } from '../compression/bits/read-bits.ts';
import { assignBits, assignSharedBits, BitSums, Spans } from '../compression/bits/settle.ts';
import { fieldPaths } from '../encodings/ledger.ts';
import {
  type AnnotationTable,
  CATEGORIES,
  type Category,
  endAt,
  fieldAt,
  parentAt,
  payloadCategoryAt,
  payloadEndAt,
  SLOTS,
  slotAt,
  startAt,
} from '../model/annotation.ts';
import type { FieldDescriptor } from '../schema/descriptor.ts';
import { rowPaths } from '../wire/path-totals.ts';
import { pathText } from '../wire/path-tree.ts';
import { hasChildren } from '../wire/rows.ts';
import { type ByCategory, type FieldBits, MESSAGE_PATH, UNATTRIBUTED_PATH, valueOfPath } from './bit-parts.ts';

/** Spans of a body's plain bytes with their fields and categories, entered in order. */
export class BodySpans {
  readonly spans: Spans = new Spans();
  readonly #paths = new Map<string, number>();

  /** Plain bytes entered so far. */
  get end(): number {
    return this.spans.length === 0 ? 0 : this.spans.ends[this.spans.length - 1]!;
  }

  get paths(): readonly string[] {
    return [...this.#paths.keys()];
  }

  /** The path of the plain byte at `offset`; null: the byte has no path. */
  pathAt(offset: number): string | null {
    const account = this.spans.accountAt(offset);
    return account < 0 ? null : (this.paths[Math.floor(account / CATEGORIES.length)] ?? null);
  }

  /** Enters the bytes up to `end`. */
  enter(end: number, path: string, category: Category): void {
    this.spans.push(end, this.#account(path) + CATEGORIES.indexOf(category));
  }

  /** Index of the path's first account. */
  #account(path: string): number {
    return valueOfPath(this.#paths, path, () => this.#paths.size) * CATEGORIES.length;
  }

  /** Enters the rows of the message that begins after the bytes entered so far. */
  enterMessage(table: AnnotationTable<FieldDescriptor>): void {
    if (table.encoding === 'protobuf') this.#enterProtobuf(table);
    else this.#enterRows(table);
  }

  /** Enters a message. Rows own their headers, and rows without children also own their payloads. */
  #enterRows(table: AnnotationTable<FieldDescriptor>): void {
    const offset = this.end;
    const slots = SLOTS[table.encoding];
    for (const [row, path] of fieldPaths(table).entries()) {
      let at = offset + startAt(table, row);
      for (const [slot, category] of slots.entries()) {
        const size = slotAt(table, row, slot);
        if (size === 0) continue;
        at += size;
        this.enter(at, path || MESSAGE_PATH, category);
      }
      const end = offset + payloadEndAt(table, row);
      if (hasChildren(table, row) || end === at) continue;
      const category = payloadCategoryAt(table, row);
      this.enter(end, category === 'unattributed' ? UNATTRIBUTED_PATH : path || MESSAGE_PATH, category);
    }
  }

  #enterProtobuf(table: AnnotationTable): void {
    const { spans } = this;
    const offset = this.end;
    const { path, paths } = rowPaths(table);
    const accounts = new Int32Array(paths.parent.length).fill(-1);
    /** By row: the first account of its path. A row without a path uses its parent's account. */
    const owners = new Int32Array(table.length);
    const slots = SLOTS.protobuf.map((category) => CATEGORIES.indexOf(category));
    const value = CATEGORIES.indexOf('value');
    /** The outermost unknown row around each row. All bytes in it are its value. */
    const inUnknown = new Uint8Array(table.length);
    const open: number[] = [];
    const close = (): void => {
      const row = open.pop()!;
      const size = slotAt(table, row, 2);
      if (size > 0) spans.push(offset + endAt(table, row), owners[row]! + (inUnknown[row] === 1 ? value : slots[2]!));
    };
    for (let row = 0; row < table.length; row++) {
      const parent = parentAt(table, row);
      while (open.length > 0 && open[open.length - 1] !== parent) close();
      const own = path[row]!;
      inUnknown[row] = parent > 0 && (inUnknown[parent] === 1 || fieldAt(table, parent) < -1) ? 1 : 0;
      if (own < 0 || inUnknown[row] === 1) owners[row] = parent > 0 ? owners[parent]! : -1;
      else {
        if (accounts[own] === -1) accounts[own] = this.#account(pathText(paths, table, own));
        owners[row] = accounts[own]!;
      }
      let at = offset + startAt(table, row);
      for (let slot = 0; slot < 2; slot++) {
        const size = slotAt(table, row, slot);
        if (size === 0) continue;
        at += size;
        spans.push(at, owners[row]! + (inUnknown[row] === 1 ? value : slots[slot]!));
      }
      open.push(row);
      const end = offset + payloadEndAt(table, row);
      if (hasChildren(table, row) || end === at) continue;
      const category = payloadCategoryAt(table, row);
      if (category === 'unattributed' || owners[row]! < 0) this.enter(end, UNATTRIBUTED_PATH, 'unattributed');
      else spans.push(end, owners[row]! + (inUnknown[row] === 1 ? value : CATEGORIES.indexOf(category)));
    }
    while (open.length > 0) close();
  }
}

/** The spans' fields, in the order in which they first occur. Plain bytes without a span are unattributed. */
export function settleFields(
  stream: StreamBits,
  body: BodySpans,
  { isShared }: { readonly isShared: boolean },
): readonly FieldBits[] {
  if (body.end < stream.plain.length) body.enter(stream.plain.length, UNATTRIBUTED_PATH, 'unattributed');
  const { spans, paths } = body;
  const accounts = paths.length * CATEGORIES.length;
  const bytes = new Float64Array(accounts);
  let start = 0;
  for (let span = 0; span < spans.length; span++) {
    bytes[spans.accounts[span]!]! += spans.ends[span]! - start;
    start = spans.ends[span]!;
  }
  const paid = new BitSums(accounts);
  assignBits(stream, spans, paid);
  const shared = isShared ? new BitSums(accounts) : null;
  if (shared !== null) assignSharedBits(stream, spans, shared);
  return paths.flatMap((path, index) => {
    const pick = (sumAt: (account: number) => number): ByCategory =>
      Object.fromEntries(
        CATEGORIES.flatMap((category, n) => {
          const account = index * CATEGORIES.length + n;
          return bytes[account]! > 0 ? [[category, sumAt(account)]] : [];
        }),
      );
    const own = pick((account) => bytes[account]!);
    if (Object.keys(own).length === 0) return [];
    const field = { path, bytes: own, paid: pick(paid.at) };
    return shared === null ? [field] : [{ ...field, shared: pick(shared.at) }];
  });
}
