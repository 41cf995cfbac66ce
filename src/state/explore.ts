/**
 * Questions about the loaded schema. Answers are not state: a view asks, shows the answer, and asks again when the
 * schema changes.
 */
import { EXPLORING } from '#wording/progress-notes.ts';
import type { Client } from '#worker/connect.ts';
import type { ExploreApi } from '#worker/explore-api.ts';
import type { LanguageApi } from '#worker/language-api.ts';
import type { Api, Failed } from '#worker/protocol.ts';

export type { FieldSizes } from '#engine/advise/version-sizes.ts';
export type { CostFindingCode } from '#engine/cost/cost-findings.ts';
export type { CatalogNode, CatalogOrder, NodeKind } from '#engine/explore/catalog.ts';
export type { CostlyField } from '#engine/explore/costly-fields.ts';
export type { FoundName, FoundNames, NameKind, SearchScope } from '#engine/explore/find-names.ts';
export type { Completion, OutlineEntry } from '#engine/explore/language.ts';
export type {
  EnumPage,
  ExtensionPage,
  FieldEntry,
  FilePage,
  MessagePage,
  OptionText,
  PackagePage,
  Page,
  ServicePage,
  SymbolPage,
  UseEntry,
} from '#engine/explore/pages.ts';
export type { TypeCost } from '#engine/explore/type-costs.ts';
export type { FieldChange } from '#engine/schema/compare/compare-fields.ts';
export type { SymbolChange } from '#engine/schema/compare/symbol-change.ts';
export type { CompatibilityLevel } from '#engine/schema/compare/type-verdicts.ts';
export type { SymbolPlace as TextSpan } from '#engine/schema/symbols.ts';
export type { MeasuredVersions } from '#worker/compare-api.ts';
export type { Shelf, TypeSourceFile } from '#worker/explore-api.ts';

/** Questions to the loaded schema. */
export type ExplorerQuestion = keyof ExploreApi | keyof LanguageApi | 'compare' | 'versionSizes';
export type Params<Q extends ExplorerQuestion> = Parameters<Api[Q]>[0];
export type AnswerTo<Q extends ExplorerQuestion> = ReturnType<Api[Q]>;

/** null: cancelled, or the worker failed, which `fail` has reported. */
export type Ask = <Q extends ExplorerQuestion>(
  question: Q,
  params: Params<Q>,
  signal?: AbortSignal,
  /** Receives partial answers, for questions whose answers grow. */
  onSoFar?: (answer: AnswerTo<Q>) => void,
) => Promise<{ readonly answer: AnswerTo<Q> } | null>;

export const createAsk =
  (client: Client, fail: (work: string, failed: Failed) => void): Ask =>
  async (question, params, signal, onSoFar) => {
    const outcome = await client.call(question, params, { signal, onSoFar });
    if (outcome.ok) return { answer: outcome.value };
    if (!outcome.cancelled) fail(EXPLORING, outcome);
    return null;
  };
