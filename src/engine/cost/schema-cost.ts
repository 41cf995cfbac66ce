/**
 * The cost of a message type, from its schema alone. For each field: the bytes of its tag, and its bytes when absent,
 * at least and at most, in protobuf and in the native encoding. It also lists the declarations that cost more than
 * necessary.
 */

import { joinBytes } from '../bytes/join.ts';
import { type AnnotationTable, endAt, fieldAt, parentAt, slotAt, startAt } from '../model/annotation.ts';
import { type LayoutOf, NativeSlot } from '../native/layout.ts';
import { writeNative } from '../native/write.ts';
import { type FieldDescriptor, type MessageDescriptor, type Presence, pathSegment } from '../schema/descriptor.ts';
import { annotate } from '../wire/annotate.ts';
import { tagWidth } from '../wire/encoding-facts.ts';
import { type CostFinding, costFindings } from './cost-findings.ts';
import { type FieldSamples, leastMessage, samplesOf } from './field-samples.ts';

/** Bytes that a field adds to a message. */
export interface CostRange {
  readonly absent: number;
  /** With the smallest value that encoders write. For repeated and map fields: with one such element. */
  readonly least: number;
  /** With the widest value; undefined: the width is unlimited. */
  readonly most: number | undefined;
}

export interface FieldCost {
  /** `name`, or `[full.name]` of an extension. */
  readonly name: string;
  readonly fullName: string;
  readonly number: number;
  /** 1 to 5. The end tag of a group takes the same number again. */
  readonly tagBytes: number;
  /** How a value, or an element, is written in protobuf. */
  readonly width: 'fixed' | 'varint' | 'length-prefixed' | 'group';
  readonly presence: Presence;
  readonly protobuf: CostRange;
  /** undefined: the layout does not write the field. */
  readonly native: (CostRange & { readonly writer: string; readonly flag: boolean }) | undefined;
  readonly findings: readonly CostFinding[];
}

export interface MessageCost {
  readonly fullName: string;
  readonly fields: readonly FieldCost[];
  /** Bytes of the smallest possible message: its required fields. */
  readonly leastProtobuf: number;
  /** Bytes of the native message with every field absent. */
  readonly leastNative: number;
  /** Native bytes in every message that mark fields as present or absent. */
  readonly nativeFlags: number;
  /** Number of fields by the width of their tags: `tagWidths[0]` counts tags of one byte. */
  readonly tagWidths: readonly number[];
}

const EMPTY = new Uint8Array(0);

export function schemaCost(message: MessageDescriptor, layoutOf: LayoutOf): MessageCost {
  const layout = layoutOf(message);
  const writers = new Map(layout.fields.map((field) => [field.field, field]));
  const nativeOf = (bytes: Uint8Array): AnnotationTable<FieldDescriptor> =>
    writeNative(bytes, annotate(bytes, message).table, layout, layoutOf).table;
  const none = nativeOf(EMPTY);
  const absent = bytesByField(none);
  const flags = flagsIn(none);
  const tagWidths = [0, 0, 0, 0, 0];
  const samples = new Map(message.fields.map((field) => [field, samplesOf(field)]));
  const natively = measureSamples(samples, nativeOf);

  const costOf = (field: FieldDescriptor): FieldCost => {
    const sample = samples.get(field)!;
    const cost = withoutNative(field, sample);
    tagWidths[cost.tagBytes - 1]!++;
    const writer = writers.get(field);
    const sizes = natively.get(field) ?? [];
    return {
      ...cost,
      native: writer && {
        absent: absent.get(field) ?? 0,
        least: Math.min(...sizes),
        most: sample.widest.length > 0 ? Math.max(...sizes) : undefined,
        writer: writer.label,
        flag: writer.absence === 'flag' || writer.absence === 'tristate',
      },
    };
  };
  return {
    fullName: message.fullName,
    fields: message.fields.map(costOf),
    leastProtobuf: leastMessage(message).length,
    leastNative: endAt(none, 0) ?? 0,
    nativeFlags: flags,
    tagWidths,
  };
}

/** The cost of an extension. Native layouts do not write extensions. */
export const extensionCost = (field: FieldDescriptor): FieldCost => withoutNative(field, samplesOf(field));

function withoutNative(field: FieldDescriptor, { least, widest }: FieldSamples): FieldCost {
  const tagBytes = tagWidth(field.number);
  return {
    name: pathSegment(field),
    fullName: field.fullName,
    number: field.number,
    tagBytes,
    width: widthOf(field),
    presence: field.presence,
    protobuf: {
      absent: 0,
      least: least.length,
      most: widest.length > 0 ? Math.max(...widest.map(({ length }) => length)) : undefined,
    },
    native: undefined,
    findings: costFindings(field),
  };
}

/**
 * Native bytes of each field for each of its samples. One message holds a sample of every field, so that many fields
 * take no longer than few. Members of oneofs exclude each other and are measured one by one.
 */
function measureSamples(
  samples: ReadonlyMap<FieldDescriptor, FieldSamples>,
  nativeOf: (bytes: Uint8Array) => AnnotationTable<FieldDescriptor>,
): ReadonlyMap<FieldDescriptor, readonly number[]> {
  const sizes = new Map<FieldDescriptor, number[]>();
  const measure = (fields: readonly (readonly [FieldDescriptor, FieldSamples])[], rounds: number) => {
    for (let round = 0; round < rounds; round++) {
      const records = fields.map(([, { least, widest }]) => widest[round] ?? least);
      const bytes = bytesByField(nativeOf(joinBytes(records)));
      for (const [field] of fields) {
        const known = sizes.get(field);
        if (known === undefined) sizes.set(field, [bytes.get(field) ?? 0]);
        else known.push(bytes.get(field) ?? 0);
      }
    }
  };
  const alone = [...samples].filter(([field]) => field.oneof !== undefined);
  const together = [...samples].filter(([field]) => field.oneof === undefined);
  // The additional round measures the smallest samples.
  measure(together, together.reduce((most, [, { widest }]) => Math.max(most, widest.length), 0) + 1);
  for (const entry of alone) measure([entry], entry[1].widest.length + 1);
  return sizes;
}

function widthOf({ type }: FieldDescriptor): FieldCost['width'] {
  if (type === 'group') return 'group';
  if (type === 'string' || type === 'bytes' || type === 'message') return 'length-prefixed';
  return /fixed|float|double/.test(type) ? 'fixed' : 'varint';
}

/** Bytes of the direct fields of a message, including all that is nested in them. */
function bytesByField(table: AnnotationTable<FieldDescriptor>): ReadonlyMap<FieldDescriptor, number> {
  const bytes = new Map<FieldDescriptor, number>();
  for (let row = 1; row < table.length; row++) {
    const index = fieldAt(table, row);
    if (parentAt(table, row) !== 0 || index < 0) continue;
    const field = table.fields[index]!;
    bytes.set(field, (bytes.get(field) ?? 0) + endAt(table, row) - startAt(table, row));
  }
  return bytes;
}

function flagsIn(table: AnnotationTable): number {
  let flags = 0;
  for (let row = 0; row < table.length; row++) flags += slotAt(table, row, NativeSlot.FLAG);
  return flags;
}
