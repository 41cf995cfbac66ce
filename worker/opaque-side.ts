/** Bytes that no rule explains → one row that holds them all. */
import { type AnnotationTable, composeFlags, NO_WIRE_TYPE } from '#engine/annotation.ts';
import type { InspectedSide } from '#engine/inspect.ts';

export function opaqueSide(bytes: Uint8Array): InspectedSide {
  const table: AnnotationTable = {
    encoding: 'wire',
    length: 1,
    start: Uint32Array.of(0),
    end: Uint32Array.of(bytes.length),
    parent: Int32Array.of(-1),
    field: Int32Array.of(-1),
    head: Uint16Array.of(0),
    flags: Uint16Array.of(composeFlags(NO_WIRE_TYPE, 'unattributed')),
    fields: [],
  };
  return { bytes, table, path: Int32Array.of(-1), paths: [], counterpart: Int32Array.of(-1) };
}
