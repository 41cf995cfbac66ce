/**
 * Gives a chart the available width. Charts are drawn for a width in whole pixels, and drawn again when it changes, or
 * for printing.
 */
import './charts.css';
import { type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react';
import { SHEET_WIDTH, usePrinting } from './use-printing.ts';

export function FitWidth({
  min = 240,
  max = 1200,
  ofSheet = 1,
  children,
}: {
  readonly min?: number;
  readonly max?: number;
  /** The part of a sheet's width that it has on paper. */
  readonly ofSheet?: number;
  /** `id`: one that no other chart of the page has. */
  readonly children: (width: number, id: string) => ReactNode;
}): ReactNode {
  const id = useId();
  const ref = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState<number | null>(null);
  const isPrinting = usePrinting();
  useLayoutEffect(() => {
    const element = ref.current;
    if (element === null) return;
    const setFitted = (pixels: number): void => setWidth(Math.min(max, Math.max(min, Math.floor(pixels))));
    // Before the first paint, so that the content below does not move.
    setFitted(element.clientWidth);
    // Without a question to the page, which would lay it out once more for each chart.
    const observer = new ResizeObserver((sizes) => setFitted(sizes.at(-1)!.contentRect.width));
    observer.observe(element);
    return () => observer.disconnect();
  }, [min, max]);
  return (
    <div ref={ref} className="fit-width">
      {width === null
        ? null
        : children(isPrinting ? Math.min(max, Math.max(min, Math.floor(SHEET_WIDTH * ofSheet))) : width, id)}
    </div>
  );
}
