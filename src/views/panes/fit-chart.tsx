/**
 * Gives a chart the available width, and its text the size of the page's: with text of twice the usual size, the picture
 * is drawn for half of the width and shown twice as large.
 */
import type { ReactNode } from 'react';
import { FitWidth } from '#charts/fit-width.tsx';
import { usePrinting } from '#charts/use-printing.ts';
import { useTextScale } from './use-text-scale.ts';

/** The narrowest picture. In less room the text grows as far as this leaves it. */
const LEAST = 240;

export function FitChart({
  max,
  children,
}: {
  /** Pixels with text of the usual size. */
  readonly max: number;
  readonly children: (width: number, id: string) => ReactNode;
}): ReactNode {
  const text = useTextScale();
  const isPrinting = usePrinting();
  return (
    <FitWidth max={isPrinting ? max : max * text} min={LEAST}>
      {(width, id) => {
        const zoom = isPrinting ? 1 : Math.max(1, Math.min(text, width / LEAST));
        return <div style={{ zoom }}>{children(Math.floor(width / zoom), id)}</div>;
      }}
    </FitWidth>
  );
}
