/** Whether there is room for panes side by side; otherwise one panel shows at a time. */
export const WIDE = '(min-width: 900px)';

/** Outside a browser there is room. */
export const isWide = (): boolean => globalThis.matchMedia?.(WIDE).matches ?? true;
