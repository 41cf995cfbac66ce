/**
 * What the page may ask of the thread, and what comes back. One interface: a handler that is missing or has the
 * wrong shape does not compile. Results are plain data; typed arrays are transferred.
 */
import type { Profile } from '#engine/cost/profile.ts';
import type { Diagnostic } from '#engine/diagnostic.ts';
import type { Inspected } from '#engine/inspect.ts';

export interface SchemaFile {
  /** Path as imports name it, or the name it was dropped under. */
  readonly path: string;
  /** Text of a .proto file, or bytes of a descriptor set. */
  readonly content: string | Uint8Array;
}

export interface TypeSummary {
  readonly fullName: string;
  readonly file: string;
  readonly fields: number;
  /** Map entries and types nested in others are offered last. */
  readonly nested: boolean;
}

export interface SchemaSummary {
  /** Paths of the loaded files and of the well-known ones they import; those of the shelf are left out. */
  readonly files: readonly string[];
  readonly types: readonly TypeSummary[];
  /** Imports, as written, that no file answers. */
  readonly unresolved: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

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

/** How well a type explains the open input: the share of the sampled bytes that have a field in it. */
export interface TypeRank {
  readonly type: string;
  readonly score: number;
  readonly reason: string;
}

export interface AnalyzeParams {
  /** Full name, or null to guess a type from the messages: fields `?1`, `?1.?2`, and no native side. */
  readonly type: string | null;
  readonly nativeProfile: string;
  /** Native writer by full field name, over the profile's rules and the schema's options. */
  readonly overrides: Readonly<Record<string, string>>;
}

export interface Analysis {
  readonly profile: Profile;
  readonly diagnostics: readonly Diagnostic[];
}

/** One message with its rows in both encodings. */
export interface Inspection extends Inspected {
  readonly ordinal: number;
}

export interface Api {
  /** `shelf`: files that are there to be imported; their types are not offered. */
  setSchema(params: { readonly files: readonly SchemaFile[]; readonly shelf?: readonly SchemaFile[] }): SchemaSummary;
  openInput(params: {
    readonly name: string;
    readonly data: Blob;
    readonly dress?: string;
    readonly framing?: string;
  }): InputSummary;
  /** The loaded types, best first by how well they explain the open input. */
  rankTypes(params: Record<string, never>): readonly TypeRank[];
  analyze(params: AnalyzeParams): Analysis;
  /** `filter`: text that the payload holds (UTF-8, case counts), or nothing. */
  messages(params: {
    readonly from: number;
    readonly to: number;
    readonly order: MessageOrder;
    readonly filter: string;
  }): MessageWindow;
  inspect(params: AnalyzeParams & { readonly ordinal: number }): Inspection;
}

export interface Progress {
  readonly done: number;
  readonly total: number;
  readonly unit: 'bytes' | 'messages' | 'files';
}

/** What a handler is given beside its parameters. */
export interface Context {
  readonly signal: AbortSignal;
  readonly progress: (progress: Progress) => void;
  /** Buffers of the result to move instead of copy; the thread must not touch them again. */
  readonly transfer: (...buffers: readonly ArrayBuffer[]) => void;
}

export type Handlers = {
  readonly [M in keyof Api]: (
    params: Parameters<Api[M]>[0],
    context: Context,
  ) => ReturnType<Api[M]> | Promise<ReturnType<Api[M]>>;
};

/** How a call ended. A failure is a bug caught at the thread's edge; findings about data come as values. */
export type Outcome<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly cancelled: boolean; readonly message: string };

/** The part of a MessagePort, a Worker and a worker's global scope that carries messages. */
export interface Port {
  postMessage(message: unknown, transfer: Transferable[]): void;
  onmessage: ((event: MessageEvent) => void) | null;
}

export type Request =
  | {
      readonly [M in keyof Api]: {
        readonly kind: 'call';
        readonly id: number;
        readonly method: M;
        readonly params: Parameters<Api[M]>[0];
      };
    }[keyof Api]
  | { readonly kind: 'cancel'; readonly id: number };

export type Response =
  | { readonly kind: 'progress'; readonly id: number; readonly progress: Progress }
  | { readonly kind: 'ok'; readonly id: number; readonly result: unknown }
  | { readonly kind: 'error'; readonly id: number; readonly message: string; readonly cancelled: boolean };
