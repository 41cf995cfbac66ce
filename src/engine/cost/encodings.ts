/** A message in both encodings: as captured, and as a native profile or protobuf would write it. */
import { deriveLayouts, type Overrides } from '../native/derive.ts';
import type { LayoutOf } from '../native/layout.ts';
import { type NativeProfile, SCHEMA_LAYOUT_PROFILE } from '../native/profiles.ts';
import type { NativeRead } from '../native/read.ts';
import { toWire } from '../native/to-wire.ts';
import { nativeBytes } from '../native/write.ts';
import type { MessageDescriptor } from '../schema/descriptor.ts';
import { annotate } from '../wire/annotate.ts';

export interface BothEncodings {
  readonly protobuf: Uint8Array;
  readonly native: Uint8Array;
}

/** A native message, read by its layout. */
export interface ReadAs {
  readonly type: MessageDescriptor;
  readonly read: NativeRead;
}

export class Encodings {
  readonly layoutOf: LayoutOf;
  /** Whether native messages count as captured, not as they would be written. */
  readonly isAsCaptured: boolean;

  constructor(nativeProfile: NativeProfile, overrides: Overrides) {
    this.layoutOf = deriveLayouts(nativeProfile, overrides);
    this.isAsCaptured = nativeProfile === SCHEMA_LAYOUT_PROFILE && Object.keys(overrides).length === 0;
  }

  ofProtobuf(bytes: Uint8Array, type: MessageDescriptor): BothEncodings {
    const { table } = annotate(bytes, type, { isBorrowed: true });
    return { protobuf: bytes, native: nativeBytes(bytes, table, this.layoutOf(type), this.layoutOf) };
  }

  ofNative(bytes: Uint8Array, { type, read }: ReadAs): BothEncodings {
    const protobuf = toWire(bytes, read).bytes.slice();
    return this.isAsCaptured ? { protobuf, native: bytes } : this.ofProtobuf(protobuf, type);
  }
}
