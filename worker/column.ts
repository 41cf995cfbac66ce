/** One column of a table, an entry a row. It takes no room until a row differs from the rest. */

export type Cells = Float64Array<ArrayBuffer> | Uint32Array<ArrayBuffer> | Uint8Array<ArrayBuffer>;

export class Column {
  private readonly make: (length: number) => Cells;
  private readonly rest: number;
  private cells: Cells | null = null;

  /** `rest`: what a row holds that was never set. */
  constructor(make: (length: number) => Cells, rest: number) {
    this.make = make;
    this.rest = rest;
  }

  at(row: number): number {
    return this.cells?.[row] ?? this.rest;
  }

  set(row: number, value: number): void {
    if (value === this.rest || (this.cells === null && Number.isNaN(value) && Number.isNaN(this.rest))) {
      if (this.cells !== null && row < this.cells.length) this.cells[row] = value;
      return;
    }
    if (this.cells === null || row >= this.cells.length) this.grow(row);
    this.cells![row] = value;
  }

  private grow(row: number): void {
    const longer = this.make(Math.max(1024, (row + 1) * 2));
    longer.fill(this.rest);
    if (this.cells !== null) longer.set(this.cells);
    this.cells = longer;
  }
}

export const bytesColumn = (length: number): Uint8Array<ArrayBuffer> => new Uint8Array(length);
export const countsColumn = (length: number): Uint32Array<ArrayBuffer> => new Uint32Array(length);
export const numbersColumn = (length: number): Float64Array<ArrayBuffer> => new Float64Array(length);
