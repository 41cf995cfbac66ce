/** Messages of one type, entered one by one → their profile, and the findings about them. */
import type { EncodingLedger, LedgerCollector } from '../cost/encoding-ledger.ts';
import type { BothEncodings } from '../cost/encodings.ts';
import { contentsOf, mergeContents } from '../cost/merge-profiles.ts';
import type { NamedLedger } from '../cost/other-side.ts';
import type { ContentTotals, Profile } from '../cost/profile.ts';
import { Ledgers } from '../cost/type-profiler.ts';
import { CAPTURED_FORMATS, CAPTURED_NATIVE } from '../encodings/captured-encodings.ts';
import type { Captured, EncodingRow } from '../encodings/encoding-row.ts';
import type { FormatRead } from '../encodings/format-read.ts';
import type { Ledger } from '../encodings/ledger.ts';
import { addToLedger } from '../encodings/ledger-rows.ts';
import { addLosses, type LossCounts, lossSentences } from '../encodings/losses.ts';
import { countText } from '../model/count-text.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { needed } from '../model/needed-file.ts';
import type { PayloadFormat } from '../model/payload-format.ts';
import type { Overrides } from '../native/derive.ts';
import { NATIVE_PROFILES, type NativeProfile, SCHEMA_LAYOUT_PROFILE } from '../native/profiles.ts';
import type { MessageDescriptor } from '../schema/descriptor.ts';
import { findingsInSteps, findingsOf } from '../wire/annotate.ts';
import { isGuessed, withoutGuessFindings } from '../wire/guessed.ts';
import * as ScanFlag from '../wire/scan-flags.ts';
import type { ComparisonEncoding, CountLosses } from './against.ts';
import type { Joining } from './joining.ts';
import type { NativeHeader, NativeReading } from './plan/native-reading.ts';

/** Messages whose findings are listed. Findings of further messages are only counted. */
const LISTED_MESSAGES = 100;
/** Findings that are listed, of messages and of opaque ones. */
export const MAX_DIAGNOSTICS = 1000;
const HEAD_BYTES = 8192;

export interface ProfilerOptions {
  /** The captured format, where it is not protobuf. */
  readonly format?: PayloadFormat | undefined;
  /** null: no native side was requested, and none is computed. */
  readonly nativeProfile: NativeProfile | null;
  /** Whether the user chose it. Otherwise JSON and text that were captured are compared with protobuf. */
  readonly isNativeChosen?: boolean | undefined;
  /** Counts the values that the native profile cannot hold. */
  readonly countLosses?: CountLosses | undefined;
  readonly overrides?: Overrides | undefined;
  /** The encoding that replaces the native profile. */
  readonly against?: ComparisonEncoding | undefined;
  /** Called with every message that has a native side, in both encodings; borrowed. */
  readonly both?: ((type: MessageDescriptor, both: BothEncodings, from: MessageOrigin) => void) | undefined;
  /** Creates the collector of further ledgers for a type. */
  readonly collectLedgers?: ((type: MessageDescriptor) => LedgerCollector) | undefined;
}

/** How a message was captured. */
export interface MessageOrigin extends Partial<Joining> {
  /** The captured bytes and the row of their encoding, where that is not protobuf. */
  readonly captured: Captured | undefined;
  readonly row?: EncodingRow;
}

/** Faults and other findings of messages. */
export interface ListedFindings {
  readonly diagnostics: readonly Diagnostic[];
  /** Ordinals of the messages whose findings are listed, and how many more have findings. */
  readonly listed: readonly number[];
  readonly unlisted: number;
  /** The messages are read by field numbers alone, or by a guess. */
  readonly isUntyped: boolean;
  /** The first bytes of the first message with an error; null: none has one. */
  readonly head: Uint8Array | null;
}

/** Findings of a message range, and of one behind it. */
export function mergeFindings(a: ListedFindings, b: ListedFindings): ListedFindings {
  const diagnostics = [...a.diagnostics];
  const listed = [...a.listed];
  let unlisted = a.unlisted + b.unlisted;
  for (const ordinal of b.listed) {
    if (listed.length === LISTED_MESSAGES || diagnostics.length >= MAX_DIAGNOSTICS) unlisted++;
    else {
      listed.push(ordinal);
      const own = b.diagnostics.filter((found) => found.ordinal === ordinal);
      diagnostics.push(...own.slice(0, MAX_DIAGNOSTICS - diagnostics.length));
    }
  }
  return { diagnostics, listed, unlisted, isUntyped: a.isUntyped, head: a.head ?? b.head };
}

/** Messages that are gathered before they are entered together, and their bytes. Larger ones are entered alone. */
const MAX_PENDING = 4096;
const PENDING_BYTES = 65536;
const LARGEST_PENDING = 4096;

/** Small consecutive messages that are not entered yet. */
class PendingMessages {
  readonly bytes = new Uint8Array(PENDING_BYTES);
  readonly ends = new Uint32Array(MAX_PENDING);
  readonly ordinals = new Float64Array(MAX_PENDING);
  count = 0;
  size = 0;
}

export class MessageProfiler {
  readonly #type: MessageDescriptor | undefined;
  readonly #ledgers: Ledgers;
  readonly #both: ProfilerOptions['both'];
  readonly #collector: LedgerCollector | undefined;
  readonly #diagnostics: Diagnostic[] = [];
  /** undefined: none was entered. Native messages and text never are. */
  #pending: PendingMessages | undefined;
  readonly #against: { readonly row: EncodingRow; readonly ledgers: LedgerCollector } | undefined;
  readonly #format: PayloadFormat | undefined;
  /** The ledger of the bytes that were captured in the format. */
  readonly #captured: Ledger = new Map();
  readonly #losses: LossCounts = {};
  readonly #countLosses: CountLosses | undefined;
  readonly #nativeLosses: LossCounts = {};
  #capturedBytes = 0;
  #contents: readonly ContentTotals[] = [];
  /** Messages that were captured in the native encoding. */
  #natives = 0;
  readonly #isNativeChosen: boolean;
  readonly #listed: number[] = [];
  #unlisted = 0;
  #head: Uint8Array | null = null;

  /** @param type undefined: field numbers only */
  constructor(
    type: MessageDescriptor | undefined,
    {
      nativeProfile,
      isNativeChosen = false,
      countLosses,
      overrides,
      both,
      collectLedgers,
      format,
      against,
    }: ProfilerOptions,
  ) {
    const isRead = type !== undefined && !isGuessed(type);
    this.#against = isRead && against !== undefined ? { row: against.row, ledgers: against.collect(type) } : undefined;
    this.#format = format;
    this.#isNativeChosen = isRead && isNativeChosen;
    this.#type = type;
    this.#countLosses = isRead ? countLosses : undefined;
    this.#ledgers = new Ledgers(type, nativeProfile, overrides);
    this.#both = isGuessed(type) ? undefined : both;
    this.#collector = type === undefined || isGuessed(type) ? undefined : collectLedgers?.(type);
  }

  /** Enters one protobuf message. `payload` is borrowed. */
  add(payload: Uint8Array, ordinal: number, joining?: Joining): void {
    this.#show(payload, joining);
    if (payload.length > LARGEST_PENDING) {
      this.#enterPending();
      this.#explain(this.#ledgers.add(payload), payload, ordinal);
      return;
    }
    this.#pending ??= new PendingMessages();
    const pending = this.#pending;
    if (pending.count === MAX_PENDING || pending.size + payload.length > pending.bytes.length) this.#enterPending();
    pending.bytes.set(payload, pending.size);
    pending.size += payload.length;
    pending.ends[pending.count] = pending.size;
    pending.ordinals[pending.count++] = ordinal;
  }

  /** Enters the small messages that were gathered. One call of the kernel for many of them costs far less than one each. */
  #enterPending(): void {
    const pending = this.#pending;
    if (pending === undefined || pending.count === 0) return;
    const { bytes, ends, ordinals, count } = pending;
    pending.count = 0;
    pending.size = 0;
    const flags = this.#ledgers.addMany(bytes, ends, count);
    for (let at = 0; at < count; at++) {
      if (flags[at] !== 0)
        this.#explain(flags[at]!, bytes.subarray(at === 0 ? 0 : ends[at - 1], ends[at]), ordinals[at]!);
    }
  }

  #explain(flags: number, payload: Uint8Array, ordinal: number): void {
    if (this.#isToExplain(flags)) this.#listFound(findingsOf(payload, this.#type), payload, ordinal);
  }

  /**
   * Enters one protobuf message in steps. Each yields the number of bytes that it entered. `payload` must stay valid
   * until the last step.
   */
  *addInSteps(payload: Uint8Array, ordinal: number, joining?: Joining): Generator<number, void, void> {
    this.#enterPending();
    const type = this.#type;
    const flags = yield* this.#ledgers.addInSteps(payload);
    this.#show(payload, joining);
    if (!this.#isToExplain(flags)) return;
    if (type === undefined) this.#listFound(findingsOf(payload, type), payload, ordinal);
    else {
      const steps = findingsInSteps(payload, type);
      let step = steps.next();
      for (; step.done !== true; step = steps.next()) yield 0;
      this.#listFound(step.value, payload, ordinal);
    }
  }

  #show(payload: Uint8Array, joining: Joining | undefined): void {
    this.#collector?.add(payload);
    this.#against?.ledgers.add(payload);
    const type = this.#type;
    this.#addNativeLosses(payload, type);
    if (type === undefined || this.#both === undefined) return;
    this.#both(type, this.#ledgers.encodings.ofProtobuf(payload, type), { captured: undefined, ...joining });
  }

  #addNativeLosses(message: Uint8Array, type: MessageDescriptor | undefined): void {
    if (this.#countLosses !== undefined && type !== undefined)
      addLosses(this.#nativeLosses, this.#countLosses(message, type));
  }

  /** Whether a message with these flags has findings that should be listed. */
  #isToExplain(flags: number): boolean {
    if ((flags & (ScanFlag.FAULT | ScanFlag.NOTE)) === 0) return false;
    if (this.#listed.length < LISTED_MESSAGES && this.#diagnostics.length < MAX_DIAGNOSTICS) return true;
    this.#unlisted++;
    return false;
  }

  #listFound(diagnostics: readonly Diagnostic[], payload: Uint8Array, ordinal: number): void {
    if (diagnostics.some(({ severity }) => severity === 'error')) this.#head ??= payload.slice(0, HEAD_BYTES);
    // Findings that a wrong guess causes are not findings about the message.
    this.#list(isGuessed(this.#type) ? withoutGuessFindings(diagnostics) : diagnostics, ordinal);
  }

  /** Enters a native message whose layout explains every byte of it. */
  addNative(
    payload: Uint8Array,
    ordinal: number,
    { type, read }: NativeReading,
    header?: NativeHeader,
    joining?: Joining,
  ): void {
    this.#natives++;
    this.#enterPending();
    const lost = this.#ledgers.addNative(payload, read);
    // The message itself says which of its fields only the stream has.
    this.addFindings(
      lost.filter(({ severity }) => severity === 'warning'),
      ordinal,
    );
    if (header !== undefined) this.#ledgers.addHeader(header.bytes, header.reading);
    const isEntered = this.#both ?? this.#collector ?? this.#against ?? this.#countLosses;
    if (isEntered === undefined) return;
    const encoded = this.#ledgers.encodings.ofNative(payload, { type, read });
    this.#addNativeLosses(encoded.protobuf, type);
    this.#collector?.add(encoded.protobuf);
    this.#against?.ledgers.add(encoded.protobuf);
    this.#both?.(type, encoded, {
      captured: { bytes: payload, table: read.table, losses: {} },
      row: CAPTURED_NATIVE,
      ...joining,
    });
  }

  /** Enters the compressed contents of a native message that was entered. */
  addContents(contents: readonly ContentTotals[]): void {
    this.#contents = mergeContents(this.#contents, contents);
  }

  /** Enters findings of a message that was entered. */
  addFindings(diagnostics: readonly Diagnostic[], ordinal: number): void {
    if (diagnostics.length > 0) this.#list(diagnostics, ordinal);
  }

  /** Enters a message that was captured in `#format`. `payload` is borrowed. */
  addCaptured(
    payload: Uint8Array,
    ordinal: number,
    { table, protobuf, diagnostics, losses }: FormatRead,
    joining?: Joining,
  ): void {
    this.#enterPending();
    this.#ledgers.add(protobuf);
    this.#addNativeLosses(protobuf, this.#type);
    this.#capturedBytes += payload.length;
    addToLedger(this.#captured, table);
    addLosses(this.#losses, losses);
    this.#collector?.add(protobuf);
    this.#against?.ledgers.add(protobuf);
    if (this.#type !== undefined) {
      this.#both?.(
        this.#type,
        { protobuf, native: payload },
        { captured: { bytes: payload, table, losses }, row: CAPTURED_FORMATS[this.#format!].row, ...joining },
      );
    }
    if (diagnostics.length > 0) this.#list(diagnostics, ordinal);
  }

  #list(diagnostics: readonly Diagnostic[], ordinal: number): void {
    if (this.#listed.length === LISTED_MESSAGES || this.#diagnostics.length >= MAX_DIAGNOSTICS) {
      this.#unlisted++;
      return;
    }
    this.#listed.push(ordinal);
    for (const diagnostic of diagnostics) {
      if (this.#diagnostics.length < MAX_DIAGNOSTICS) this.#diagnostics.push({ ...diagnostic, ordinal });
    }
  }

  /** Bytes that no rule explains. */
  get unattributed(): number {
    this.#enterPending();
    return this.#ledgers.unattributed;
  }

  /** The profile of all messages that were entered. */
  profile(): Promise<Profile> {
    this.#enterPending();
    const profile = this.#withCaptured(this.#withNativeLosses(this.#ledgers.profile()));
    return this.#withOther(profile, this.#collector?.ledgers() ?? {});
  }

  /** Names the ledger of messages that were captured in the native encoding. */
  #withCaptured(profile: Profile): Profile {
    const { type, pair, fields, ...rest } = profile;
    if (this.#natives === 0 || this.#natives !== profile.messages) return profile;
    const { id } = SCHEMA_LAYOUT_PROFILE;
    // In the order of a merged profile.
    return { type, pair, nativeLedger: pair[1] === id ? id : null, ...rest, ...contentsOf(this.#contents), fields };
  }

  #withNativeLosses(profile: Profile): Profile {
    const lacked = lossSentences(this.#nativeLosses);
    const [, id] = profile.pair;
    if (lacked.length === 0 || id === null) return profile;
    const ledger = profile.ledgers[id]!;
    const losses = [...lacked, ...ledger.losses];
    return { ...profile, ledgers: { ...profile.ledgers, [id]: { ...ledger, losses } } };
  }

  get findings(): ListedFindings {
    this.#enterPending();
    // Without a type, these findings are evidence against protobuf, or unread bytes.
    const isUntyped = this.#format === undefined && (this.#type === undefined || isGuessed(this.#type));
    return {
      diagnostics: this.#diagnostics,
      listed: this.#listed,
      unlisted: this.#unlisted,
      isUntyped,
      head: this.#head,
    };
  }

  /** Compares the profile with the encoding that was chosen, or else with the captured one. */
  async #withOther(profile: Profile, others: Readonly<Record<string, EncodingLedger>>): Promise<Profile> {
    if (this.#against === undefined && this.#format === undefined && this.#collector === undefined) return profile;
    const [{ withOtherSide }, { ledgerOf, withLedgers }] = await Promise.all([
      needed(() => import('../cost/other-side.ts')),
      needed(() => import('../cost/encoding-ledger.ts')),
    ]);
    const captured =
      this.#capturedFormat ?? (profile.nativeLedger == null ? undefined : nativeLedger(profile, ledgerOf));
    const chosen = { isCaptured: false, isAlone: false };
    if (this.#against !== undefined) {
      const { row, ledgers } = this.#against;
      const other = { label: row.label, ...chosen };
      return withOtherSide(profile, row.id, other, ledgers.ledgers()[row.id], { captured, others });
    }
    if (captured === undefined || this.#format === undefined) return withLedgers(profile, others);
    const [, id] = profile.pair;
    if (this.#isNativeChosen && id !== null) {
      const { label } = NATIVE_PROFILES.find((known) => known.id === id)!;
      return withOtherSide(profile, id, { label, ...chosen }, ledgerOf(profile, id), { captured, others });
    }
    const { label } = CAPTURED_FORMATS[this.#format];
    const other = { label, isCaptured: true, isAlone: this.#type === undefined };
    return withOtherSide(profile, captured.id, other, captured.ledger, { others });
  }

  /** The ledger of the captured format; undefined: protobuf was captured. */
  get #capturedFormat(): NamedLedger | undefined {
    if (this.#format === undefined) return undefined;
    const { label, row } = CAPTURED_FORMATS[this.#format];
    const fields = Object.fromEntries(this.#captured);
    return {
      id: row.id,
      ledger: { label, bytes: this.#capturedBytes, refused: null, losses: lossSentences(this.#losses), fields },
    };
  }
}

function nativeLedger(
  profile: Profile,
  ledgerOf: (profile: Profile, id: string) => EncodingLedger | undefined,
): NamedLedger {
  return { id: SCHEMA_LAYOUT_PROFILE.id, ledger: { ...ledgerOf(profile, SCHEMA_LAYOUT_PROFILE.id)!, label: 'native' } };
}

export const omittedFindings = (messages: number): Diagnostic => ({
  code: 'wire/more-findings',
  severity: 'info',
  message: `${messages === 1 ? 'One more message has' : `${countText(messages)} more messages have`} findings; open one to see them.`,
  space: 'capture',
  start: 0,
  end: 0,
});
