/** Messages of one type, entered one by one → their profile, and what is wrong with them. */
import type { LedgerCollector } from '../cost/encoding-ledger.ts';
import type { BothEncodings } from '../cost/encodings.ts';
import type { Profile } from '../cost/profile.ts';
import { Ledgers } from '../cost/type-profiler.ts';
import type { Captured } from '../encodings/encoding-row.ts';
import { withoutGuessFindings } from '../inspect/inspect.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { Overrides } from '../native/derive.ts';
import type { NativeProfile } from '../native/profiles.ts';
import type { MessageDescriptor } from '../schema/descriptor.ts';
import { findingsOf } from '../wire/annotate.ts';
import { isGuessed } from '../wire/guessed.ts';
import * as ScanFlag from '../wire/scan-flags.ts';
import type { NativeHeader, NativeReading } from './native-reading.ts';

/** Messages whose findings are listed; beyond so many, messages with findings are only counted. */
const EXPLAINED_MESSAGES = 100;
const MAX_DIAGNOSTICS = 1000;

export interface ProfilerOptions {
  readonly nativeProfile: NativeProfile;
  readonly overrides?: Overrides | undefined;
  /** Shown every message that has a native side, in both encodings; borrowed. */
  readonly both?: ((type: MessageDescriptor, both: BothEncodings, from: From) => void) | undefined;
  /** Makes what gives further ledgers of a type's messages. */
  readonly collectLedgers?: ((type: MessageDescriptor) => LedgerCollector) | undefined;
}

/** How a message came. */
export interface From {
  /** Where it came natively. */
  readonly captured: Captured | undefined;
  /** Messages with the same one were compressed at once; undefined: not known. */
  readonly request: string | undefined;
}

export class MessageProfiler {
  readonly #type: MessageDescriptor | undefined;
  readonly #ledgers: Ledgers;
  readonly #both: ProfilerOptions['both'];
  readonly #collector: LedgerCollector | undefined;
  readonly #diagnostics: Diagnostic[] = [];
  #explained = 0;
  #unexplained = 0;

  /** @param type undefined: field numbers only */
  constructor(
    type: MessageDescriptor | undefined,
    { nativeProfile, overrides, both, collectLedgers }: ProfilerOptions,
  ) {
    this.#type = type;
    this.#ledgers = new Ledgers(type, nativeProfile, overrides);
    this.#both = isGuessed(type) ? undefined : both;
    this.#collector = type === undefined || isGuessed(type) ? undefined : collectLedgers?.(type);
  }

  /** Enters one protobuf message. `payload` is borrowed. */
  add(payload: Uint8Array, ordinal: number, request?: string): void {
    const type = this.#type;
    const flags = this.#ledgers.add(payload);
    this.#collector?.add(payload);
    if (type !== undefined) {
      this.#both?.(type, this.#ledgers.encodings.ofProtobuf(payload, type), { captured: undefined, request });
    }
    if ((flags & (ScanFlag.FAULT | ScanFlag.NOTE)) === 0) return;
    if (this.#explained === EXPLAINED_MESSAGES || this.#diagnostics.length >= MAX_DIAGNOSTICS) {
      this.#unexplained++;
      return;
    }
    this.#explained++;
    const diagnostics = findingsOf(payload, type);
    // Findings that come from a wrong guess are not findings about the message.
    for (const diagnostic of isGuessed(type) ? withoutGuessFindings(diagnostics) : diagnostics) {
      if (this.#diagnostics.length < MAX_DIAGNOSTICS) this.#diagnostics.push({ ...diagnostic, ordinal });
    }
  }

  /** Enters a native message whose layout explains every byte of it. */
  addNative(payload: Uint8Array, { type, read }: NativeReading, header?: NativeHeader, request?: string): void {
    this.#ledgers.addNative(payload, read);
    if (header !== undefined) this.#ledgers.addHeader(header.bytes, header.reading);
    if (this.#both === undefined && this.#collector === undefined) return;
    const encoded = this.#ledgers.encodings.ofNative(payload, { type, read });
    this.#collector?.add(encoded.protobuf);
    this.#both?.(type, encoded, { captured: { bytes: payload, table: read.table }, request });
  }

  /** Bytes that no rule explains. */
  get unattributed(): number {
    return this.#ledgers.unattributed;
  }

  /** `more`: messages with findings that are not listed. */
  findings(): { readonly profile: Profile; readonly diagnostics: readonly Diagnostic[]; readonly more: number } {
    const profile = { ...this.#ledgers.profile(), ledgers: this.#collector?.ledgers() ?? {} };
    // Without a type, the findings counted here are evidence against protobuf, or unread bytes.
    const isUntyped = this.#type === undefined || isGuessed(this.#type);
    const more = isUntyped && profile.unattributed === 0 ? 0 : this.#unexplained;
    return { profile, diagnostics: this.#diagnostics, more };
  }
}

export const moreFindings = (messages: number): Diagnostic => ({
  code: 'wire/more-findings',
  severity: 'info',
  message: `${messages} more messages have findings; open one to see them.`,
  space: 'capture',
  start: 0,
  end: 0,
});
