/**
 * Draws its children a little after their surroundings. The browser styles, lays out and paints everything that is
 * drawn at once in one task, and the page does not respond meanwhile. Drawn one after the other, each task is short.
 */
import { type ReactNode, useEffect, useState } from 'react';

const FRAME = 16;

export function InTurn({
  after,
  children,
}: {
  /** Frames to wait. */
  readonly after: number;
  readonly children: ReactNode;
}): ReactNode {
  const [isDue, setDue] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setDue(true), after * FRAME);
    return () => clearTimeout(timer);
  }, [after]);
  return isDue ? children : null;
}
