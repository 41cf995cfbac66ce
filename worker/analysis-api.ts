/** What the page may ask of the messages: what type they are of, what they cost, what one of them holds. */

import type { ReadingPlan } from '#engine/analysis/plan-reading.ts';
import type { Profile } from '#engine/cost/profile.ts';
import type { Inspected } from '#engine/inspect/inspect.ts';
import type { Encoding } from '#engine/model/annotation.ts';
import type { Diagnostic } from '#engine/model/diagnostic.ts';
import type { GroupTypes, Scope } from './input-api.ts';

export type { PlanCandidate as TypeRank, ReadingPlan } from '#engine/analysis/plan-reading.ts';

export interface AnalyzeParams {
  /** Of payloads: full name, or null to guess a type from the messages: fields `?1`, `?1.?2`, and no native side. */
  readonly type: string | null;
  /** Of a capture's messages, where it is not for the transport to say. */
  readonly types: GroupTypes;
  readonly nativeProfile: string;
  /** Native writer by full field name, over the profile's rules and the schema's options. */
  readonly overrides: Readonly<Record<string, string>>;
}

/** The messages that a sum was made of. */
export interface Origin {
  /** Keys of their groups, most bytes first. */
  readonly groups: readonly string[];
  readonly messages: number;
  /** Ordinal of the first one of the largest group; 0 where there is none. */
  readonly first: number;
  /** Payload bytes, decompressed, and as captured; bytes of the transport's own headers. */
  readonly bytes: number;
  readonly wireBytes: number;
  readonly headerBytes: number;
}

export interface Analysis {
  /** One for each type met, most protobuf bytes first; none where nothing met is protobuf. */
  readonly profiles: readonly Profile[];
  /** Of the profiles, in their order. */
  readonly origins: readonly Origin[];
  /** Messages that are no protobuf and that no layout explains. */
  readonly opaque: Origin;
  readonly diagnostics: readonly Diagnostic[];
}

/** One message with its rows in both encodings. */
export interface Inspection extends Inspected {
  readonly ordinal: number;
  /** Key of its group. */
  readonly group: string;
  /** Which of the sides was captured; the other was made from it. */
  readonly captured: Encoding;
  /** The header around it, where that is written natively and a layout explains it: `native` as captured. */
  readonly header: Pick<Inspected, 'wire' | 'native'> | null;
}

export interface AnalysisApi {
  /** The loaded types and those that ship with the app, held against a sample of the messages of the scope. */
  planReading(params: { readonly scope: Scope; readonly types: GroupTypes }): ReadingPlan;
  analyze(params: AnalyzeParams & { readonly scope: Scope }): Analysis;
  inspect(params: AnalyzeParams & { readonly ordinal: number }): Inspection;
}
