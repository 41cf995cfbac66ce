/**
 * Draws its children a little after their surroundings. Everything that is drawn at once is styled, laid out and
 * painted as one piece of work, during which the page does not respond. Drawn one after the other, each piece is short.
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
