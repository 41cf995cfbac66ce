/** What the page may ask of the messages: what type they are of, what they cost, what one of them holds. */
import type { Profile } from '#engine/cost/profile.ts';
import type { Diagnostic } from '#engine/diagnostic.ts';
import type { Inspected } from '#engine/inspect.ts';

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
  /** One for each type met, most protobuf bytes first; never empty. */
  readonly profiles: readonly Profile[];
  readonly diagnostics: readonly Diagnostic[];
}

/** One message with its rows in both encodings. */
export interface Inspection extends Inspected {
  readonly ordinal: number;
}

export interface AnalysisApi {
  /** The loaded types, best first by how well they explain the open input. */
  rankTypes(params: Record<string, never>): readonly TypeRank[];
  analyze(params: AnalyzeParams): Analysis;
  inspect(params: AnalyzeParams & { readonly ordinal: number }): Inspection;
}
