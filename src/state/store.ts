/** The page's state: one store, two halves, split by what a link carries and what it does not. */
import { createStore, type StoreApi } from 'zustand/vanilla';
import { INITIAL_SESSION, type SessionState } from './session-state.ts';
import { initialView, type Selection, type ViewState } from './view-state.ts';

export interface AppState {
  readonly view: ViewState;
  readonly session: SessionState;
}

export type AppStore = StoreApi<AppState>;

export const createAppStore = (nativeProfile: string): AppStore =>
  createStore<AppState>(() => ({ view: initialView(nativeProfile), session: INITIAL_SESSION }));

/** Changes of either half; what is not named stays. */
export const settersOf = (store: AppStore) => ({
  setSession: (change: Partial<SessionState>): void =>
    store.setState((state) => ({ session: { ...state.session, ...change } })),
  setView: (change: Partial<ViewState>): void => store.setState((state) => ({ view: { ...state.view, ...change } })),
  setSelection: (change: Partial<Selection>): void =>
    store.setState(({ session, view }) => ({
      session,
      view: { ...view, selection: { ...view.selection, ...change } },
    })),
});
