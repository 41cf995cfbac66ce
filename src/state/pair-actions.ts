/** A and B: the figures that are kept as A, and how they are compared with what is open, which is B. */
import { settersOf } from './setters.ts';
import { nameOfShown, shownProfile } from './shown-profile.ts';
import type { AppStore } from './store.ts';
import type { PairView } from './view-state.ts';

export function pairActions(store: AppStore) {
  const { set, setView } = settersOf(store);
  return {
    /** The shown input becomes A. @param index of another profile of the same analysis */
    keepBaseline(index?: number): void {
      const state = store.getState();
      const profile = index === undefined ? shownProfile(state) : state.session.analysis?.profiles[index];
      if (profile === undefined) return;
      set({ session: { baseline: { name: nameOfShown(state), profile } }, view: { question: 'another' } });
    },

    forgetBaseline: (): void => set({ session: { baseline: null } }),

    setPair: (change: Partial<PairView>): void => setView({ pair: { ...store.getState().view.pair, ...change } }),

    /** @param b path in B; null: it is B's no more by hand. */
    alignField(a: string, b: string | null): void {
      const { pair } = store.getState().view;
      const { [a]: _, ...others } = pair.aligned;
      setView({ pair: { ...pair, aligned: b === null ? others : { ...others, [a]: b } } });
    },
  };
}
