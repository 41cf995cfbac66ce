/** Changes one half of the state; fields that are not named stay. Each change fits the view to the open input. */
import type { SessionState } from './session-state.ts';
import { offerOf } from './shown-profile.ts';
import type { AppStore } from './store.ts';
import { type Selection, settleView, type ViewState } from './view-state.ts';

export interface StateChange {
  readonly session?: Partial<SessionState>;
  readonly view?: Partial<ViewState>;
}

export function settersOf(store: AppStore) {
  /** Changes both halves at once: an input together with its view. */
  const set = ({ session, view }: StateChange): void =>
    store.setState((state) => {
      const changed = {
        session: session ? { ...state.session, ...session } : state.session,
        view: view ? { ...state.view, ...view } : state.view,
      };
      return { ...changed, view: settleView(changed.view, offerOf(changed)) };
    });
  return {
    set,
    setSession: (session: Partial<SessionState>): void => set({ session }),
    setView: (view: Partial<ViewState>): void => set({ view }),
    setSelection: (change: Partial<Selection>): void =>
      set({ view: { selection: { ...store.getState().view.selection, ...change } } }),
  };
}
