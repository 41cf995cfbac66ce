/** Messages of one type, entered one by one; their profile at any time. */

import type { Overrides } from '../native/derive.ts';
import type { LayoutOf } from '../native/layout.ts';
import { isMeasurable, measureNative, NATIVE_CELLS } from '../native/measure.ts';
import type { NativeProfile } from '../native/profiles.ts';
import type { NativeRead } from '../native/read.ts';
import { rollUpNative } from '../native/roll-up.ts';
import { toWire } from '../native/to-wire.ts';
import type { MessageDescriptor } from '../schema/descriptor.ts';
import { isGuessed } from '../wire/guessed.ts';
import * as Met from '../wire/met.ts';
import { Scan } from '../wire/scan.ts';
import { layOutsWith, weighWriters } from './alternatives.ts';
import { buildProfile, type NativeSide } from './build-profile.ts';
import { Encodings, type ReadAs } from './encodings.ts';
import type { Profile } from './profile.ts';

export class Ledgers {
  private readonly type: MessageDescriptor | undefined;
  private readonly nativeProfile: NativeProfile;
  private readonly overrides: Overrides;
  readonly encodings: Encodings;
  private readonly scan: Scan;
  /** Whether every message has to be written to know its native size. */
  private readonly writeAll: boolean;
  /** Native bytes as written less native bytes as measured, of the messages that were written. */
  private corrections = new Float64Array(0);
  private header: Profile['header'] = null;
  /** Rows of which a message was written otherwise than it was measured. */
  private readonly corrected = new Set<number>();

  constructor(type: MessageDescriptor | undefined, nativeProfile: NativeProfile, overrides: Overrides = {}) {
    // A guess is no native layout: there is nothing to compare with.
    this.type = isGuessed(type) ? undefined : type;
    this.nativeProfile = nativeProfile;
    this.overrides = overrides;
    this.encodings = new Encodings(nativeProfile, overrides);
    this.scan = new Scan(type);
    this.writeAll = this.type !== undefined && !isAllMeasurable(this.type, this.encodings.layoutOf);
  }

  /** Enters bytes[start, end) as one message. Returns bits of Met: whether there is something to say about it. */
  add(bytes: Uint8Array, start = 0, end = bytes.length): number {
    const met = this.scan.add(bytes, start, end);
    if (this.type !== undefined && (this.writeAll || (met & Met.IRREGULAR) !== 0)) {
      this.correct(bytes.subarray(start, end), this.type);
    }
    return met;
  }

  /** Enters a message that was captured in its native form: what it took there counts, not how it would be written. */
  addNative(bytes: Uint8Array, read: NativeRead): void {
    const { type } = this;
    if (type === undefined) return;
    const { bytes: wire, leftOut } = toWire(bytes, read);
    if (!this.encodings.isAsCaptured) {
      this.add(wire);
      return;
    }
    this.scan.add(wire, 0, wire.length);
    this.correctBy(rollUpNative(read.table, this.scan.plan, leftOut), wire, type);
  }

  /** Enters what a captured header says, as the layout of headers explains it. */
  addHeader(bytes: Uint8Array, readAs: ReadAs): void {
    const { protobuf, native } = this.encodings.ofNative(bytes, readAs);
    const before = this.header ?? { protobuf: 0, native: 0 };
    this.header = { protobuf: before.protobuf + protobuf.length, native: before.native + native.length };
  }

  profile(): Profile {
    if (this.type === undefined) return buildProfile(this.scan, null);
    const native = measureNative(
      this.scan,
      this.encodings.layoutOf,
      new Float64Array(this.scan.plan.rows * NATIVE_CELLS),
    );
    const cells = this.corrections.length > native.length ? extended(native, this.corrections.length) : native;
    for (let i = 0; i < this.corrections.length; i++) cells[i]! += this.corrections[i]!;
    const layOutWith = layOutsWith(this.nativeProfile, this.overrides);
    const side: NativeSide = {
      profile: this.nativeProfile.id,
      layoutOf: this.encodings.layoutOf,
      cells,
      weigh: (row, layout, stats, parents) => {
        if (!this.nativeProfile.overridable || this.corrected.has(row)) return [];
        const written = Array.from({ length: NATIVE_CELLS }, (_, cell) => cells[row * NATIVE_CELLS + cell] ?? 0);
        return weighWriters(layout, stats, parents, written, layOutWith);
      },
    };
    return buildProfile(this.scan, side, this.header);
  }

  private correct(message: Uint8Array, type: MessageDescriptor): void {
    this.correctBy(rollUpNative(this.encodings.write(message, type).table, this.scan.plan), message, type);
  }

  private correctBy(written: Float64Array, message: Uint8Array, type: MessageDescriptor): void {
    const { plan } = this.scan;
    const alone = new Scan(type, plan);
    alone.add(message, 0, message.length);
    const measured = measureNative(alone, this.encodings.layoutOf, new Float64Array(plan.rows * NATIVE_CELLS));
    this.corrections = extended(this.corrections, Math.max(written.length, measured.length));
    for (let i = 0; i < written.length; i++) this.corrections[i]! += written[i]!;
    for (let i = 0; i < measured.length; i++) this.corrections[i]! -= measured[i]!;
    for (let i = 0; i < Math.max(written.length, measured.length); i++) {
      if ((written[i] ?? 0) !== (measured[i] ?? 0)) this.corrected.add(Math.floor(i / NATIVE_CELLS));
    }
  }
}

function extended(cells: Float64Array, length: number): Float64Array<ArrayBuffer> {
  const longer = new Float64Array(Math.max(length, cells.length));
  longer.set(cells);
  return longer;
}

function isAllMeasurable(type: MessageDescriptor, layoutOf: LayoutOf): boolean {
  const seen = new Set([type]);
  for (const message of seen) {
    const { fields } = layoutOf(message);
    // Deep down one place stands for many: whether all of them are written, the statistics do not tell.
    const written = new Set(fields.map(({ field }) => field));
    if (message.fields.some((field) => field.message !== undefined && !written.has(field))) return false;
    for (const layout of fields) {
      if (!isMeasurable(layout)) return false;
      if (layout.field.message !== undefined) seen.add(layout.field.message);
    }
  }
  return true;
}
