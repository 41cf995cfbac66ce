/** Chooses how messages are read: their type, and the native encoding that they are compared with. */
import { settersOf } from './setters.ts';
import { shownOrigin } from './shown-profile.ts';
import type { AppStore } from './store.ts';
import type { ViewState } from './view-state.ts';

/** @param addUp runs the analysis and all later stages again */
export function choiceActions(store: AppStore, addUp: () => Promise<void>) {
  const view = (): ViewState => store.getState().view;
  const { setView } = settersOf(store);

  return {
    /** Chooses the type of the shown messages of a capture. */
    chooseType(type: string | null): void {
      const chosen =
        store.getState().session.inputSummary?.kind === 'capture'
          ? { types: { ...view().types, ...typed(shownOrigin(store.getState())?.groups ?? [], type) } }
          : { type };
      setView({
        ...chosen,
        table: null,
        cause: null,
      });
      void addUp();
    },

    chooseNativeProfile(nativeProfile: string | null): void {
      // Choosing the format of the other side also shows the comparison.
      setView({ nativeProfile, question: 'native' });
      void addUp();
    },

    /** A field's native writer, in place of the one from the profile or the schema; null: that one. */
    chooseWriter(fullName: string, writer: string | null): void {
      const { [fullName]: _, ...others } = view().overrides;
      setView({ overrides: writer === null ? others : { ...others, [fullName]: writer }, question: 'native' });
      void addUp();
    },

    resetWriters(): void {
      setView({ overrides: {} });
      void addUp();
    },
  };
}

const typed = (groups: readonly string[], type: string | null): Readonly<Record<string, string | null>> =>
  Object.fromEntries(groups.map((group) => [group, type]));
