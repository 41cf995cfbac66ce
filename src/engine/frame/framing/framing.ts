/**
 * The framing of payload bytes: how messages follow one another in them. A framing is a value in the list of
 * `framings.ts`. Its framer receives chunks of any size and passes on messages, which do not depend on the chunks.
 *
 *   framingBytes + capturedBytes + unattributedBytes = bytes pushed
 */
import type { Judgement } from '../../capture/text/text-encoding.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { MessageSink } from '../message.ts';

export interface FramingFacts {
  readonly messages: number;
  /** Decompressed payload bytes that were passed on. */
  readonly payloadBytes: number;
  /** The same payloads' bytes as they are in the input. */
  readonly capturedBytes: number;
  /** Prefixes and all other bytes of the framing itself. */
  readonly framingBytes: number;
  /** Bytes that the framing does not explain. */
  readonly unattributedBytes: number;
  readonly diagnostics: readonly Diagnostic[];
}

export interface Framer {
  /**
   * Receives the next bytes, in order. `chunk` is borrowed. A payload is handed to the sink as soon as it is complete.
   */
  push(chunk: Uint8Array, atEnd: boolean, sink: MessageSink): void;
  /** The facts so far; they are complete after the last push. */
  facts(): FramingFacts;
}

export interface Framing {
  readonly id: string;
  readonly label: string;
  /** Full name of the type that the format has for its messages. */
  readonly type?: string | undefined;
  /** Judges by the first bytes. `head` is the whole input if `head.length === size`. @param name of the file */
  sniff(head: Uint8Array, size: number, name?: string): Judgement;
  /** Loads what its framers need; it is done before `create`. */
  readonly load?: (() => Promise<unknown>) | undefined;
  /** `size`: size of the input. A prefix with a larger size is rejected at once. */
  create(size: number): Framer;
}
