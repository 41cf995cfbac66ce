/**
 * The one place that explains terms: an element that names its term (`data-term`) is explained at hover, focus and long
 * press. The term table is loaded on first use.
 */
import './explanations.css';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { loadPart } from '#state/load-part.ts';
import type { Term, TermName } from '#wording/terms.ts';

/** Delay in ms of hover and long press. */
const REST = 350;
const WIDTH = 300;
const GAP = 6;

interface Shown {
  readonly term: Term;
  readonly x: number;
  readonly y: number;
  readonly isAbove: boolean;
}

const ID = 'explanation';

export function Explanations(): ReactNode {
  const [shown, setShown] = useState<Shown | null>(null);
  const target = useRef<Element | null>(null);
  useEffect(() => {
    let waiting: ReturnType<typeof setTimeout> | undefined;
    const hide = (): void => {
      clearTimeout(waiting);
      target.current?.removeAttribute('aria-describedby');
      target.current = null;
      setShown(null);
    };
    const show = async (element: Element): Promise<void> => {
      // If the table cannot be loaded, the term stays unexplained; nothing else depends on it.
      const table = await loadPart(() => import('#wording/terms.ts')).catch(() => null);
      const term = table?.TERMS[element.getAttribute('data-term') as TermName];
      if (target.current !== element || term === undefined || !element.isConnected) return;
      const box = element.getBoundingClientRect();
      const isAbove = box.bottom + 90 > innerHeight;
      element.setAttribute('aria-describedby', ID);
      setShown({
        term,
        x: Math.max(GAP, Math.min(box.left, innerWidth - WIDTH - GAP)),
        y: isAbove ? box.top - GAP : box.bottom + GAP,
        isAbove,
      });
    };
    const ask = (event: Event, pause: number): void => {
      const element = event.target instanceof Element ? event.target.closest('[data-term]') : null;
      if (element === target.current) return;
      hide();
      if (element === null) return;
      target.current = element;
      waiting = setTimeout(() => void show(element), pause);
    };
    const onOver = (event: PointerEvent): void => {
      if (event.pointerType !== 'touch') ask(event, REST);
    };
    const onDown = (event: PointerEvent): void => {
      if (event.pointerType === 'touch') ask(event, REST);
      else hide();
    };
    // A tap is not a long press. A shown explanation stays until the next one.
    const onUp = (event: PointerEvent): void => {
      if (event.pointerType !== 'touch' || target.current?.hasAttribute('aria-describedby')) return;
      hide();
    };
    const onFocus = (event: FocusEvent): void => {
      if (event.target instanceof Element && event.target.matches(':focus-visible')) ask(event, 0);
    };
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') hide();
    };
    addEventListener('pointerover', onOver);
    addEventListener('pointerdown', onDown);
    addEventListener('pointerup', onUp);
    addEventListener('focusin', onFocus);
    addEventListener('focusout', hide);
    addEventListener('keydown', onKey);
    addEventListener('scroll', hide, true);
    return () => {
      hide();
      removeEventListener('pointerover', onOver);
      removeEventListener('pointerdown', onDown);
      removeEventListener('pointerup', onUp);
      removeEventListener('focusin', onFocus);
      removeEventListener('focusout', hide);
      removeEventListener('keydown', onKey);
      removeEventListener('scroll', hide, true);
    };
  }, []);
  if (shown === null) return null;
  return (
    <aside aria-label="Explanation">
      <p
        id={ID}
        role="tooltip"
        className="explanation"
        style={{ left: shown.x, top: shown.y, maxWidth: WIDTH, translate: shown.isAbove ? '0 -100%' : undefined }}
      >
        <strong>{shown.term.word}</strong> {shown.term.says}
      </p>
    </aside>
  );
}
