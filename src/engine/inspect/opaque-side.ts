/** A body that no layout explains → one row that holds it all, unread. */
import { type AnnotationTable, composeFlags, NO_WIRE_TYPE } from '../model/annotation.ts';
import type { InspectedSide } from './inspect.ts';

export function opaqueSide(bytes: Uint8Array): InspectedSide {
  const table: AnnotationTable = {
    encoding: 'native',
    length: 1,
    start: Uint32Array.of(0),
    end: Uint32Array.of(bytes.length),
    parent: Int32Array.of(-1),
    field: Int32Array.of(-1),
    head: Uint16Array.of(0),
    flags: Uint16Array.of(composeFlags(NO_WIRE_TYPE, 'value')),
    fields: [],
  };
  return {
    bytes,
    table,
    path: Int32Array.of(-1),
    paths: { parent: new Int32Array(0), field: new Int32Array(0) },
    counterpart: Int32Array.of(-1),
  };
}
