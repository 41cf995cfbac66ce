/** Whether the page is being printed. A sheet has a fixed width, and nothing scrolls. */
import { useSyncExternalStore } from 'react';

/** Width of A4 and Letter in portrait, between the margins of browsers, in CSS pixels. */
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

/** Renders at once when it changes, because the browser lays out the sheets right after the event. */
export const usePrinting = (): boolean => useSyncExternalStore(watchPrinting, isPrinting, () => false);
