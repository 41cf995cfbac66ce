/** The native profiles as encodings: fields by position, without keys, by the profile's rules. */
import { deriveLayouts, type Overrides } from '../native/derive.ts';
import type { LayoutOf } from '../native/layout.ts';
import { NATIVE_PROFILES, type NativeProfile, SCHEMA_LAYOUT_PROFILE } from '../native/profiles.ts';
import { writeNative } from '../native/write.ts';
import type { FieldDescriptor } from '../schema/descriptor.ts';
import { annotate } from '../wire/annotate.ts';
import type { EncodingRow, EncodingSubject } from './encoding-row.ts';
import { floatText } from './json-scalar.ts';
import { countLoss, type LossCounts } from './losses.ts';
import type { Item, MessageValue } from './message-value.ts';
import type { Encoded, Refused } from './token-writer.ts';
import { writeProtobuf } from './write-protobuf.ts';

/** Formats whose fields are ordered by number; all others use the order of declaration. */
const BY_NUMBER = new Set(['avro']);
const COMMON = new Set(['opensearch', 'avro']);

const layouts = new Map<NativeProfile, LayoutOf>();

function layoutsOf(profile: NativeProfile): LayoutOf {
  let layoutOf = layouts.get(profile);
  if (layoutOf === undefined) {
    const declared = deriveLayouts(profile, {});
    layoutOf = BY_NUMBER.has(profile.id) ? byNumber(declared) : declared;
    layouts.set(profile, layoutOf);
  }
  return layoutOf;
}

function byNumber(declared: LayoutOf): LayoutOf {
  const sorted = new Map<ReturnType<LayoutOf>, ReturnType<LayoutOf>>();
  return (type) => {
    const layout = declared(type);
    let ordered = sorted.get(layout);
    if (ordered === undefined) {
      ordered = { ...layout, fields: [...layout.fields].sort((a, b) => a.field.number - b.field.number) };
      sorted.set(layout, ordered);
    }
    return ordered;
  };
}

function encode(profile: NativeProfile, subject: EncodingSubject): Encoded | Refused {
  if (profile.id === 'borsh' && hasNaN(subject.value)) {
    return { ok: false, reason: 'Borsh refuses NaN, and a value is NaN.' };
  }
  const canonical = writeProtobuf(subject.value);
  const { table: rows } = annotate(canonical, subject.type);
  const layoutOf = layoutsOf(profile);
  const { bytes, table, origin, diagnostics } = writeNative(canonical, rows, layoutOf(subject.type), layoutOf);
  const losses: LossCounts = {};
  countLoss(losses, 'unknown', subject.unknown);
  countLoss(losses, 'layout', diagnostics.length);
  return { ok: true, bytes, table, origin, losses };
}

const hasNaN = ({ fields }: MessageValue): boolean =>
  fields.some(({ field, items, entries }) => {
    const of = field.cardinality === 'map' ? field.message!.byNumber.get(2)! : field;
    return [...items, ...entries.map(({ value }) => value)].some(({ value }) => isNaNIn(of, value));
  });

function isNaNIn({ type }: FieldDescriptor, value: Item['value']): boolean {
  if (!(value instanceof Uint8Array)) return typeof value === 'object' && hasNaN(value);
  return (type === 'float' || type === 'double') && floatText(value) === 'NaN';
}

/**
 * The encoding of a profile with some fields' writers changed. Values are written as captured, as profiles count them.
 */
export function nativeEncoding(profile: NativeProfile, overrides: Overrides): EncodingRow {
  const layoutOf = deriveLayouts(profile, overrides);
  return {
    id: 'native',
    label: profile.label,
    mapping: profile.description,
    isCommon: true,
    encode({ bytes: protobuf, table: rows, type }) {
      const { bytes, table, origin, diagnostics } = writeNative(protobuf, rows, layoutOf(type), layoutOf);
      const losses: LossCounts = {};
      countLoss(losses, 'layout', diagnostics.length);
      return { ok: true, bytes, table, origin, losses };
    },
  };
}

const rowOf = (profile: NativeProfile): EncodingRow => ({
  id: profile.id,
  label: profile.label,
  mapping: profile.description,
  isCommon: COMMON.has(profile.id),
  encode: (subject) => encode(profile, subject),
});

export const NATIVE_ENCODINGS: readonly EncodingRow[] = NATIVE_PROFILES.filter(
  (profile) => profile !== SCHEMA_LAYOUT_PROFILE,
).map(rowOf);
