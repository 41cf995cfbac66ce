/** Whether there is room for panes side by side. Printing does not change the layout. */
import { useSyncExternalStore } from 'react';
import { isWide } from '#state/is-wide.ts';

const paper = matchMedia('print');

let isScreenWide = isWide();

function watch(changed: () => void): () => void {
  // A drawing that asked for the window's width would wait for the layout.
  const read = (): void => {
    if (!paper.matches) isScreenWide = isWide();
    changed();
  };
  addEventListener('resize', read);
  return () => removeEventListener('resize', read);
}

export const useWide = (): boolean => useSyncExternalStore(watch, () => isScreenWide);
