/**
 * One column of a table: one entry a row, stored in pages. Growth moves no entries. A page takes no memory until one of
 * its rows differs from the default.
 */

export type NumberCells = Float64Array<ArrayBuffer> | Uint32Array<ArrayBuffer> | Uint8Array<ArrayBuffer>;

const PAGE_BITS = 12;
const PAGE_ROWS = 1 << PAGE_BITS;

export class NumberColumn {
  readonly #make: (length: number) => NumberCells;
  readonly #rest: number;
  readonly #pages: (NumberCells | undefined)[] = [];

  /** @param rest the value of a row that was never set */
  constructor(make: (length: number) => NumberCells, rest: number) {
    this.#make = make;
    this.#rest = rest;
  }

  at(row: number): number {
    return this.#pages[row >>> PAGE_BITS]?.[row & (PAGE_ROWS - 1)] ?? this.#rest;
  }

  set(row: number, value: number): void {
    const index = row >>> PAGE_BITS;
    let page = this.#pages[index];
    if (page === undefined) {
      if (Object.is(value, this.#rest)) return;
      page = this.#make(PAGE_ROWS);
      page.fill(this.#rest);
      while (this.#pages.length < index) this.#pages.push(undefined);
      this.#pages[index] = page;
    }
    page[row & (PAGE_ROWS - 1)] = value;
  }

  /** The entries of these rows, one behind the other; null: none was ever set. */
  pack(rows: Uint32Array): NumberCells | null {
    if (this.#pages.every((page) => page === undefined)) return null;
    const cells = this.#make(rows.length);
    for (let at = 0; at < rows.length; at++) cells[at] = this.at(rows[at]!);
    return cells;
  }

  /** Takes over the result of `pack` as the first rows. They are only read afterwards: their pages lie in its memory. */
  unpack(cells: NumberCells | null): void {
    for (let at = 0; cells !== null && at < cells.length; at += PAGE_ROWS)
      this.#pages.push(cells.subarray(at, at + PAGE_ROWS));
  }
}

export const bytesColumn = (length: number): Uint8Array<ArrayBuffer> => new Uint8Array(length);
export const countsColumn = (length: number): Uint32Array<ArrayBuffer> => new Uint32Array(length);
export const numbersColumn = (length: number): Float64Array<ArrayBuffer> => new Float64Array(length);
