/** A React context with the store and the actions. */
import { createContext, type ReactNode, useContext } from 'react';
import { useStore } from 'zustand';
import type { Actions } from './actions.ts';
import type { AppState, AppStore } from './store.ts';

const Context = createContext<{ readonly store: AppStore; readonly actions: Actions } | null>(null);

export const AppContext = ({
  store,
  actions,
  children,
}: {
  readonly store: AppStore;
  readonly actions: Actions;
  readonly children: ReactNode;
}): ReactNode => <Context value={{ store, actions }}>{children}</Context>;

function useAppContext() {
  const context = useContext(Context);
  if (!context) throw new Error('No AppContext above this component.');
  return context;
}

/** `select` must return the same value for the same state, or every change renders. */
export const useApp = <T,>(select: (state: AppState) => T): T => useStore(useAppContext().store, select);

export const useActions = (): Actions => useAppContext().actions;
