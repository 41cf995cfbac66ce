/**
 * Whether there is room for panes side by side; otherwise one panel shows at a time. Larger text needs more, also if a
 * style of the person's own enlarges it, which no query of the window's width follows.
 */
import { remPixels } from './rem-pixels.ts';

const LEAST = 56.25;

/** Outside a browser there is room. */
export const isWide = (): boolean => globalThis.document === undefined || innerWidth >= LEAST * remPixels();
