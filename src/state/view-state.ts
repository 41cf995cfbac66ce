/**
 * The view state: exactly the fields that a permalink carries. Addresses are stable: field paths, ordinals and
 * occurrences, never row numbers. Everything else is session state.
 */
import type { Cause } from '#engine/cost/compare.ts';
import type { RowAddress } from '#engine/inspect/row-address.ts';
import type { SharedView } from '#permalink/shared.ts';
import { type GroupTypes, type MessageScope, NO_SCOPE } from '#worker/input-api.ts';
import type { CompressionUnit } from '#worker/matrix-api.ts';

import type { PairStreams, Streams } from './measured/measured.ts';

export { NO_SCOPE };

/** The one selection that table, charts, tree and hex share. */
export interface Selection {
  readonly path: string | null;
  /** The shown message. */
  readonly ordinal: number;
  readonly row: RowAddress | null;
}

/** The view of the field table. */
export interface TableView {
  /** `column`: an id of `field-columns.tsx`; null or an unknown id: schema order. */
  readonly sort: { readonly column: string; readonly descending: boolean } | null;
  readonly filter: string;
  readonly flat: boolean;
  /** Paths of the open message fields. */
  readonly expanded: readonly string[];
}

export const PAIR_STEPS = { field: 'by field', cause: 'by cause', icicle: 'as icicles' } as const;
export const PAIR_UNITS = { total: 'in total', message: 'a message', record: 'a record' } as const;

/** How two inputs are compared. */
export interface PairView {
  readonly by: keyof typeof PAIR_STEPS;
  readonly unit: keyof typeof PAIR_UNITS;
  /** Fields that the user paired: paths of A → paths of B. */
  readonly aligned: Readonly<Record<string, string>>;
  /** The compressors that the table shows beside plain bytes. */
  readonly after: readonly PairStreams[];
}

/**
 * On a wide screen the costs are beside the field and the bytes, and other panels open at the side; on a narrow screen
 * one panel is visible at a time.
 */
export const PANELS = {
  costs: 'Costs',
  field: 'Field',
  bytes: 'Bytes',
  advice: 'What should change',
  messages: 'Messages',
  layers: 'Layers',
  matrix: 'Encodings',
  schema: 'Schema',
  input: 'Input',
  findings: 'Findings',
} as const;
export type Panel = keyof typeof PANELS;

/** The bytes that bars and pictures show if compressed streams are measured. */
export const DRAWN = { plain: 'plain', paid: 'compressed', shared: 'shared over copies' } as const;
export type Drawn = keyof typeof DRAWN;

/** How the message pane shows its message: both encodings' bytes, one as a tree, what it packs, or its header. */
export const MESSAGE_FORMS = {
  bytes: 'Bytes',
  protobuf: 'Protobuf tree',
  native: 'Native tree',
  contents: 'Unpacked',
  header: 'Header',
} as const;
export type MessageForm = keyof typeof MESSAGE_FORMS;

export interface ViewState {
  /** Full name of the message type; null: field numbers only. */
  readonly type: string | null;
  /** Types of a capture's groups that were chosen by hand. */
  readonly types: GroupTypes;
  /** Which messages are listed and added up. */
  readonly scope: MessageScope;
  /** The shown profile of several, by its first group; null: the largest. */
  readonly shown: string | null;
  /** null: not chosen; see `shownQuestion`. */
  readonly question: Question | null;
  /** Path of the field that the picture is zoomed into; null: the whole. */
  readonly root: string | null;
  readonly pair: PairView;
  /** A native profile, or an encoding in its place; null: not chosen. */
  readonly nativeProfile: string | null;
  /** Native writer by full field name. */
  readonly overrides: Readonly<Record<string, string>>;
  readonly selection: Selection;
  /** The cause whose part of the difference the table shows; null: the whole. */
  readonly cause: Cause | null;
  /** null: as it first opens. */
  readonly table: TableView | null;
  /** Changes of the schema that are tried out together. */
  readonly changes: readonly TriedChange[];
  /** The compressor that ranks advice; null: the one of the captured messages, or zstd. */
  readonly compressor: string | null;
  readonly panel: Panel;
  /** The chosen form; where a message has no such form, the pane shows another one. */
  readonly messageForm: MessageForm;
  /** The compressed streams that the field table shows beside plain bytes; null: none. */
  readonly paid: Streams | null;
  /** The bytes that bars and pictures show if compressed streams are measured. */
  readonly drawn: Drawn;
  readonly matrix: MatrixView;
}

/** As stored in a link; the worker validates it. */
export type TriedChange = SharedView['changes'][number];

/** Whether exactly one message is added up. */
export const isOneMessage = ({ ordinals: [first, second] }: MessageScope): boolean =>
  first !== undefined && second === undefined && first[1] - first[0] === 1;

/** Whether messages are left out by a filter or by their group. */
export const isNarrowed = ({ text, name, flow, minBytes, maxBytes, time, groups }: MessageScope): boolean =>
  text !== '' ||
  name !== '' ||
  flow !== null ||
  minBytes !== null ||
  maxBytes !== null ||
  time !== null ||
  groups.length > 0;

/** Whether all messages are added up. */
export const isEveryMessage = (scope: MessageScope): boolean => !isNarrowed(scope) && scope.ordinals.length === 0;

/** The view of encodings and compressors. */
export interface MatrixView {
  /** The unit of compression; null: as sent. */
  readonly per: CompressionUnit | null;
  /**
   * Id of the compressor that the list is sorted and drawn by; null: none, plain bytes. Absent: not chosen, that of the
   * captured messages, or else zstd.
   */
  readonly by?: string | null;
  /** Its level; null: its default. */
  readonly level: number | null;
  /** Id of the encoding that is compared with what was captured, by field; null: none. */
  readonly against: string | null;
  /** Whether rarely used encodings and compressors are measured, too. */
  readonly isAll: boolean;
}

export const FIRST_MATRIX: MatrixView = { per: null, level: null, against: null, isAll: false };

/** Whether a view shows the comparison with a native profile, or a cause of its difference. */
export const asksNative = ({ question, cause }: Pick<ViewState, 'question' | 'cause'>): boolean =>
  question === 'native' || cause !== null;

export const NO_SELECTION: Selection = { path: null, ordinal: 0, row: null };

/** The open data, as far as a view depends on it. null: not known yet, as while an input is read. */
export interface OpenData {
  readonly isOpen: boolean;
  /** Whether its bytes are loaded; shared figures have no bytes. */
  readonly hasBytes: boolean;
  /** The number of messages that can be inspected. */
  readonly messages: number | null;
  /** Whether it is a capture. Only captures have groups, flows and times. */
  readonly isCapture: boolean | null;
  readonly hasLayers: boolean | null;
  /** Whether the shown messages have a type, and are the real ones. */
  readonly hasType: boolean;
  readonly hasFindings: boolean;
  /** Whether the shown profile has two sides to compare. */
  readonly hasNative: boolean | null;
}

/**
 * The reader's question: it sets headline, picture and table. One more is a row here, and a row of its answer in
 * `src/views/verdict/questions.tsx`.
 */
export const QUESTIONS = {
  composition: { label: 'Composition', isOffered: () => true },
  native: { label: 'Against native', isOffered: ({ hasNative }) => hasNative !== false },
  another: { label: 'A and B', isOffered: ({ isOpen }) => isOpen },
} as const satisfies Readonly<Record<string, QuestionRow>>;
export type Question = keyof typeof QUESTIONS;

interface QuestionRow {
  readonly label: string;
  /** Whether the open input can answer it. */
  readonly isOffered: (offer: OpenData) => boolean;
}

interface ViewField<V> {
  /** The first value of a view. */
  readonly first: V;
  /** The value, or the nearest value that the open input allows. The same object if it stays. */
  readonly settle: (value: V, offer: OpenData) => V;
}

const keep = <V>(value: V): V => value;

const holdsMessages = ({ isOpen, hasBytes, messages }: OpenData): boolean => isOpen && !(hasBytes && messages === 0);

/**
 * Whether the open data gives a panel something to show, in the order of the tabs. null: not now. The page does not show
 * such a panel, but a view keeps it: the input may still be read, or its type may be chosen later.
 */
export const HAS_PANEL: Readonly<Record<Panel, (offer: OpenData) => boolean | null>> = {
  costs: ({ isOpen }) => isOpen || null,
  field: holdsMessages,
  bytes: holdsMessages,
  input: ({ isOpen }) => isOpen,
  messages: (offer) => offer.hasBytes && holdsMessages(offer),
  layers: ({ hasLayers }) => hasLayers,
  matrix: (offer) => holdsMessages(offer) && (offer.hasType || null),
  advice: (offer) => offer.hasBytes && holdsMessages(offer) && (offer.hasType || null),
  schema: () => true,
  findings: ({ isOpen, hasFindings }) => isOpen && (hasFindings || null),
};

/**
 * Every field of the view state. A field without a row here, or without values in opened-links.test.ts, does not
 * compile.
 */
export const VIEW_FIELDS: { readonly [F in keyof ViewState]: ViewField<ViewState[F]> } = {
  type: { first: null, settle: keep },
  types: { first: {}, settle: (types, { isCapture }) => (isCapture === false && !isEmpty(types) ? {} : types) },
  scope: {
    first: NO_SCOPE,
    settle: (scope, { hasBytes, isCapture }) => {
      if (!hasBytes) return NO_SCOPE;
      const isOfCapture = scope.flow !== null || scope.time !== null || scope.groups.length > 0;
      return isCapture === false && isOfCapture ? { ...scope, flow: null, time: null, groups: [] } : scope;
    },
  },
  shown: { first: null, settle: (shown, { hasBytes }) => (hasBytes ? shown : null) },
  question: {
    first: null,
    settle: (question, offer) => (question !== null && QUESTIONS[question].isOffered(offer) ? question : null),
  },
  root: { first: null, settle: keep },
  pair: { first: { by: 'field', unit: 'total', aligned: {}, after: [] }, settle: keep },
  nativeProfile: { first: null, settle: keep },
  overrides: { first: {}, settle: keep },
  selection: {
    first: NO_SELECTION,
    settle: (selection, { hasBytes, messages }) => {
      const { path, ordinal, row } = selection;
      const last = hasBytes ? Math.max(0, (messages ?? Number.POSITIVE_INFINITY) - 1) : 0;
      if (ordinal > last) return { path, ordinal: last, row: null };
      return row !== null && !hasBytes ? { path, ordinal, row: null } : selection;
    },
  },
  cause: { first: null, settle: (cause, { hasNative }) => (hasNative === false ? null : cause) },
  table: { first: null, settle: keep },
  changes: { first: [], settle: (changes, { hasBytes }) => (hasBytes || changes.length === 0 ? changes : []) },
  compressor: { first: null, settle: keep },
  panel: { first: 'costs', settle: (panel, offer) => (HAS_PANEL[panel](offer) === false ? 'costs' : panel) },
  messageForm: { first: 'bytes', settle: keep },
  paid: { first: null, settle: keep },
  drawn: { first: 'plain', settle: keep },
  matrix: { first: FIRST_MATRIX, settle: keep },
};

export const VIEW_KEYS = Object.keys(VIEW_FIELDS) as readonly (keyof ViewState)[];

const isEmpty = (record: object): boolean => Object.keys(record).length === 0;

export const initialView = (nativeProfile: string | null = null): ViewState => ({
  ...(Object.fromEntries(VIEW_KEYS.map((field) => [field, VIEW_FIELDS[field].first])) as unknown as ViewState),
  nativeProfile,
});

/**
 * Choices that the open analysis does not offer fall back to choices that it offers. The same object if all stay.
 */
export function settleView(view: ViewState, offer: OpenData): ViewState {
  const settled = { ...view };
  let isSame = true;
  const settle = <F extends keyof ViewState>(field: F): void => {
    settled[field] = (VIEW_FIELDS[field] as ViewField<ViewState[F]>).settle(view[field], offer);
    if (settled[field] !== view[field]) isSame = false;
  };
  for (const field of VIEW_KEYS) settle(field);
  return isSame ? view : settled;
}
