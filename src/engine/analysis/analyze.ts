/** The journey in one function: an input, a schema and a native profile in; profiles and findings out. */

import type { Source } from '../bytes/source.ts';
import type { BothEncodings } from '../cost/encodings.ts';
import type { Profile } from '../cost/profile.ts';
import { Ledgers } from '../cost/type-profiler.ts';
import type { Captured } from '../encodings/encoding-row.ts';
import type { Message, MessageSink } from '../frame/message.ts';
import type { InputChoice } from '../frame/payload.ts';
import type { CaptureOptions } from '../frame/read-capture.ts';
import { requestOf } from '../frame/request-of.ts';
import { withoutDoubts } from '../inspect/inspect.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { Overrides } from '../native/derive.ts';
import type { NativeProfile } from '../native/profiles.ts';
import { unattributedBytes } from '../native/roll-up.ts';
import type { MessageDescriptor } from '../schema/descriptor.ts';
import { annotate } from '../wire/annotate.ts';
import { isGuessed } from '../wire/guessed.ts';
import * as Met from '../wire/scan-flags.ts';
import type { Assigned } from './assign-type.ts';
import type { NativeHeader, NativeLayouts, NativeReading } from './native-reading.ts';
import { type InputRead, openInput, readOpened } from './read-input.ts';

/** Messages that have something to say are annotated for it; beyond so many, they are only counted. */
const EXPLAINED_MESSAGES = 100;
const MAX_DIAGNOSTICS = 1000;

export interface AnalyzeRequest {
  /** undefined: field numbers only. */
  readonly type: MessageDescriptor | undefined;
  readonly nativeProfile: NativeProfile;
  readonly overrides?: Overrides;
  /** The types of a capture's messages, one by one; without it, and for payloads, all are of `type`. */
  readonly assigns?: ((message: Message) => Assigned) | undefined;
  /** Shown those of a capture's messages that are entered without a type. */
  readonly untyped?: MessageSink | undefined;
  /** Shown every message that has a native side, in both encodings; borrowed. */
  readonly both?: ((type: MessageDescriptor, both: BothEncodings, from: From) => void) | undefined;
  /** How native messages are read. */
  readonly native?: NativeLayouts | undefined;
}

/** How a message came. */
export interface From {
  /** Where it came natively. */
  readonly captured: Captured | undefined;
  /** Messages with the same one were compressed at once; undefined: not known. */
  readonly request: string | undefined;
}

export interface Findings {
  /** One for each type met, most protobuf bytes first; never empty. */
  readonly profiles: readonly Profile[];
  readonly diagnostics: readonly Diagnostic[];
  /** Messages that `assigns` did not take, and their payload bytes. */
  readonly leftOut: { readonly messages: number; readonly bytes: number };
  /** What layouts explain of the native messages that were asked for. */
  readonly native: NativeCoverage;
}

export interface NativeCoverage {
  readonly messages: number;
  /** Those that their layouts explain to the last byte. */
  readonly whole: number;
  readonly bytes: number;
  readonly explained: number;
}

export interface Report extends Findings {
  readonly input: InputRead;
}

/** Reads the input once and enters every message. Rejects only as `source.read` does, or when cancelled. */
export async function analyze(
  source: Source,
  choice: InputChoice,
  request: AnalyzeRequest,
  options: CaptureOptions = {},
): Promise<Report> {
  const opened = await openInput(source, choice, options);
  const analysis = new Analysis(
    opened.kind === 'capture' ? request : { ...request, assigns: undefined, untyped: undefined },
  );
  const input = await readOpened(opened, choice, analysis.enter, options);
  return { input, ...analysis.findings() };
}

/** Collects messages from whatever reads them. */
export class Analysis {
  private readonly request: AnalyzeRequest;
  private readonly ledgers = new Map<MessageDescriptor | undefined, Ledgers>();
  private readonly diagnostics: Diagnostic[] = [];
  private readonly leftOut = { messages: 0, bytes: 0 };
  private readonly native = { messages: 0, whole: 0, bytes: 0, explained: 0 };
  private explained = 0;
  private unexplained = 0;

  constructor(request: AnalyzeRequest) {
    this.request = request;
  }

  readonly enter: MessageSink = (message, payload) => {
    const { assigns, type: given, native } = this.request;
    const assigned = assigns === undefined ? (given ?? 'by number') : assigns(message);
    if (assigned === 'native') {
      const reading = native?.read(message, payload);
      if (reading === undefined) this.leaveOut(payload);
      else this.addNative(payload, reading, message.ordinal, native?.headerOf(message), requestOf(message.body));
      return;
    }
    if (assigned === 'left out') {
      this.leaveOut(payload);
      return;
    }
    if (assigned === 'by number') this.request.untyped?.(message, payload);
    this.addAs(assigned === 'by number' ? undefined : assigned, payload, message.ordinal, requestOf(message.body));
  };

  /** Enters one message of the requested type. `payload` is borrowed. */
  add(payload: Uint8Array, ordinal: number): void {
    this.addAs(this.request.type, payload, ordinal);
  }

  /** Enters what the layout of one message explains. Bytes behind the place where it stops are left out, with what stopped it. */
  addNative(
    payload: Uint8Array,
    { type, read }: NativeReading,
    ordinal: number,
    header?: NativeHeader,
    request?: string,
  ): void {
    const { native, leftOut } = this;
    const unexplained = unattributedBytes(read.table);
    native.messages++;
    native.bytes += payload.length;
    native.explained += payload.length - unexplained;
    if (unexplained > 0 && unexplained === payload.length) this.leaveOut(payload);
    else {
      const ledgers = this.ledgersOf(type);
      ledgers.addNative(payload, read);
      leftOut.bytes += unexplained;
      if (header !== undefined) ledgers.addHeader(header.bytes, header.reading);
      if (read.diagnostics.length === 0) {
        native.whole++;
        const captured = { bytes: payload, table: read.table };
        this.request.both?.(type, ledgers.encodings.ofNative(payload, { type, read }), { captured, request });
      }
    }
    for (const diagnostic of read.diagnostics) {
      if (this.diagnostics.length < MAX_DIAGNOSTICS) this.diagnostics.push({ ...diagnostic, ordinal });
    }
  }

  private leaveOut(payload: Uint8Array): void {
    this.leftOut.messages++;
    this.leftOut.bytes += payload.length;
  }

  private addAs(type: MessageDescriptor | undefined, payload: Uint8Array, ordinal: number, request?: string): void {
    const ledgers = this.ledgersOf(type);
    const met = ledgers.add(payload);
    const { both } = this.request;
    if (both !== undefined && type !== undefined && !isGuessed(type))
      both(type, ledgers.encodings.ofProtobuf(payload, type), { captured: undefined, request });
    if ((met & (Met.FAULT | Met.NOTE)) === 0) return;
    if (this.explained === EXPLAINED_MESSAGES || this.diagnostics.length >= MAX_DIAGNOSTICS) {
      this.unexplained++;
      return;
    }
    this.explained++;
    const { diagnostics } = annotate(payload, type);
    // What a guess does not hold says nothing about the message.
    for (const diagnostic of isGuessed(type) ? withoutDoubts(diagnostics) : diagnostics) {
      if (this.diagnostics.length < MAX_DIAGNOSTICS) this.diagnostics.push({ ...diagnostic, ordinal });
    }
  }

  private ledgersOf(type: MessageDescriptor | undefined): Ledgers {
    let ledgers = this.ledgers.get(type);
    if (ledgers === undefined) {
      ledgers = new Ledgers(type, this.request.nativeProfile, this.request.overrides);
      this.ledgers.set(type, ledgers);
    }
    return ledgers;
  }

  findings(): Findings {
    if (this.ledgers.size === 0) this.ledgersOf(this.request.type);
    const profiles = [...this.ledgers.values()]
      .map((ledgers) => ledgers.profile())
      .sort((a, b) => b.bytes.protobuf - a.bytes.protobuf);
    const diagnostics = [...this.diagnostics];
    // Without a type, findings that are counted here are doubts, or bytes that are not read.
    const isUntyped = [...this.ledgers.keys()].every((type) => type === undefined || isGuessed(type));
    const isRead = isUntyped && profiles.every(({ unattributed }) => unattributed === 0);
    if (this.unexplained > 0 && !isRead) {
      diagnostics.push({
        code: 'wire/more-findings',
        severity: 'info',
        message: `${this.unexplained} more messages have findings; open one to see them.`,
        space: 'capture',
        start: 0,
        end: 0,
      });
    }
    return { profiles, diagnostics, leftOut: this.leftOut, native: this.native };
  }
}
