/**
 * When the focused control disappears, moves the focus to the part of the page that held it, to the control that opened
 * its panel, or else to the main part. Keyboard and screen reader continue there.
 */
import { useEffect, useLayoutEffect, useRef } from 'react';
import type { Panel } from '#state/view-state.ts';

export const toggleId = (panel: Panel): string => `toggle-${panel}`;

/** Parts of the page that can take the focus: the nearest one around a control, first. */
const PARTS = 'section[aria-label], section[aria-labelledby], [data-view], dialog, main';

/** Takes the focus to the panel around an element, or else to the main part. */
export const focusPanelAround = (element: Element): void =>
  focusPart(element.closest('[data-view]') ?? document.querySelector('main'));

/** Takes the focus to a panel, as soon as it is there. */
export const focusPanel = (panel: Panel): void => focusSoon(`[data-view="${panel}"]`);

/** Selector of the part that takes the focus as soon as it is there. */
let awaited: string | null = null;

function focusSoon(selector: string): void {
  awaited = selector;
  focusAwaited();
}

function focusAwaited(): void {
  const part = awaited === null ? null : document.querySelector(awaited);
  if (part === null) return;
  awaited = null;
  focusPart(part);
}

/** It can take the focus as long as it has it, so that a click into it does not give it the focus. */
function focusPart(part: Element | null): void {
  if (!(part instanceof HTMLElement)) return;
  if (part.tabIndex < 0 && !part.hasAttribute('tabindex')) {
    part.tabIndex = -1;
    part.addEventListener('blur', () => part.removeAttribute('tabindex'), { once: true });
  }
  part.focus({ preventScroll: true });
}

/** @param view changes whenever another view is shown */
export function useKeptFocus(panel: Panel, view: string): void {
  const open = useRef(panel);
  const closed = useRef<Panel | null>(null);
  useLayoutEffect(() => {
    if (open.current !== panel) closed.current = open.current;
    open.current = panel;
  }, [panel]);
  const shown = useRef(view);
  useLayoutEffect(() => {
    // A page that was just opened keeps the focus at its top.
    if (shown.current === view) return;
    shown.current = view;
    if (document.activeElement === document.body) focusSoon('main');
  }, [view]);
  useEffect(() => {
    /** The focused element and its ancestors. */
    let around: readonly Element[] = [];
    const remember = (): void => {
      around = ancestorsOf(document.activeElement);
      closed.current = null;
      awaited = null;
    };
    const keep = (): void => {
      focusAwaited();
      const [own] = around;
      if (own === undefined || own.isConnected || document.activeElement !== document.body) return;
      const part = around.find((element) => element.isConnected && element.matches(PARTS));
      const toggle = closed.current && document.getElementById(toggleId(closed.current));
      const to = part ?? toggle;
      // A view that loads on demand has no main part yet.
      if (to === undefined || to === null) focusSoon('main');
      else focusPart(to);
    };
    const changes = new MutationObserver(keep);
    changes.observe(document.body, { childList: true, subtree: true });
    document.addEventListener('focusin', remember);
    return () => {
      changes.disconnect();
      document.removeEventListener('focusin', remember);
    };
  }, []);
}

function ancestorsOf(element: Element | null): readonly Element[] {
  const all: Element[] = [];
  for (let at = element; at !== null && at !== document.body; at = at.parentElement) all.push(at);
  return all;
}
