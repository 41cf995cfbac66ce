/** A native message → the messages that it holds compressed: published cluster states, sets of Kafka's records. */

import { formatOf } from '../compression/formats.ts';
import { decodeBody } from '../compression/registry.ts';
import { isDfl, sniffCodec } from '../compression/signatures.ts';
import { isSnappyXerial } from '../compression/snappy-xerial.ts';
import { mergeContents } from '../cost/merge-profiles.ts';
import type { ContentTotals } from '../cost/profile.ts';
import { endAt, fieldAt, payloadCategoryAt, payloadStartAt, slotAt } from '../model/annotation.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { type FieldLayout, NativeSlot } from '../native/layout.ts';
import { readNative } from '../native/read.ts';
import { toWire } from '../native/to-wire.ts';
import type { FieldDescriptor } from '../schema/descriptor.ts';
import type { NativeReading } from './plan/native-reading.ts';

export interface PackedContent {
  readonly field: FieldDescriptor;
  /** The compressed bytes. Half-open, in messageOffsets of the message around them. */
  readonly start: number;
  readonly end: number;
  /** The name of the format, for people. */
  readonly compression: string;
  /** The unpacked bytes. */
  readonly bytes: Uint8Array;
  readonly reading: NativeReading;
}

export interface PackedContents {
  readonly contents: readonly PackedContent[];
  /** Contents that cannot be unpacked. */
  readonly diagnostics: readonly Diagnostic[];
}

const NOTHING: PackedContents = { contents: [], diagnostics: [] };

/** Unpacks and reads all compressed contents of a message. They have memory of their own. */
export function packedContents(
  payload: Uint8Array,
  { read: { table, layouts }, layoutOf }: NativeReading,
): PackedContents {
  if (!holdsPacked(layouts)) return NOTHING;
  const contents: PackedContent[] = [];
  const diagnostics: Diagnostic[] = [];
  for (let row = 1; row < table.length; row++) {
    const layout = layouts[fieldAt(table, row)];
    if (layout?.packed === undefined || payloadCategoryAt(table, row) !== 'value') continue;
    const [start, end] = [payloadStartAt(table, row), endAt(table, row)];
    if (start === end || slotAt(table, row, NativeSlot.COUNT) > 0) continue;
    const packed = payload.subarray(start, end);
    const codec = codecOf(packed);
    const compression = labelOf(codec);
    const decoded = decodeBody(packed, codec);
    if (decoded.ok) {
      const bytes = decoded.bytes.slice();
      const inner = { type: layout.packed, layoutOf, read: readNative(bytes, layoutOf(layout.packed), layoutOf) };
      contents.push({ field: layout.field, start, end, compression, bytes, reading: inner });
    } else {
      const message = `The contents of “${layout.field.name}” cannot be unpacked (${compression}): ${decoded.detail}.`;
      diagnostics.push({ code: 'native/packed', severity: 'warning', message, space: 'message', start, end });
    }
  }
  return { contents, diagnostics };
}

/** Sums by field and type. Contents that are not read to the last byte are left out; findings name them. */
export const contentTotals = (contents: readonly PackedContent[]): readonly ContentTotals[] =>
  contents.reduce<readonly ContentTotals[]>((sums, { field, start, end, bytes, reading: { type, read } }) => {
    if (read.diagnostics.length > 0) return sums;
    const sizes = { packed: end - start, native: bytes.length, protobuf: toWire(bytes, read).bytes.length };
    return mergeContents(sums, [{ field: field.fullName, type: type.fullName, count: 1, ...sizes }]);
  }, []);

/** Some of Kafka's clients write a snappy block alone. It has no mark of its own. */
function codecOf(packed: Uint8Array): string {
  if (isDfl(packed)) return 'dfl';
  return isSnappyXerial(packed) ? 'snappy-xerial' : (sniffCodec(packed) ?? 'snappy');
}

/** Kafka's own frame of snappy is not a format alone. */
const labelOf = (codec: string): string => formatOf(codec)?.label ?? 'snappy';

/** By the fields that a reader has seen so far: how many of them were looked at, and whether one is compressed. */
const lookedAt = new WeakMap<readonly FieldLayout[], { count: number; holds: boolean }>();

/** Whether a message that was read may hold compressed contents. */
function holdsPacked(layouts: readonly FieldLayout[]): boolean {
  const known = lookedAt.get(layouts) ?? { count: 0, holds: false };
  if (known.count === 0) lookedAt.set(layouts, known);
  for (; known.count < layouts.length; known.count++) known.holds ||= layouts[known.count]!.packed !== undefined;
  return known.holds;
}
