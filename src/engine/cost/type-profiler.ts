/** Messages of one type, entered one by one. Their profile can be read at any time. */

import type { Diagnostic } from '../model/diagnostic.ts';
import type { Overrides } from '../native/derive.ts';
import type { FieldLayout, LayoutOf } from '../native/layout.ts';
import { isMeasurable, measureNative, NATIVE_CELLS } from '../native/measure.ts';
import { type NativeProfile, SCHEMA_LAYOUT_PROFILE } from '../native/profiles.ts';
import type { NativeRead } from '../native/read.ts';
import { rollUpNative } from '../native/roll-up.ts';
import { WrittenSums } from '../native/sum-written.ts';
import { toWire } from '../native/to-wire.ts';
import type { FieldDescriptor, MessageDescriptor } from '../schema/descriptor.ts';
import { isGuessed } from '../wire/guessed.ts';
import { Scan } from '../wire/scan.ts';
import * as ScanFlag from '../wire/scan-flags.ts';
import { MAX_READ_AT_ONCE } from '../wire/split-lists.ts';
import { layOutsWith, weighWriters } from './alternatives.ts';
import { buildProfile, type NativeSide } from './build-profile.ts';
import { Encodings, type ReadAs } from './encodings.ts';
import { irregularPart, irregularParts } from './irregular-part.ts';
import { PROTOBUF, type Profile } from './profile.ts';

/** Number of 16 KiB steps without a pause: about 15 ms. */
const STEPS_AT_ONCE = 16;

export class Ledgers {
  /** undefined: nothing is measured natively. */
  readonly #type: MessageDescriptor | undefined;
  readonly #nativeProfile: NativeProfile | null;
  readonly #overrides: Overrides;
  readonly encodings: Encodings;
  readonly #scan: Scan;
  /** Whether the native size is only known after every message was written. */
  readonly #writeAll: boolean;
  /** The messages whose native bytes were written or captured, and the cells of those bytes. */
  #writtenScan: Scan | undefined;
  #probe: Scan | undefined;
  #sums: WrittenSums | undefined;
  #captured: Float64Array = new Float64Array(0);
  /** The layouts that captured messages were read by, one list for each version. */
  readonly #capturedLayouts = new Set<NativeRead['layouts']>();
  #header: Profile['header'] = null;

  /** @param nativeProfile null: no native side was requested, and none is computed */
  constructor(type: MessageDescriptor | undefined, nativeProfile: NativeProfile | null, overrides: Overrides = {}) {
    // A guessed type has no native layout, so there is nothing to compare with.
    this.#type = nativeProfile === null || isGuessed(type) ? undefined : type;
    this.#nativeProfile = nativeProfile;
    this.#overrides = overrides;
    this.encodings = new Encodings(nativeProfile ?? SCHEMA_LAYOUT_PROFILE, overrides);
    this.#scan = new Scan(type);
    this.#writeAll = this.#type !== undefined && !isAllMeasurable(this.#type, this.encodings.layoutOf);
  }

  /** Enters one message. Returns bits of ScanFlag, which show whether the message has findings. */
  add(bytes: Uint8Array): number {
    const flags = this.#scan.add(bytes, 0, bytes.length);
    if (this.#isWritten(flags)) this.#enterWritten(bytes);
    return flags;
  }

  /**
   * Enters `count` consecutive messages. The first begins at offset 0, and each ends at its entry of `ends`.
   * @returns bits of ScanFlag of each message
   */
  addMany(bytes: Uint8Array, ends: Uint32Array, count: number): Int32Array {
    const flags = this.#scan.addMany(bytes, 0, ends, 0, count).slice();
    for (let at = 0; at < count; at++) {
      if (this.#isWritten(flags[at]!)) this.#enterWritten(bytes.subarray(at === 0 ? 0 : ends[at - 1], ends[at]));
    }
    return flags;
  }

  /** Whether the native bytes of a message with these flags are written, instead of measured. */
  #isWritten(flags: number): boolean {
    return this.#type !== undefined && (this.#writeAll || (flags & ScanFlag.IRREGULAR) !== 0);
  }

  #enterWritten(message: Uint8Array): void {
    const type = this.#type!;
    const written = this.#writeAll ? message : irregularPart(message, type, this.#isRegular);
    this.#replaceMeasured(written);
    this.#sums ??= new WrittenSums(type, this.encodings.layoutOf, this.#scan.plan);
    this.#sums.add(written);
  }

  /**
   * Enters one message in steps. Each yields the number of bytes that it entered. Nothing else may be entered between
   * the steps.
   */
  *addInSteps(bytes: Uint8Array, most = MAX_READ_AT_ONCE): Generator<number, number, void> {
    const type = this.#type;
    if (type === undefined || this.#writeAll) return this.add(bytes);
    const flags = yield* this.#scan.addInSteps(bytes, type, most);
    if ((flags & ScanFlag.IRREGULAR) === 0) return flags;
    this.#sums ??= new WrittenSums(type, this.encodings.layoutOf, this.#scan.plan);
    let steps = 0;
    for (const part of irregularParts(bytes, type, this.#isRegular)) {
      if (part !== null) {
        this.#replaceMeasured(part);
        this.#sums.add(part);
      }
      if (++steps % STEPS_AT_ONCE === 0) yield 0;
    }
    return flags;
  }

  /**
   * Enters a message that was captured in its native form. Its captured bytes count, not the bytes of writing it again.
   * Returns the values that protobuf does not hold.
   */
  addNative(bytes: Uint8Array, read: NativeRead): readonly Diagnostic[] {
    const { bytes: protobuf, leftOut, diagnostics } = toWire(bytes, read);
    if (this.#type === undefined || !this.encodings.isAsCaptured) {
      this.add(protobuf);
      return diagnostics;
    }
    this.#scan.add(protobuf, 0, protobuf.length);
    this.#replaceMeasured(protobuf);
    this.#capturedLayouts.add(read.layouts);
    this.#captured = rollUpNative(read.table, this.#scan.plan, this.#captured, leftOut);
    return diagnostics;
  }

  /** Enters a captured header, read by the layout of headers. */
  addHeader(bytes: Uint8Array, readAs: ReadAs): void {
    const { protobuf, native } = this.encodings.ofNative(bytes, readAs);
    const id = this.#nativeProfile?.id;
    if (id === undefined) return;
    this.#header = {
      [PROTOBUF]: (this.#header?.[PROTOBUF] ?? 0) + protobuf.length,
      [id]: (this.#header?.[id] ?? 0) + native.length,
    };
  }

  /** Bytes that no rule explains. */
  get unattributed(): number {
    return this.#scan.unattributed;
  }

  profile(): Profile {
    const profile = this.#nativeProfile;
    if (profile === null || this.#type === undefined) return buildProfile(this.#scan, null);
    const native = measureNative(
      this.#scan,
      this.encodings.layoutOf,
      new Float64Array(this.#scan.plan.rows * NATIVE_CELLS),
    );
    const { cells, corrected } = this.#corrected(native);
    const layOutWith = layOutsWith(profile, this.#overrides);
    const side: NativeSide = {
      profile: profile.id,
      label: profile.label,
      layoutOf: this.encodings.layoutOf,
      captured: capturedLayouts(this.#capturedLayouts),
      cells,
      replaced: this.#sums?.replaced ?? 0,
      weigh: (row, layout, stats, parents) => {
        if (!profile.overridable || corrected.has(row)) return [];
        // The messages that could have a field of other versions are not counted.
        if (!this.encodings.layoutOf(layout.field.parent).fields.includes(layout)) return [];
        const written = Array.from({ length: NATIVE_CELLS }, (_, cell) => cells[row * NATIVE_CELLS + cell] ?? 0);
        return weighWriters(layout, stats, parents, written, layOutWith);
      },
    };
    return buildProfile(this.#scan, side, this.#header);
  }

  readonly #isRegular = (message: Uint8Array): boolean => {
    this.#probe ??= new Scan(this.#type, this.#scan.plan);
    return (this.#probe.add(message, 0, message.length) & ScanFlag.IRREGULAR) === 0;
  };

  /** Marks the message, so that its captured native bytes replace the measured ones. */
  #replaceMeasured(message: Uint8Array): void {
    this.#writtenScan ??= new Scan(this.#type, this.#scan.plan);
    this.#writtenScan.add(message, 0, message.length);
  }

  /**
   * The measured cells, with the written or captured bytes in place of measured ones where these are known; and the
   * rows that differ.
   */
  #corrected(measured: Float64Array): { cells: Float64Array; corrected: ReadonlySet<number> } {
    const corrected = new Set<number>();
    const writtenScan = this.#writtenScan;
    const captured = this.#captured;
    if (writtenScan === undefined) return { cells: measured, corrected };
    const written = this.#sums?.sums() ?? new Float64Array(0);
    const replaced = measureNative(writtenScan, this.encodings.layoutOf, new Float64Array(written.length));
    const cells = new Float64Array(Math.max(measured.length, written.length, captured.length, replaced.length));
    cells.set(measured);
    for (let i = 0; i < cells.length; i++) {
      const difference = (written[i] ?? 0) + (captured[i] ?? 0) - (replaced[i] ?? 0);
      if (difference === 0) continue;
      cells[i]! += difference;
      corrected.add(Math.floor(i / NATIVE_CELLS));
    }
    return { cells, corrected };
  }
}

/** The layout of each field; of several versions the one whose label is first, as where profiles are merged. */
function capturedLayouts(versions: Iterable<readonly FieldLayout[]>): ReadonlyMap<FieldDescriptor, FieldLayout> {
  const found = new Map<FieldDescriptor, FieldLayout>();
  for (const layout of [...versions].flat()) {
    const known = found.get(layout.field);
    if (known === undefined || layout.label < known.label) found.set(layout.field, layout);
  }
  return found;
}

function isAllMeasurable(type: MessageDescriptor, layoutOf: LayoutOf): boolean {
  const seen = new Set([type]);
  for (const message of seen) {
    const { fields } = layoutOf(message);
    // A deeply nested place may stand for many. The statistics then do not show whether all of them are written.
    const written = new Set(fields.map(({ field }) => field));
    if (message.fields.some((field) => field.message !== undefined && !written.has(field))) return false;
    for (const layout of fields) {
      if (!isMeasurable(layout)) return false;
      if (layout.field.message !== undefined) seen.add(layout.field.message);
    }
  }
  return true;
}
