/**
 * The one place that explains terms: an element that names its term (`data-term`) is explained at hover, focus and long
 * press. The term table is loaded on first use.
 */
import './explanations.css';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { loadPart } from '#state/load-part.ts';
import type { Term, TermName } from '#wording/terms.ts';
import { onTermKey } from './term-stops.ts';

/** Delay in ms of hover and long press. */
const REST = 350;
/** Within this many ms after a focus, the page scrolls its element into sight. */
const OWN_SCROLL = 300;
/** Delay in ms after which such scrolling has ended. */
const SETTLED = 60;
const WIDTH = 300;
const GAP = 6;

interface Shown {
  readonly term: Term;
  /** The element’s title, which the browser would show at hover alone; '': none. */
  readonly title: string;
  readonly x: number;
  readonly y: number;
  readonly isAbove: boolean;
}

const ID = 'explanation';

/** Above a dialog too. */
const onTop = (tooltip: HTMLElement | null): void => tooltip?.showPopover();

/** Adds the explanation to the descriptions of an element. Returns what takes it away again. */
function addDescription(element: Element): () => void {
  const before = element.getAttribute('aria-describedby');
  element.setAttribute('aria-describedby', before === null ? ID : `${before} ${ID}`);
  return () => {
    if (before === null) element.removeAttribute('aria-describedby');
    else element.setAttribute('aria-describedby', before);
  };
}

/** The explanation shows the title too: the browser's own would cover it. Returns what gives the title back. */
function takeTitle(element: Element | null): { readonly title: string; readonly giveBack: () => void } {
  const title = element?.getAttribute('title') ?? '';
  if (element === null || title === '') return { title: '', giveBack: () => {} };
  element.setAttribute('title', '');
  return { title, giveBack: () => element.getAttribute('title') === '' && element.setAttribute('title', title) };
}

/** The term of an element: its own, that of what it is in, or that of its label. */
const termAround = (element: Element): Element | null =>
  element.closest('[data-term]') ?? (element as Partial<HTMLInputElement>).labels?.[0]?.closest('[data-term]') ?? null;

export function Explanations(): ReactNode {
  const [shown, setShown] = useState<Shown | null>(null);
  const target = useRef<Element | null>(null);
  useEffect(() => {
    let waiting: ReturnType<typeof setTimeout> | undefined;
    /** Undoes what was changed on the page while the explanation is shown; null: none is. */
    let takeBack: (() => void) | null = null;
    /** The control whose focus shows it; null: a pointer does. */
    let focused: Element | null = null;
    let focusedAt = 0;
    const hide = (): void => {
      clearTimeout(waiting);
      takeBack?.();
      takeBack = null;
      target.current = null;
      focused = null;
      setShown(null);
    };
    const show = async (element: Element, described: Element, from: Element): Promise<void> => {
      // If the table cannot be loaded, the term stays unexplained; nothing else depends on it.
      const table = await loadPart(() => import('#wording/terms.ts')).catch(() => null);
      const term = table?.TERMS[element.getAttribute('data-term') as TermName];
      if (target.current !== element || term === undefined || !element.isConnected) return;
      const box = element.getBoundingClientRect();
      const isAbove = box.bottom + 90 > innerHeight;
      const undescribe = addDescription(described);
      const titled = from.closest('[title]') ?? element.querySelector('[title]');
      const { title, giveBack } = takeTitle(titled !== null && element.contains(titled) ? titled : null);
      takeBack = () => {
        undescribe();
        giveBack();
      };
      setShown({
        term,
        title,
        x: Math.max(GAP, Math.min(box.left, innerWidth - WIDTH - GAP)),
        y: isAbove ? box.top - GAP : box.bottom + GAP,
        isAbove,
      });
    };
    const ask = (event: Event, pause: number): void => {
      const element = event.target instanceof Element ? termAround(event.target) : null;
      if (element === target.current) return;
      hide();
      if (element === null) return;
      target.current = element;
      if (event.type === 'focusin') {
        focused = event.target as Element;
        focusedAt = event.timeStamp;
      }
      const described = focused ?? element;
      const from = event.target as Element;
      waiting = setTimeout(() => void show(element, described, from), pause);
    };
    /** The term that was pressed, as long as the pointer rests on it. */
    let pressed: Element | null = null;
    const onOver = (event: PointerEvent): void => {
      if (event.pointerType === 'touch') return;
      const term = event.target instanceof Element ? termAround(event.target) : null;
      if (term !== null && term === pressed) return;
      pressed = null;
      ask(event, REST);
    };
    const onDown = (event: PointerEvent): void => {
      if (event.pointerType === 'touch') {
        ask(event, REST);
        return;
      }
      hide();
      // The effect of a pressed control is to be seen: the explanation returns after the pointer has left the term.
      pressed = event.target instanceof Element ? termAround(event.target) : null;
    };
    // A place moves away from under its explanation; one that scrolls into sight as it gets the focus keeps it.
    const onScroll = (event: Event): void => {
      const [element, control, since] = [target.current, focused, focusedAt];
      hide();
      if (element === null || control === null || event.timeStamp - since > OWN_SCROLL) return;
      target.current = element;
      focused = control;
      waiting = setTimeout(() => void show(element, control, control), SETTLED);
    };
    // A tap is not a long press. A shown explanation stays until the next one.
    const onUp = (event: PointerEvent): void => {
      if (event.pointerType !== 'touch' || takeBack !== null) return;
      hide();
    };
    const onFocus = (event: FocusEvent): void => {
      if (event.target instanceof Element && event.target.matches(':focus-visible')) ask(event, 0);
    };
    // The end of a long press takes the focus from where it was.
    const onBlur = (event: FocusEvent): void => {
      if (event.target === focused) hide();
    };
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === 'Escape' && takeBack !== null) {
        event.preventDefault();
        hide();
      } else onTermKey(event);
    };
    addEventListener('pointerover', onOver);
    addEventListener('pointerdown', onDown);
    addEventListener('pointerup', onUp);
    addEventListener('focusin', onFocus);
    addEventListener('focusout', onBlur);
    addEventListener('keydown', onKey, true);
    addEventListener('scroll', onScroll, true);
    return () => {
      hide();
      removeEventListener('pointerover', onOver);
      removeEventListener('pointerdown', onDown);
      removeEventListener('pointerup', onUp);
      removeEventListener('focusin', onFocus);
      removeEventListener('focusout', onBlur);
      removeEventListener('keydown', onKey, true);
      removeEventListener('scroll', onScroll, true);
    };
  }, []);
  if (shown === null) return null;
  return (
    <aside aria-label="Explanation">
      <p
        ref={onTop}
        id={ID}
        role="tooltip"
        popover="manual"
        className="explanation"
        style={{ left: shown.x, top: shown.y, maxWidth: WIDTH, translate: shown.isAbove ? '0 -100%' : undefined }}
      >
        <strong>{shown.term.word}</strong> {shown.term.says}
        {shown.title !== '' && <span className="explanation-title">{shown.title}</span>}
      </p>
    </aside>
  );
}
