/** Whether there is room for panes side by side. Printing does not change the layout. */
import { useSyncExternalStore } from 'react';

const screen = matchMedia('(min-width: 900px)');
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
