/**
 * The protocol of page and worker: calls, progress, cancelling, outcomes. The calls are those of the interfaces beside
 * this file: a handler that is missing or has the wrong shape does not compile. Results are plain data; typed arrays
 * are transferred.
 */
import type { ReadControl } from '#engine/bytes/source.ts';
import type { AdviseApi } from './advise-api.ts';
import type { AnalysisApi } from './analysis-api.ts';
import type { BitsApi } from './bits-api.ts';
import type { CompareApi } from './compare-api.ts';
import type { ExploreApi } from './explore-api.ts';
import type { InputApi } from './input-api.ts';
import type { LanguageApi } from './language-api.ts';
import type { MatrixApi } from './matrix-api.ts';
import { nextMacrotask } from './next-macrotask.ts';
import type { SchemaApi } from './schema-api.ts';
import type { ShareApi } from './share-api.ts';

export interface Api
  extends SchemaApi,
    ExploreApi,
    LanguageApi,
    CompareApi,
    InputApi,
    AnalysisApi,
    MatrixApi,
    BitsApi,
    ShareApi,
    AdviseApi {}

export interface Progress {
  readonly done: number;
  readonly total: number;
  readonly unit: 'bytes' | 'messages' | 'files' | 'changes' | 'fields';
}

/** The context that a handler gets beside its parameters. */
export interface Context<R = unknown> {
  readonly signal: AbortSignal;
  readonly progress: (progress: Progress) => void;
  /** Reports partial results, for calls whose results are shown while they grow. */
  readonly soFar: (result: R) => void;
  /** Buffers of the result to move instead of copy; the worker must not touch them again. */
  readonly transfer: (...buffers: readonly ArrayBuffer[]) => void;
}

/** The parts of it that long work needs. */
export type Control = Pick<Context, 'signal' | 'progress'>;

/** Signals cancellation to the engine, and takes its progress. */
export const readControl = ({ signal, progress }: Control): ReadControl => ({
  signal,
  onProgress: (done, total) => progress({ done, total, unit: 'bytes' }),
  pause: nextMacrotask,
});

type Call = (params: never) => unknown;

/** The worker's side of an interface of calls. */
export type HandlersOf<A> = {
  readonly [M in keyof A]: A[M] extends Call
    ? (params: Parameters<A[M]>[0], context: Context<ReturnType<A[M]>>) => ReturnType<A[M]> | Promise<ReturnType<A[M]>>
    : never;
};

export type Handlers = HandlersOf<Api>;

/** How a call ended. A failure is a bug caught at the worker's edge; findings about data come as values. */
export type CallResult<T> =
  | { readonly ok: true; readonly value: T }
  | {
      readonly ok: false;
      readonly cancelled: boolean;
      readonly message: string;
      /** A file of the app that the call needs could not be loaded. */
      readonly isMissing: boolean;
    };

export type Failed = Extract<CallResult<never>, { readonly ok: false }>;

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
  | { readonly kind: 'so-far'; readonly id: number; readonly result: unknown }
  | { readonly kind: 'ok'; readonly id: number; readonly result: unknown }
  | {
      readonly kind: 'error';
      readonly id: number;
      readonly message: string;
      readonly cancelled: boolean;
      readonly isMissing: boolean;
    };
