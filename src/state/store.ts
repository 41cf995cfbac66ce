/** The page's state: one store, two halves, split by what a link carries and what it does not. */
import { createStore, type StoreApi } from 'zustand/vanilla';
import { INITIAL_SESSION, type SessionState } from './session-state.ts';
import { initialView, type ViewState } from './view-state.ts';

export interface AppState {
  readonly view: ViewState;
  readonly session: SessionState;
}

export type AppStore = StoreApi<AppState>;

export const createAppStore = (): AppStore =>
  createStore<AppState>(() => ({ view: initialView(), session: INITIAL_SESSION }));
