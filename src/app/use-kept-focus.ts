/**
 * Where a control goes away with the view around it, the focus goes to what came instead, so that a keyboard goes on
 * there and a screen reader says where it is: to the control that opened the panel, else to the main part.
 */
import { useEffect, useRef } from 'react';
import type { Panel } from '#state/view-state.ts';

export const toggleId = (panel: Panel): string => `toggle-${panel}`;

/** @param view changes whenever another view stands there */
export function useKeptFocus(panel: Panel, view: string): void {
  const before = useRef<{ readonly panel: Panel; readonly view: string } | null>(null);
  useEffect(() => {
    const last = before.current;
    before.current = { panel, view };
    // A page that just opened begins at its top.
    if (last === null || (last.panel === panel && last.view === view)) return;
    if (document.activeElement !== document.body) return;
    const toggle = last.panel === panel ? null : document.getElementById(toggleId(last.panel));
    (toggle ?? document.querySelector<HTMLElement>('main'))?.focus({ preventScroll: true });
  }, [panel, view]);
}
