/** Whether there is room for panes side by side. Printing does not change the layout. */
import { useSyncExternalStore } from 'react';
import { isWide } from '#state/is-wide.ts';

const paper = matchMedia('print');

let isScreenWide = isWide();

function watch(changed: () => void): () => void {
  addEventListener('resize', changed);
  return () => removeEventListener('resize', changed);
}

function read(): boolean {
  if (!paper.matches) isScreenWide = isWide();
  return isScreenWide;
}

export const useWide = (): boolean => useSyncExternalStore(watch, read);
