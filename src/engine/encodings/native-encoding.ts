/** The native profiles as encodings: fields by position, without keys, by the profile's rules. */
import { deriveLayouts, type Overrides } from '../native/derive.ts';
import type { LayoutOf } from '../native/layout.ts';
import { NATIVE_PROFILES, type NativeProfile, SCHEMA_LAYOUT_PROFILE } from '../native/profiles.ts';
import { writeNative } from '../native/write.ts';
import { annotate } from '../wire/annotate.ts';
import type { EncodingRow, EncodingSubject } from './encoding-row.ts';
import { countLoss, type LossCounts } from './losses.ts';
import { nativeLosses } from './native-losses.ts';
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
  const losses = nativeLosses(profile, subject.value);
  if (losses.nan !== undefined) return { ok: false, reason: refusedNaN(profile.label, losses.nan) };
  const canonical = writeProtobuf(subject.value);
  const { table: rows } = annotate(canonical, subject.type);
  const layoutOf = layoutsOf(profile);
  const { bytes, table, origin, diagnostics } = writeNative(canonical, rows, layoutOf(subject.type), layoutOf);
  countLoss(losses, 'unknown', subject.unknown);
  countLoss(losses, 'layout', diagnostics.length);
  return { ok: true, bytes, table, origin, losses };
}

const refusedNaN = (label: string, count: number): string =>
  `${label} refuses NaN, and ${count === 1 ? 'a value is' : `${count} values are`} NaN.`;

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
