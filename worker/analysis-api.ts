/** The page's calls about messages: their types, their costs, the rows of one of them. */

import type { LossPlace } from '#engine/analysis/first-loss.ts';
import type { InspectedMessage, WantedPart } from '#engine/analysis/inspect-message.ts';
import type { Origin } from '#engine/analysis/messages-run.ts';
import type { GroupTypes } from '#engine/analysis/plan/group-readings.ts';
import type { ReadingPlan } from '#engine/analysis/plan/plan-reading.ts';
import type { Profile } from '#engine/cost/profile.ts';
import type { Diagnostic, LostValues } from '#engine/model/diagnostic.ts';
import type { MessageScope } from './input-api.ts';

export type { LossPlace } from '#engine/analysis/first-loss.ts';
export type { InspectedMessage as Inspection, WantedPart } from '#engine/analysis/inspect-message.ts';
export type { Origin } from '#engine/analysis/messages-run.ts';
export type { PlanCandidate as TypeRank, ReadingPlan } from '#engine/analysis/plan/plan-reading.ts';

export interface AnalyzeParams {
  /**
   * Type of payloads: full name, or null to guess a type from the messages: fields `?1`, `?1.?2`, and no native side.
   */
  readonly type: string | null;
  /** Types of a capture's groups that were chosen by hand. */
  readonly types: GroupTypes;
  /** A native profile, or an encoding in its place; null: not chosen. */
  readonly nativeProfile: string | null;
  /**
   * Whether the comparison with a native profile is shown. If not, and none is chosen, only inputs with native messages
   * have a native side.
   */
  readonly compares?: boolean;
  /** Native writer by full field name, over the profile's rules and the schema's options. */
  readonly overrides: Readonly<Record<string, string>>;
}

export interface Analysis {
  /** One for each type that occurs, most protobuf bytes first; none without any protobuf. */
  readonly profiles: readonly Profile[];
  /** Origins of the profiles, in the same order. */
  readonly origins: readonly Origin[];
  /** Messages that are not protobuf and that no layout explains. */
  readonly opaque: Origin;
  readonly diagnostics: readonly Diagnostic[];
}

export interface AnalysisApi {
  /** The loaded types and those that ship with the app, compared with a sample of the messages of the scope. */
  planReading(params: { readonly scope: MessageScope; readonly types: GroupTypes }): ReadingPlan;
  analyze(params: AnalyzeParams & { readonly scope: MessageScope }): Analysis;
  /** @param params with the index of the part, of a message too large to be shown at once */
  inspect(params: AnalyzeParams & { readonly ordinal: number; readonly part?: WantedPart }): InspectedMessage;
  /** The first message of the scope that has the field; null: none has it. @param params with a path as in profiles */
  firstWith(params: AnalyzeParams & { readonly scope: MessageScope; readonly path: string }): number | null;
  /** The first of the values in the scope, as the messages were captured; null: no message has one. */
  firstLoss(params: AnalyzeParams & { readonly scope: MessageScope; readonly lost: LostValues }): LossPlace | null;
}
