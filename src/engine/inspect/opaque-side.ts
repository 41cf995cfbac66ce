/** A body that no layout explains, as a single unread row. */
import { composeFlags, NO_WIRE_TYPE } from '../model/annotation.ts';
import { packRows } from '../model/pack-rows.ts';
import type { InspectedSide } from './inspect.ts';

export function opaqueSide(bytes: Uint8Array): InspectedSide {
  const table = packRows(
    'native',
    1,
    Int32Array.of(0, bytes.length, -1, -1, composeFlags(NO_WIRE_TYPE, 'value') << 16),
    [],
  );
  return {
    bytes,
    table,
    path: Int32Array.of(-1),
    paths: { parent: new Int32Array(0), field: new Int32Array(0) },
    counterpart: Int32Array.of(-1),
  };
}
