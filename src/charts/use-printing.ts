/** Whether the page is being put on paper, where there is the width of a sheet and nothing scrolls. */
import { useSyncExternalStore } from 'react';

/** Width of A4 and Letter between the margins that browsers leave, upright, in CSS pixels. */
export const SHEET_WIDTH = 700;

const paper = globalThis.matchMedia?.('print');
let isAnnounced = false;

function watchPrinting(changed: () => void): () => void {
  const begin = (): void => {
    isAnnounced = true;
    changed();
  };
  const end = (): void => {
    isAnnounced = false;
    changed();
  };
  addEventListener('beforeprint', begin);
  addEventListener('afterprint', end);
  paper?.addEventListener('change', changed);
  return () => {
    removeEventListener('beforeprint', begin);
    removeEventListener('afterprint', end);
    paper?.removeEventListener('change', changed);
  };
}

const isPrinting = (): boolean => isAnnounced || paper?.matches === true;

/** Drawn at once when it changes: the browser lays the sheets out as soon as it has announced them. */
export const usePrinting = (): boolean => useSyncExternalStore(watchPrinting, isPrinting, () => false);
