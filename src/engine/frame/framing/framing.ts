/**
 * The framing of payload bytes: how messages follow one another in them. A framing is a value in the list of
 * `framings.ts`; its framer is pushed chunks of any size and hands out messages that do not depend on them.
 *
 *   framingBytes + capturedBytes + unattributedBytes = bytes pushed
 */
import type { Judgement } from '../../capture/text/text-encoding.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { MessageSink } from '../message.ts';

export interface FramingFacts {
  readonly messages: number;
  /** Payload bytes handed out, decompressed. */
  readonly payloadBytes: number;
  /** The same as they lie in the input. */
  readonly capturedBytes: number;
  /** Prefixes, and all other bytes of the framing itself. */
  readonly framingBytes: number;
  /** Bytes that the framing does not explain. */
  readonly unattributedBytes: number;
  readonly diagnostics: readonly Diagnostic[];
}

export interface Framer {
  /** The next bytes, in order. `chunk` is borrowed. A payload reaches the sink as soon as it is whole. */
  push(chunk: Uint8Array, atEnd: boolean, sink: MessageSink): void;
  /** The findings so far; complete after the push at the end. */
  facts(): FramingFacts;
}

export interface Framing {
  readonly id: string;
  readonly label: string;
  /** Judges by the first bytes; `head` is the whole input where `head.length === size`. @param name of the file */
  sniff(head: Uint8Array, size: number, name?: string): Judgement;
  /** `size`: the input's, so that a prefix that claims more is known before its bytes are waited for. */
  create(size: number): Framer;
}
