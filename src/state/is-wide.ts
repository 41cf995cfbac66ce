/** Whether there is room for panes side by side; otherwise one panel shows at a time. Larger text needs more. */
export const WIDE = '(min-width: 56.25em)';

/** Outside a browser there is room. */
export const isWide = (): boolean => globalThis.matchMedia?.(WIDE).matches ?? true;
