/**
 * The open input in the browser's history. Each user action is one entry; its consequences change that entry. Back and
 * Forward show the entry's view, and open its input again if another one is open.
 */
import type { Actions } from '../actions.ts';
import type { OpenInput } from '../session-state.ts';
import type { AppState, AppStore } from '../store.ts';
import type { ViewState } from '../view-state.ts';
import { readPlace, withView } from './local-place.ts';
import { parsePlace, schemaLinkIn, withSchemaLink } from './place.ts';
import { schemaLinkOf } from './schema-link.ts';
import { readView } from './shared-view.ts';

/** The browser's address bar and history. */
export interface AddressBar {
  /** With its `#`, or empty. */
  readonly fragment: () => string;
  readonly entry: () => unknown;
  readonly push: (entry: HistoryEntry, fragment: string) => void;
  readonly replace: (entry: HistoryEntry, fragment: string) => void;
}

export interface HistoryEntry {
  readonly view: ViewState;
  /** The input that is open while a page of the explorer is shown. */
  readonly place: string;
  readonly reading?: Reading;
}

/** How the open input is read, where the user chose it. */
type Reading = Pick<OpenInput, 'textEncoding' | 'framing' | 'steps'>;
const readingOf = ({ textEncoding, framing, steps }: OpenInput): Reading => ({ textEncoding, framing, steps });

/** The actions that Back undoes. */
const STEPS: { readonly [A in keyof Actions]?: true } = {
  selectPath: true,
  selectRow: true,
  selectMessage: true,
  selectSpan: true,
  selectCause: true,
  chooseQuestion: true,
  zoomInto: true,
  keepBaseline: true,
  compareWith: true,
  compareSchemas: true,
  setPair: true,
  alignField: true,
  showPanel: true,
  showProfile: true,
  chooseGroups: true,
  chooseMessages: true,
  chooseAllMessages: true,
  filterMessages: true,
  chooseType: true,
  overruleReading: true,
  chooseNativeProfile: true,
  chooseWriter: true,
  resetWriters: true,
  tryChanges: true,
  tryOnField: true,
  rankAdviceBy: true,
  setPaid: true,
  setMatrix: true,
  goBack: true,
};

/**
 * Milliseconds: repeated steps within this time, as of a held key, make one entry; also the time between changes of an
 * entry.
 */
const ONE_STEP = 600;
const PAUSE = 300;

const isSame = (a: Reading, b: Reading): boolean => JSON.stringify(a) === JSON.stringify(b);

/** The actions, wrapped so that each step enters the history; and `walk`, which handles a changed address. */
export function withHistory(store: AppStore, actions: Actions, bar: AddressBar): Actions & { walk(): Promise<void> } {
  let step: keyof Actions | null = null;
  let last = { step: null as keyof Actions | null, at: 0 };
  let pausing: ReturnType<typeof setTimeout> | undefined;
  let walks = 0;
  let isWalking = false;
  /** null: nothing was open yet, or the address belongs to another input. */
  let entered: string | null = null;

  const entryOf = ({ view, session: { input } }: AppState): HistoryEntry =>
    input === null ? { view, place: '' } : { view, place: input.place, reading: readingOf(input) };
  const write = (how: 'push' | 'replace', state: AppState, isOpened = false): void => {
    clearTimeout(pausing);
    pausing = undefined;
    const place = state.session.input?.place ?? '';
    entered = place;
    // A page of the explorer keeps its address, and the open input stays open. An input that is opened there is shown.
    const isKept = parsePlace(bar.fragment()) !== null && !isOpened;
    const fragment = isKept ? bar.fragment() : place && withView(place, state.view);
    try {
      bar[how](entryOf(state), fragment);
    } catch {
      // Browsers limit how often the address changes: the next change says the same.
    }
  };

  store.subscribe((state, before) => {
    const { input, job, consent, failure } = state.session;
    const isBetween = input === null && (job !== null || consent !== null || failure !== null);
    if (isWalking || isBetween) return;
    const isOther = (input?.place ?? '') !== entered;
    if (!isOther && state.view === before.view) return;
    const isCopy = input !== null && before.session.input !== null && input.data === before.session.input.data;
    const isStep = step !== null && !(step === last.step && Date.now() - last.at < ONE_STEP);
    if ((isOther && !isCopy) || isStep) {
      // The entry that is left keeps its last view.
      if (pausing !== undefined && !isOther) write('replace', before);
      const isOpened = isOther && !isCopy && input !== null;
      write(parsePlace(bar.fragment()) && !isOpened ? 'replace' : 'push', state, isOpened);
    } else {
      pausing ??= setTimeout(() => write('replace', store.getState()), PAUSE);
    }
    if (step !== null) last = { step, at: Date.now() };
    step = null;
  });

  async function walk(): Promise<void> {
    const fragment = bar.fragment();
    const walkNumber = ++walks;
    isWalking = false;
    clearTimeout(pausing);
    pausing = undefined;
    const open = store.getState().session.input?.place ?? '';
    const held = bar.entry() as Partial<HistoryEntry> | null;
    const isExplorer = parsePlace(fragment) !== null;
    const link = schemaLinkIn(fragment);
    if (link !== null) return actions.openSchemaLink(link);
    // Its other pages keep the schema in their addresses.
    const carried = isExplorer ? schemaLinkOf(store.getState().session) : null;
    if (carried !== null) return bar.replace(entryOf(store.getState()), withSchemaLink(fragment, carried));
    // A link of the page left the explorer; it has no entry.
    if (fragment === '' && held === null && open !== '') return write('replace', store.getState());
    const wanted = isExplorer ? (held?.place ?? open) : readPlace(fragment).place;
    // At once: other changes before the address is read, such as the schema of the last visit, are not steps.
    isWalking = true;
    try {
      const view = held?.view === undefined ? null : await readView(held.view);
      if (walkNumber !== walks) return;
      if (wanted !== open) await actions.openPlace(isExplorer ? wanted : fragment, view);
      // The browser keeps the input as it was read last.
      const { input } = store.getState().session;
      const isReadOtherwise =
        input?.place === wanted && held?.reading !== undefined && !isSame(held.reading, readingOf(input));
      if (isReadOtherwise && walkNumber === walks) await actions.overruleReading(held.reading);
      if ((wanted === open || isReadOtherwise) && view !== null && !isExplorer) await actions.showView(view);
    } finally {
      if (walkNumber === walks) {
        isWalking = false;
        const now = store.getState();
        // If an input cannot be opened, its address stays.
        if ((now.session.input?.place ?? '') === wanted) write('replace', now);
      }
    }
  }

  const stepping = Object.fromEntries(
    (Object.keys(STEPS) as (keyof Actions)[]).map((name) => [
      name,
      (...given: readonly unknown[]): unknown => {
        step = name;
        try {
          return (actions[name] as (...given: readonly unknown[]) => unknown)(...given);
        } finally {
          step = null;
        }
      },
    ]),
  );
  return { ...actions, ...(stepping as Partial<Actions>), walk };
}
