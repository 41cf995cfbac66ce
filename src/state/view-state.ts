/**
 * What a person is looking at: exactly what a permalink carries. Addresses are stable: field paths, ordinals and
 * occurrences, never row numbers. Everything else is session state.
 */
import type { Cause } from '#engine/cost/compare.ts';
import type { RowAddress } from '#engine/inspect/row-address.ts';
import { type GroupTypes, NO_SCOPE, type Scope } from '#worker/input-api.ts';

export { NO_SCOPE };

/** The one selection that table, charts, tree and hex share. */
export interface Selection {
  readonly path: string | null;
  /** The message that is looked at. */
  readonly ordinal: number;
  readonly row: RowAddress | null;
}

export const TABLE_COLUMNS = [
  'field',
  'occurrences',
  'presence',
  'overhead',
  'self',
  'protobuf',
  'native',
  'delta',
  'share',
] as const;
export type TableColumn = (typeof TABLE_COLUMNS)[number];

/** How the field table is looked at. */
export interface TableView {
  /** null: schema order. */
  readonly sort: { readonly column: TableColumn; readonly descending: boolean } | null;
  readonly filter: string;
  readonly flat: boolean;
  /** Paths of the open message fields. */
  readonly expanded: readonly string[];
}

/** On a wide screen the costs stand beside the field and the bytes, and the others open at the side; on a narrow one each has its turn. */
export const PANELS = {
  costs: 'Costs',
  field: 'Field',
  bytes: 'Bytes',
  messages: 'Messages',
  layers: 'Layers',
  schema: 'Schema',
  input: 'Input',
  findings: 'Findings',
} as const;
export type Panel = keyof typeof PANELS;

export interface ViewState {
  /** Full name of the message type; null: field numbers only. */
  readonly type: string | null;
  /** Of a capture's messages: the types that were decided by hand, by group. */
  readonly types: GroupTypes;
  /** Which messages are listed and added up. */
  readonly scope: Scope;
  /** Of several profiles the one that is looked at, by its first group; null: the largest. */
  readonly shown: string | null;
  readonly nativeProfile: string;
  /** Native writer by full field name. */
  readonly overrides: Readonly<Record<string, string>>;
  readonly selection: Selection;
  /** The cause whose part of the difference the table shows; null: the whole. */
  readonly cause: Cause | null;
  /** null: as it first opens. */
  readonly table: TableView | null;
  readonly panel: Panel;
}

export const NO_SELECTION: Selection = { path: null, ordinal: 0, row: null };

export const initialView = (nativeProfile: string): ViewState => ({
  type: null,
  types: {},
  scope: NO_SCOPE,
  shown: null,
  nativeProfile,
  overrides: {},
  selection: NO_SELECTION,
  cause: null,
  table: null,
  panel: 'costs',
});
