/**
 * The page’s view ⇄ the view in a link. If a link has a value that this app does not know, the view takes its first
 * value.
 */
import { CAUSES } from '#engine/cost/compare.ts';
import type { Profile } from '#engine/cost/profile.ts';
import type { SharedView } from '#permalink/shared.ts';
import { loadPart } from '../load-part.ts';
import { STREAMS } from '../measured/measured.ts';
import {
  DRAWN,
  FIRST_MATRIX,
  MESSAGE_FORMS,
  NO_SCOPE,
  NO_SELECTION,
  PAIR_STEPS,
  PAIR_UNITS,
  PANELS,
  QUESTIONS,
  type TableView,
  VIEW_FIELDS,
  type ViewState,
} from '../view-state.ts';

/** Fails to compile if one side has a field that the other lacks. */
type SameKeys<A, B> = [keyof A, keyof B] extends [keyof B, keyof A] ? true : never;

/** A view has exactly the fields of a link, so it is passed on as it is. */
export function sharedView(view: ViewState): SharedView {
  true satisfies SameKeys<ViewState, SharedView>;
  return view;
}

/**
 * The view without its scope, groups, selected message and tried changes, for figures without their messages. The
 * table keeps opened rows and a filter if they are of these figures.
 */
export const viewOfFigures = (view: SharedView, profile: Profile | undefined): SharedView => ({
  ...view,
  type: profile?.type || null,
  types: {},
  scope: NO_SCOPE,
  shown: null,
  selection: { ...NO_SELECTION, path: view.selection.path },
  table: view.table && tableOf(view.table, profile?.fields.map(({ path }) => path) ?? []),
  changes: [],
});

function tableOf(table: TableView, paths: readonly string[]): TableView {
  const text = paths.join('\n').toLowerCase();
  const words = table.filter.toLowerCase().split(/\s+/);
  return {
    ...table,
    filter: words.every((word) => text.includes(word)) ? table.filter : '',
    expanded: table.expanded.filter((path) => paths.includes(path)),
  };
}

/** Reads a view from the browser's history or an address. null: it is not a view of this version of the app. */
export async function readView(value: unknown): Promise<ViewState | null> {
  const checks = await loadPart(() => import('#permalink/shared.ts')).catch(() => null);
  const view = checks?.checkView(value) ?? null;
  return view && viewOf(view);
}

export function viewOf({
  question,
  pair,
  cause,
  table,
  panel,
  messageForm,
  paid,
  drawn,
  nativeProfile,
  matrix,
  ...view
}: SharedView): ViewState {
  return {
    ...view,
    // A native profile or an encoding. The worker replaces an unknown one by the first profile.
    nativeProfile: nativeProfile !== null && /^[a-z\d-]{1,40}$/.test(nativeProfile) ? nativeProfile : null,
    question: wordOf(QUESTIONS, question),
    pair:
      pair === undefined
        ? VIEW_FIELDS.pair.first
        : {
            by: wordOf(PAIR_STEPS, pair.by) ?? VIEW_FIELDS.pair.first.by,
            unit: wordOf(PAIR_UNITS, pair.unit) ?? VIEW_FIELDS.pair.first.unit,
            aligned: pair.aligned,
            after: pair.after.flatMap((id) => {
              const known = wordOf(STREAMS, id);
              return known === null || known === 'captured' ? [] : [known];
            }),
          },
    cause: wordOf(CAUSES, cause),
    table,
    panel: wordOf(PANELS, panel) ?? 'costs',
    messageForm: wordOf(MESSAGE_FORMS, messageForm) ?? 'bytes',
    paid: wordOf(STREAMS, paid),
    drawn: wordOf(DRAWN, drawn) ?? 'plain',
    // Links without a view of the encodings were made when zstd was the first compressor of all messages.
    matrix: matrix ?? { ...FIRST_MATRIX, by: 'zstd' },
  };
}

const wordOf = <W extends string>(words: Readonly<Record<W, unknown>>, word: string | null): W | null =>
  word !== null && Object.hasOwn(words, word) ? (word as W) : null;
