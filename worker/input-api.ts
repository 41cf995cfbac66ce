/** What the page may ask about the open input and its messages. */
import type { Diagnostic } from '#engine/diagnostic.ts';

/** One way an input can be read, with the reason it was or was not chosen. */
export interface Reading {
  readonly id: string;
  readonly label: string;
  readonly reason: string;
}

export interface InputSummary {
  readonly name: string;
  /** Bytes of the input as given, and after its dress (hex, base64) came off. */
  readonly size: number;
  readonly bytes: number;
  readonly dress: Reading;
  readonly framing: Reading;
  readonly dresses: readonly Reading[];
  readonly framings: readonly Reading[];
  readonly messages: number;
  /** Sum over the messages' payloads; the rest is framing, and what no framing explains. */
  readonly payloadBytes: number;
  readonly framingBytes: number;
  readonly unattributedBytes: number;
  readonly diagnostics: readonly Diagnostic[];
}

/** A window onto the list of messages, in the order and through the filter asked for. */
export interface MessageWindow {
  /** Messages that pass the filter; `rows` holds those from `from` on. */
  readonly total: number;
  readonly from: number;
  readonly rows: readonly MessageSummary[];
}

export type MessageOrder = 'ordinal' | 'largest' | 'smallest';

export interface MessageSummary {
  readonly ordinal: number;
  /** captureOffset of the payload. */
  readonly offset: number;
  readonly size: number;
  /** The first text found in it, or its first bytes in hex. */
  readonly preview: string;
}

export interface InputApi {
  openInput(params: {
    readonly name: string;
    readonly data: Blob;
    readonly dress?: string;
    readonly framing?: string;
  }): InputSummary;
  /** `filter`: text that the payload holds (UTF-8, case counts), or nothing. */
  messages(params: {
    readonly from: number;
    readonly to: number;
    readonly order: MessageOrder;
    readonly filter: string;
  }): MessageWindow;
}
