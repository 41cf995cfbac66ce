/** Packed runs: the elements of a repeated scalar in one record. protobuf.dev/programming-guides/encoding#packed */

import { varintEnd } from '../bytes/varint.ts';
import { type AnnotationTable, payloadEndAt, payloadStartAt } from '../model/annotation.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { FieldFacts } from '../schema/descriptor.ts';
import { fixedSize } from './encoding-facts.ts';
import * as Fault from './fault.ts';
import { Findings } from './findings.ts';

export interface PackedElements {
  /**
   * messageOffset of each element, in order, and of the end of the last one: one entry more than the number of
   * elements.
   */
  readonly offsets: Uint32Array;
  /** Findings of a run that ends within an element. */
  readonly diagnostics: readonly Diagnostic[];
}

/** The elements of a packed row. If the run is malformed, only the elements before the fault. */
export function packedElements(
  table: AnnotationTable,
  bytes: Uint8Array,
  row: number,
  field: Pick<FieldFacts, 'type'>,
): PackedElements {
  const start = payloadStartAt(table, row);
  const end = payloadEndAt(table, row);
  const size = fixedSize(field.type);
  const findings = new Findings(undefined);
  if (size > 0) {
    const elements = Math.floor((end - start) / size);
    const offsets = Uint32Array.from({ length: elements + 1 }, (_, i) => start + i * size);
    if (offsets[elements]! < end) findings.fault(Fault.MALFORMED_PACKED, offsets[elements]!, end);
    return { offsets, diagnostics: findings.list() };
  }
  // The last byte of each element is below 128, so their number is the maximum number of elements.
  let most = 0;
  for (let p = start; p < end; p++) if (bytes[p]! < 128) most++;
  const offsets = new Uint32Array(most + 1);
  let elements = 0;
  let p = start;
  offsets[0] = start;
  while (p < end) {
    const next = varintEnd(bytes, p, end);
    if (next < 0) {
      findings.fault(Fault.MALFORMED_PACKED, p, end);
      break;
    }
    p = next;
    offsets[++elements] = p;
  }
  return { offsets: elements === most ? offsets : offsets.slice(0, elements + 1), diagnostics: findings.list() };
}
