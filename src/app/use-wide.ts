/** Whether there is room for panes side by side. Printing does not change the layout. */
import { useSyncExternalStore } from 'react';
import { WIDE } from '#state/is-wide.ts';

const screen = matchMedia(WIDE);
const paper = matchMedia('print');

let isWide = screen.matches;

function watch(changed: () => void): () => void {
  screen.addEventListener('change', changed);
  return () => screen.removeEventListener('change', changed);
}

function read(): boolean {
  if (!paper.matches) isWide = screen.matches;
  return isWide;
}

export const useWide = (): boolean => useSyncExternalStore(watch, read);
