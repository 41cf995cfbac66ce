/**
 * When the focused control disappears with its view, moves the focus to the control that opened the panel, or else to
 * the main part. Keyboard and screen reader continue there.
 */
import { useEffect, useRef } from 'react';
import type { Panel } from '#state/view-state.ts';

export const toggleId = (panel: Panel): string => `toggle-${panel}`;

/** @param view changes whenever another view is shown */
export function useKeptFocus(panel: Panel, view: string): void {
  const before = useRef<{ readonly panel: Panel; readonly view: string } | null>(null);
  useEffect(() => {
    const last = before.current;
    before.current = { panel, view };
    // A page that was just opened keeps the focus at its top.
    if (last === null || (last.panel === panel && last.view === view)) return;
    const toggle = last.panel === panel ? null : document.getElementById(toggleId(last.panel));
    let frame = 0;
    // A view that loads on demand has no main part yet.
    const move = (): void => {
      if (document.activeElement !== document.body) return;
      const to = toggle ?? document.querySelector<HTMLElement>('main');
      if (to === null) frame = requestAnimationFrame(move);
      else to.focus({ preventScroll: true });
    };
    move();
    return () => cancelAnimationFrame(frame);
  }, [panel, view]);
}
