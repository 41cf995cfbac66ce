/** The request and the results of a run, as the caller sees them. */
import type { Profile } from '../cost/profile.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { ListedFindings, ProfilerOptions } from './message-profiler.ts';
import type { ReadingRequest } from './message-reading.ts';
import type { MessageStore } from './store/message-store.ts';

export type RunRequest = ReadingRequest & ProfilerOptions;

/** Messages of one input, by ordinal. */
export interface Selected {
  readonly store: MessageStore;
  readonly ordinals: Uint32Array;
}

/** The messages that a figure was computed from. */
export interface Origin {
  /** Keys of their groups, most bytes first. */
  readonly groups: readonly string[];
  readonly messages: number;
  /** Ordinal of the first message of the largest group; 0: there is no message. */
  readonly first: number;
  /** Payload bytes, decompressed, and as captured; bytes of the transport's own headers. */
  readonly bytes: number;
  readonly capturedBytes: number;
  readonly headerBytes: number;
  readonly findings: OwnFindings;
}

/** Findings about the messages of a figure, a part of all `diagnostics`. */
export type OwnFindings = Pick<ListedFindings, 'diagnostics' | 'head'>;

/** How many native messages of an input their layouts explain. */
export interface NativeCoverage {
  /** Messages that have a layout. */
  readonly messages: number;
  /** Messages whose every byte it explains: the figures are of them. */
  readonly whole: number;
  readonly bytes: number;
  /** Bytes of the whole ones. */
  readonly explained: number;
}

/** The costs of one input's messages. */
export interface MessagesRun {
  /** One profile for each reading, most protobuf bytes first; empty: no message is protobuf. */
  readonly profiles: readonly Profile[];
  /** Origins of the profiles, in the same order. */
  readonly origins: readonly Origin[];
  /** Messages that are not protobuf and that no layout explains. */
  readonly opaque: Origin;
  readonly diagnostics: readonly Diagnostic[];
  readonly native: NativeCoverage;
}
