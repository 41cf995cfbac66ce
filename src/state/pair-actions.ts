/** A and B: the figures that are kept as A, and how they are compared with what is open, which is B. */
import { shortNameOf } from '#engine/schema/names.ts';
import type { Client } from '#worker/connect.ts';
import type { NamedFile } from './opening/dropped-folder.ts';
import type { KeptSide, MessageScope, SchemaFile } from './session-state.ts';
import { settersOf } from './setters.ts';
import {
  capturedSize,
  formatOf,
  nameOfShown,
  shownIndex,
  shownMessages,
  shownOrigin,
  shownProfile,
} from './shown-profile.ts';
import type { AppState, AppStore } from './store.ts';
import { NO_SCOPE, type PairView } from './view-state.ts';

interface Needs {
  readonly client: Client;
  /** Reads the open input again, in the same way. */
  readonly read: () => Promise<void>;
  readonly addUp: () => Promise<void>;
  /** Reads the open messages with these files in place of those of their paths. */
  readonly readWith: (files: readonly SchemaFile[]) => Promise<void>;
}

export function pairActions(store: AppStore, { client, read, addUp, readWith }: Needs) {
  const { set, setView } = settersOf(store);
  /** The worker keeps the open input as A, so that A can be measured beside B. */
  const keepSide = (isKept: boolean): void => void client.call('keepSide', { isKept });
  /** The shown input becomes A. @param index of another profile of the same analysis */
  const keepBaseline = (index: number = shownIndex(store.getState())): void => {
    const baseline = baselineOf(store.getState(), index);
    if (baseline === null) return;
    keepSide(baseline.from !== undefined);
    set({ session: { baseline }, view: { question: 'another' } });
  };
  return {
    keepBaseline,

    /** Makes the shown input A, and another selection of it B. */
    async compareWith(selection: Partial<Pick<MessageScope, 'groups' | 'ordinals'>>): Promise<void> {
      keepBaseline();
      setView({ scope: { ...NO_SCOPE, ...selection }, shown: null, table: null, root: null, cause: null });
      await addUp();
    },

    /** Compares two versions of the schema on the same messages: A with the open schema, B with these files. */
    async compareSchemas(files: readonly NamedFile[]): Promise<void> {
      const state = store.getState();
      const baseline = baselineOf(state, shownIndex(state));
      if (baseline === null) return;
      const loaded = state.session.schemaFiles.map(({ path }) => path);
      const second = await Promise.all(
        files.map(async ({ path, file }) => ({
          path: pathAmong(loaded, path),
          content: path.endsWith('.proto') ? await file.text() : file,
        })),
      );
      // B's schema would be applied to A's messages, so only A's figures are kept.
      const { name, profile } = baseline;
      keepSide(false);
      set({ session: { baseline: { name: `${name}, schema before`, profile } }, view: { question: 'another' } });
      await readWith(second);
    },

    /** A new worker has no A; only the open input can become A again. */
    keepSideAgain(): void {
      const { baseline, input } = store.getState().session;
      if (!baseline?.from || baseline.from.input.data !== input?.data) return;
      keepSide(true);
      // A may have been asked for before.
      const bits = Object.fromEntries(Object.entries(baseline.bits ?? {}).filter(([, known]) => known !== null));
      set({ session: { baseline: { ...baseline, bits } } });
    },

    forgetBaseline(): void {
      keepSide(false);
      set({ session: { baseline: null } });
    },

    /** A and B change places: B becomes A, and A's messages are shown. */
    async swapPair(): Promise<void> {
      const state = store.getState();
      const { baseline, input } = state.session;
      const next = baselineOf(state, shownIndex(state));
      if (!baseline?.from || next === null) return;
      const { input: other, scope, shown, sharedFrom } = baseline.from;
      const { pair } = state.view;
      const aligned = Object.fromEntries(Object.entries(pair.aligned).map(([a, b]) => [b, a]));
      const isSame = other.data === input?.data;
      keepSide(true);
      set({
        session: {
          baseline: next,
          ...(isSame
            ? {}
            : { input: other, sharedFrom, inputSummary: null, analysis: null, inspection: null, kept: null }),
        },
        view: {
          type: baseline.profile.type || null,
          scope,
          shown,
          question: 'another',
          pair: { ...pair, aligned },
          table: null,
          root: null,
          cause: null,
        },
      });
      await (isSame ? addUp() : read());
    },

    setPair: (change: Partial<PairView>): void => setView({ pair: { ...store.getState().view.pair, ...change } }),

    /** @param b path in B; null: removes the pair that the user made. */
    alignField(a: string, b: string | null): void {
      const { pair } = store.getState().view;
      const { [a]: _, ...others } = pair.aligned;
      setView({ pair: { ...pair, aligned: b === null ? others : { ...others, [a]: b } } });
    },
  };
}

/** The path of the one loaded file of that name; otherwise its own. */
function pathAmong(loaded: readonly string[], path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const alike = loaded.filter((one) => one === path || one === name || one.endsWith(`/${name}`));
  return alike.length === 1 ? alike[0]! : path;
}

/** A profile of the open input, and where its messages can be read again. */
function baselineOf(state: AppState, index: number): KeptSide | null {
  const { input, analysis, sharedFrom } = state.session;
  const profile = analysis?.profiles[index] ?? shownProfile(state);
  if (profile === undefined) return null;
  const type = shortNameOf(profile.type);
  const isShown = index === shownIndex(state);
  const name = isShown ? nameOfShown(state) : `${input?.name ?? ''}, ${type}`;
  const origin = isShown ? shownOrigin(state) : analysis?.origins[index];
  const shown = origin?.groups[0] ?? null;
  const bits = sharedFrom?.pairBits ?? {};
  const captured = capturedSize(state, index);
  const figures = {
    ...{ name, profile },
    ...(captured !== null && { captured }),
    ...(Object.keys(bits).length > 0 && { bits }),
  };
  if (!input?.data) return figures;
  const measured = { ...shownMessages(state), shown: profile.type, ...formatOf(state, origin) };
  return { ...figures, from: { input, scope: state.view.scope, shown, sharedFrom, measured } };
}
