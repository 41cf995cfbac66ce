/** Packed runs: the elements of a repeated scalar in one record. protobuf.dev/programming-guides/encoding#packed */
import { type AnnotationTable, Flag, payloadEndAt, payloadStartAt } from '../annotation.ts';
import { varintEnd } from '../bytes/varint.ts';
import type { Diagnostic } from '../diagnostic.ts';
import type { FieldFacts, FieldType } from '../schema/descriptor.ts';
import { Fault, Findings } from './findings.ts';
import { Kind } from './tag-plan.ts';
import { ODD_WIDTH, varintFlags } from './varint-flags.ts';

/** What `packedFlags` returned of a run: where its first unreadable element lies, or −1. */
let badElement = -1;
export const badElementAt = (): number => badElement;

/** Bits of Flag for the run `bytes[start, end)`: of its elements, and MALFORMED where one cannot be read. */
export function packedFlags(kind: number, bytes: Uint8Array, start: number, end: number): number {
  if (kind === Kind.FIXED32 || kind === Kind.FIXED64) {
    const rest = (end - start) % (kind === Kind.FIXED32 ? 4 : 8);
    badElement = rest === 0 ? -1 : end - rest;
    return rest === 0 ? 0 : Flag.MALFORMED;
  }
  const odd = ODD_WIDTH[kind]!;
  let bits = 0;
  for (let p = start; p < end; ) {
    let byte = bytes[p]!;
    if (byte < 128) {
      p++;
      continue;
    }
    let next = p + 1;
    const longest = Math.min(end, p + 10);
    while (next < longest && byte > 127) byte = bytes[next++]!;
    if (byte > 127 || (byte > 1 && next - p === 10)) {
      badElement = p;
      return Flag.MALFORMED;
    }
    if (byte === 0 || next - p >= odd) bits |= varintFlags(kind, bytes, p, next);
    p = next;
  }
  badElement = -1;
  return bits & ~Flag.DEFAULT;
}

/** Bytes of an element of fixed size; 0: it is a varint. */
export const fixedSize = (type: FieldType): number =>
  type === 'double' || type === 'fixed64' || type === 'sfixed64'
    ? 8
    : type === 'float' || type === 'fixed32' || type === 'sfixed32'
      ? 4
      : 0;

export interface PackedElements {
  /** messageOffset of each element, in order, and of the end of the last one: one entry more than there are elements. */
  readonly offsets: Uint32Array;
  /** Of a run that ends within an element. */
  readonly diagnostics: readonly Diagnostic[];
}

/** The elements of a packed row; those before the fault, where the run is malformed. */
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
  // Each element has one byte below 128, its last.
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
