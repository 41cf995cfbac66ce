/**
 * Terms as stops of the Tab key, so that each can be explained at focus: one stop in a table or list of terms, and arrow
 * keys between its terms. They are arranged when Tab is pressed, just before they are needed.
 */

const GROUP = 'table, dl, ul, ol, [role="grid"], [role="treegrid"], [data-terms]';
/** The group of a term that is in no table or list. */
const AROUND = ['section', 'aside', 'article', 'dialog', '[role="tabpanel"]', 'main', 'body'].join();
const CONTROL = ['a[href]', 'button', 'input', 'select', 'textarea', 'summary', '[role="button"]'].join();
/** Buttons in the heads of a table are one stop too. */
const HEADS = 'thead, [role="columnheader"], [data-terms]';

/** The element that takes the focus for a term; null: a control in it or around it does. */
function stopOf(term: Element): HTMLElement | null {
  const control = term.matches(CONTROL) ? term : term.querySelector(CONTROL);
  const stop = control ?? term;
  if (!(stop instanceof HTMLElement) || !stop.checkVisibility()) return null;
  if (control !== null) return control.closest(HEADS) === null ? null : stop;
  return stop.closest(`${CONTROL}, label, legend, [aria-hidden="true"]`) === null ? stop : null;
}

function groupsOfStops(): ReadonlyMap<Element, readonly HTMLElement[]> {
  const groups = new Map<Element, HTMLElement[]>();
  for (const term of document.querySelectorAll('[data-term]')) {
    const stop = stopOf(term);
    if (stop === null) continue;
    const group = stop.closest(GROUP) ?? stop.closest(AROUND)!;
    const known = groups.get(group);
    if (known) known.push(stop);
    else groups.set(group, [stop]);
  }
  return groups;
}

const isStop = (element: Element): element is HTMLElement => element.hasAttribute('data-stop');

/** Tab stops at the term of each group where it stopped before, or at the first. */
function arrange(stops: readonly HTMLElement[], at = stops.find((one) => isStop(one) && one.tabIndex === 0)): void {
  for (const stop of stops) {
    stop.tabIndex = stop === (at ?? stops[0]) ? 0 : -1;
    stop.setAttribute('data-stop', '');
  }
}

/** Where an arrow key leads from one of the terms. */
function next(key: string, at: number, last: number): number | null {
  if (key === 'ArrowRight' || key === 'ArrowDown') return Math.min(at + 1, last);
  if (key === 'ArrowLeft' || key === 'ArrowUp') return Math.max(at - 1, 0);
  if (key === 'Home') return 0;
  return key === 'End' ? last : null;
}

/** Handles Tab before focus moves, and arrow keys on a term. */
export function onTermKey(event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === 'Tab') {
    for (const stops of groupsOfStops().values()) arrange(stops);
    return;
  }
  if (!(event.target instanceof Element) || !isStop(event.target)) return;
  const stops = [...groupsOfStops().values()].find((group) => group.includes(event.target as HTMLElement));
  const at = stops?.indexOf(event.target) ?? -1;
  const to = stops && next(event.key, at, stops.length - 1);
  if (!stops || to == null) return;
  event.preventDefault();
  event.stopPropagation();
  arrange(stops, stops[to]);
  stops[to]!.focus();
}
