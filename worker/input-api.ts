/** The page's calls about the open input and its messages. */
import type { GroupReading, GroupTypes } from '#engine/analysis/plan/group-readings.ts';
import type { MessageGroup } from '#engine/analysis/store/message-groups.ts';
import type { LayerLedger } from '#engine/capture/containers/packets-layers.ts';
import type { Traffic } from '#engine/capture/containers/packets-traffic.ts';
import type { CutPackets } from '#engine/frame/capture-facts.ts';
import type { OtherContent } from '#engine/frame/framing/other-content.ts';
import type { Piece } from '#engine/frame/message.ts';
import type { MissingBytes } from '#engine/frame/transport/missing-bytes.ts';
import type { UnwrapStep } from '#engine/frame/unwrap/unwrap.ts';
import type { Diagnostic } from '#engine/model/diagnostic.ts';

export type { GroupReading, GroupTypes } from '#engine/analysis/plan/group-readings.ts';
export type { MessageGroup } from '#engine/analysis/store/message-groups.ts';
export type { UnwrapStep } from '#engine/frame/unwrap/unwrap.ts';

/** One way an input can be read, with the reason it was or was not chosen. */
export interface ReadingChoice {
  readonly id: string;
  readonly label: string;
  readonly reason: string;
}

/** One direction of a connection. */
export interface FlowSummary {
  /** `10.0.0.1:9300 → 10.0.0.2:41412` */
  readonly name: string;
  readonly messages: number;
  /** As captured. */
  readonly capturedBytes: number;
}

interface CommonSummary {
  readonly name: string;
  /** Bytes of the input as given, and decoded (from hex, base64, gzip). */
  readonly size: number;
  readonly bytes: number;
  /** false: a partial result; reading continues. */
  readonly complete: boolean;
  readonly messages: number;
  /** Sum over the messages' payloads, decompressed, and as captured. */
  readonly payloadBytes: number;
  readonly capturedBytes: number;
  readonly groups: readonly MessageGroup[];
  /** Steps that unwrapped it. */
  readonly steps: readonly UnwrapStep[];
  readonly diagnostics: readonly Diagnostic[];
}

export interface PayloadsSummary extends CommonSummary {
  readonly kind: 'payloads';
  readonly textEncoding: ReadingChoice;
  readonly framing: ReadingChoice;
  readonly textEncodings: readonly ReadingChoice[];
  readonly framings: readonly ReadingChoice[];
  /** Other types may have it read otherwise. */
  readonly isByTypes: boolean;
  /** Bytes outside of payloads: framing, and unattributed bytes. */
  readonly framingBytes: number;
  readonly unattributedBytes: number;
  /** The content of an input without messages; null: messages were read. */
  readonly content: OtherContent | null;
}

export interface CaptureSummary extends CommonSummary {
  readonly kind: 'capture';
  /** `pcap`, `pcapng`, `har` … */
  readonly format: string;
  readonly packets: number;
  /** Packets truncated by a snap length; null: none so far. */
  readonly cut: CutPackets | null;
  /** Bytes of connections with messages whose packets are not in the capture; null: none. */
  readonly missing: MissingBytes | null;
  readonly connections: number;
  /** Most bytes first; at most 1,000 of all. */
  readonly flows: readonly FlowSummary[];
  readonly flowCount: number;
  /** Each byte of the capture once; null until it is complete. */
  readonly layers: LayerLedger | null;
  /** Where secrets lie in the capture itself. */
  readonly secrets: readonly Piece[];
  /** Connections from which no messages are read; most bytes first. */
  readonly traffic: readonly Traffic[];
  /** Times of the messages, in milliseconds since the epoch; null: no message had one. */
  readonly firstTime: number | null;
  readonly lastTime: number | null;
  /** Times of its packets; without packets, of its messages. null: nothing had a time, or it is not complete. */
  readonly span: readonly [first: number, last: number] | null;
}

export type InputSummary = PayloadsSummary | CaptureSummary;

/** The selected messages: those that pass every condition. */
export interface MessageScope {
  /** Text that the payload contains (UTF-8, case-sensitive), or nothing. */
  readonly text: string;
  /** Part of the method, the type, the transport or the status, in any case, or nothing. */
  readonly name: string;
  readonly flow: string | null;
  /** Payload bytes, decompressed. */
  readonly minBytes: number | null;
  readonly maxBytes: number | null;
  /** Milliseconds since the epoch, half-open. */
  readonly time: readonly [number, number] | null;
  /** Keys of groups; none: all. */
  readonly groups: readonly string[];
  /** Half-open ranges of ordinals; none: all. The message list still shows the other messages. */
  readonly ordinals: readonly (readonly [number, number])[];
}

/** All messages. */
export const NO_SCOPE: MessageScope = {
  text: '',
  name: '',
  flow: null,
  minBytes: null,
  maxBytes: null,
  time: null,
  groups: [],
  ordinals: [],
};

export type MessageColumn = 'ordinal' | 'flow' | 'direction' | 'method' | 'status' | 'type' | 'capturedBytes' | 'bytes';

export interface MessageOrder {
  readonly column: MessageColumn;
  readonly descending: boolean;
}

export interface MessageSummary {
  readonly ordinal: number;
  /** captureOffset of the payload. */
  readonly offset: number;
  readonly size: number;
  readonly capturedBytes: number;
  readonly time: number | null;
  readonly flow: string | null;
  readonly status: string | null;
  /** With the query of its URL, which the group does not have. */
  readonly method: string | null;
  /** Its group, which has direction and transport. */
  readonly group: string;
  /** The first text found in it, or its first bytes in hex; empty for a compressed message of more than 1 MiB. */
  readonly preview: string;
}

/** A window of the message list, in the requested order and with the requested filter. */
export interface MessageWindow {
  /** Messages that pass the filter, and their bytes; `rows` holds those from `from` on. */
  readonly total: number;
  readonly bytes: number;
  readonly from: number;
  readonly rows: readonly MessageSummary[];
}

/** Captured bytes over time, in bins of equal width; requests (and what has no direction) and responses apart. */
export interface Timeline {
  readonly from: number;
  readonly to: number;
  readonly requests: Float64Array<ArrayBuffer>;
  readonly responses: Float64Array<ArrayBuffer>;
  /** The part of them that is in the scope, its time aside. */
  readonly chosenRequests: Float64Array<ArrayBuffer>;
  readonly chosenResponses: Float64Array<ArrayBuffer>;
}

export interface InputApi {
  /** The open input is A of a comparison: it can be measured while another input is open. false: no longer. */
  keepSide(params: { readonly isKept: boolean }): void;
  openInput(params: {
    readonly name: string;
    readonly data: Blob;
    readonly textEncoding?: string;
    readonly framing?: string;
    readonly steps?: readonly string[];
    /** Lines of key logs for TLS. */
    readonly keyLog?: string;
  }): InputSummary;
  /**
   * Looks into a wrapped file: how many of its files are schemas, and how many may be messages. Captures are returned if
   * there are several, because each is an input of its own.
   */
  lookInside(params: { readonly name: string; readonly data: Blob }): {
    readonly schemas: number;
    readonly payloads: number;
    readonly captures: readonly File[];
    /** Paths of the other files, if captures are returned. */
    readonly beside: readonly string[];
    /** Lines of each key log of TLS that is in no input: beside those captures, or alone. */
    readonly keyLogs: readonly string[];
  };
  /** The descriptors that servers sent in the open capture, as a FileDescriptorSet; null: it has none. */
  reflectedSchema(params: Record<string, never>): { readonly set: Uint8Array<ArrayBuffer> | null };
  messages(params: {
    readonly from: number;
    readonly to: number;
    readonly order: MessageOrder;
    readonly scope: MessageScope;
    readonly types: GroupTypes;
  }): MessageWindow;
  /** The row of a message in the list; null: it does not pass the filter. */
  rowOf(params: {
    readonly ordinal: number;
    readonly order: MessageOrder;
    readonly scope: MessageScope;
    readonly types: GroupTypes;
  }): number | null;
  /** The rows [from, to) of the list as ranges of ordinals, ascending. */
  rangesOf(params: {
    readonly from: number;
    readonly to: number;
    readonly order: MessageOrder;
    readonly scope: MessageScope;
    readonly types: GroupTypes;
  }): readonly (readonly [number, number])[];
  /** By group key. */
  groupReadings(params: { readonly types: GroupTypes }): Readonly<Record<string, GroupReading>>;
  /** null: the input has no clock. */
  timeline(params: {
    readonly bins: number;
    readonly scope: MessageScope;
    readonly types: GroupTypes;
  }): Timeline | null;
}
