/** Questions about the loaded schema. Answers are not state: a view asks, shows the answer, and asks again when the schema changes. */
import type { Client } from '#worker/connect.ts';
import type { ExploreApi } from '#worker/explore-api.ts';
import type { LanguageApi } from '#worker/language-api.ts';
import type { Api, Failed } from '#worker/protocol.ts';

export type { CostFindingCode } from '#engine/cost/cost-findings.ts';
export type { CatalogNode, CatalogOrder, NodeKind } from '#engine/explore/catalog.ts';
export type { CostlyField } from '#engine/explore/costly-fields.ts';
export type { FoundName, FoundNames, NameKind, NameScope } from '#engine/explore/find-names.ts';
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
export type { CompatibilityLevel, FieldChange } from '#engine/schema/compare/compare-fields.ts';
