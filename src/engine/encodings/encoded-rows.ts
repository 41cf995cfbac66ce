/** Where the rows of a written message go, and the rows that are kept. */
import type { AnnotationTable } from '../model/annotation.ts';
import { NativeRows, type RowSink } from '../native/rows.ts';
import type { FieldDescriptor } from '../schema/descriptor.ts';

export interface EncodedRows extends RowSink {
  /** Called before each row. @param row the protobuf row of its value; −1: no row */
  comesFrom(row: number): void;
  /** Takes all rows of a message that has them already. @param origin by row, as in `comesFrom` */
  take(table: AnnotationTable<FieldDescriptor>, origin: () => Int32Array): void;
}

export interface RowsWithOrigin {
  readonly table: AnnotationTable<FieldDescriptor>;
  /** By row: the protobuf row of its value; −1: no row. */
  readonly origin: Int32Array;
}

export class KeptRows extends NativeRows implements EncodedRows {
  readonly #origin: number[] = [];
  #taken: RowsWithOrigin | undefined;

  comesFrom(row: number): void {
    this.#origin.push(row);
  }

  take(table: AnnotationTable<FieldDescriptor>, origin: () => Int32Array): void {
    this.#taken = { table, origin: origin() };
  }

  /** No row can be added afterwards. */
  kept(): RowsWithOrigin {
    return this.#taken ?? { table: this.finish('native'), origin: Int32Array.from(this.#origin) };
  }
}
