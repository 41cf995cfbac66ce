/** The native profiles as encodings: fields by position, without keys, by the profile's rules. */
import type { AnnotationTable } from '../model/annotation.ts';
import { deriveLayouts, type Overrides } from '../native/derive.ts';
import type { LayoutOf } from '../native/layout.ts';
import { Output } from '../native/output.ts';
import { NATIVE_PROFILES, type NativeProfile, SCHEMA_LAYOUT_PROFILE } from '../native/profiles.ts';
import { Writer } from '../native/write.ts';
import { WriteStream } from '../native/write-stream.ts';
import { annotate } from '../wire/annotate.ts';
import type { EncodedRows } from './encoded-rows.ts';
import type { EncodingRow, EncodingSubject } from './encoding-row.ts';
import { addLosses, countLoss, type LossCounts } from './losses.ts';
import { nativeLosses } from './native-losses.ts';
import type { Refused, Written } from './token-writer.ts';
import { writeProtobuf } from './write-protobuf.ts';

const COMMON = new Set(['opensearch', 'avro']);

const layouts = new Map<NativeProfile, LayoutOf>();

function layoutsOf(profile: NativeProfile): LayoutOf {
  let layoutOf = layouts.get(profile);
  if (layoutOf === undefined) {
    layoutOf = deriveLayouts(profile, {});
    layouts.set(profile, layoutOf);
  }
  return layoutOf;
}

function write(profile: NativeProfile, subject: EncodingSubject, rows: EncodedRows): Written | Refused {
  const losses = nativeLosses(profile, subject.value);
  if (losses.nan !== undefined) return { ok: false, reason: REFUSED_NAN };
  const canonical = writeProtobuf(subject.value);
  addLosses(losses, subject.dropped);
  const { table } = annotate(canonical, subject.type);
  return writeLayout({ ...subject, bytes: canonical, table }, layoutsOf(profile), rows, losses);
}

function writeLayout(
  { bytes, table, type }: Pick<EncodingSubject, 'bytes' | 'table' | 'type'>,
  layoutOf: LayoutOf,
  rows: EncodedRows,
  losses: LossCounts,
): Written {
  const out = new Output();
  const stream = new LossStream(table, rows, out);
  new Writer(bytes, table, layoutOf, stream).write(layoutOf(type), stream.open(-1, undefined, 0), undefined);
  countLoss(losses, 'layout', stream.lost);
  return { ok: true, bytes: out.finish(), losses };
}

/** Counts the values that the layout cannot hold, without a diagnostic for each. */
class LossStream extends WriteStream {
  lost = 0;
  readonly #rows: EncodedRows;

  constructor(wire: AnnotationTable, rows: EncodedRows, out: Output) {
    super(wire, rows, out);
    this.#rows = rows;
  }

  override comesFrom(from: number): void {
    this.#rows.comesFrom(from);
  }

  override warn(): void {
    this.lost++;
  }
}

/** Messages after the first one with a NaN are not counted: the encoding is refused for all of them. */
const REFUSED_NAN = 'NaN is refused, and at least one value is NaN.';

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
    write: (subject, rows) => writeLayout(subject, layoutOf, rows, {}),
  };
}

const rowOf = (profile: NativeProfile): EncodingRow => ({
  id: profile.id,
  label: profile.label,
  mapping: profile.description,
  isCommon: COMMON.has(profile.id),
  write: (subject, rows) => write(profile, subject, rows),
});

export const NATIVE_ENCODINGS: readonly EncodingRow[] = NATIVE_PROFILES.filter(
  (profile) => profile !== SCHEMA_LAYOUT_PROFILE,
).map(rowOf);
