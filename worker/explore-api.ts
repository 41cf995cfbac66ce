/** The page's calls about the loaded schema: trees, names, pages. */

import type { CostFindingCode } from '#engine/cost/cost-findings.ts';
import type { CatalogNode, CatalogOrder } from '#engine/explore/catalog.ts';
import type { TypeChoice } from '#engine/explore/choose-types.ts';
import type { CostlyFields } from '#engine/explore/costly-fields.ts';
import type { FoundNames, SearchScope } from '#engine/explore/find-names.ts';
import type { Page, WholeFile } from '#engine/explore/pages.ts';
import type { TypeCost } from '#engine/explore/type-costs.ts';
import type { Diagnostic } from '#engine/model/diagnostic.ts';
import type { TypeRank } from './analysis-api.ts';

/** The subject of a page. `type`: any symbol by its full name, or a member of one. */
export interface PageRequest {
  readonly of: 'type' | 'file' | 'package' | 'folder';
  readonly name: string;
  readonly nativeProfile: string | null;
  readonly overrides: Readonly<Record<string, string>>;
}

/** The schema that a person loaded, with what it imports, or what ships with the app. */
export type Shelf = 'loaded' | 'bundled';

/** A file that declares types in use. */
export interface TypeSourceFile {
  readonly file: string;
  readonly package: string;
  readonly shelf: Shelf;
  /** Full names of the asked types in it. */
  readonly types: readonly string[];
}

export interface ExploreApi {
  /** Nodes directly below one; the roots for null. */
  treeNodes(params: {
    readonly shelf: Shelf;
    readonly order: CatalogOrder;
    readonly parent: string | null;
  }): readonly CatalogNode[];
  /** Ids of the nodes that lead to the page of a name, itself last; empty if the name has no page. */
  treeWay(params: {
    readonly shelf: Shelf;
    readonly order: CatalogOrder;
    readonly of: PageRequest['of'];
    readonly name: string;
  }): readonly string[];
  /**
   * Checks every type, a few at a time. It finds faults in descriptor sets beyond those found when they were opened,
   * and lists the names of members.
   */
  lookThrough(params: Record<string, never>): readonly Diagnostic[];
  /** Results so far are reported while members are still being listed. */
  findNames(params: {
    readonly shelf: Shelf;
    readonly query: string;
    readonly scope: SearchScope;
    readonly limit: number;
  }): FoundNames;
  /** Message types by the words of a query: those that explain the input best first, then the one in use. */
  chooseTypes(params: {
    readonly query: string;
    readonly ranking: readonly TypeRank[];
    /** Full name of the type that the messages are read as. */
    readonly used: string | null;
    /** Types that ship with the app: only those that messages are compared with, or also layouts. */
    readonly bundled: 'none' | 'compared' | 'all';
    readonly limit: number;
  }): readonly (TypeChoice & { readonly shelf: Shelf })[];
  /** Fields whose declaration wastes bytes; one kind is listed, all kinds are counted. */
  costlyFields(params: { readonly shelf: Shelf; readonly code: CostFindingCode; readonly limit: number }): CostlyFields;
  /**
   * Bytes that types cost by their declarations, without those of imports; null: there are too many for one picture.
   */
  typeCosts(params: { readonly shelf: Shelf }): readonly TypeCost[] | null;
  /** Files that declare the types and what their fields hold: those of the types first. */
  sourcesOf(params: { readonly types: readonly string[] }): readonly TypeSourceFile[];
  hasType(params: { readonly name: string }): boolean;
  /** A file with all that it declares, without its uses; null: neither loaded nor bundled. */
  pagesIn(params: { readonly file: string }): WholeFile | null;
  /**
   * A page of the loaded schema, else of the bundled ones; null: no symbol has that name. Users of a type are known
   * once all types are read; before, they are left out.
   */
  describe(params: PageRequest): Page | null;
}
