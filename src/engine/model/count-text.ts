/** A count or a size in a sentence: `1,234,567`. */
export const countText = (count: number): string => count.toLocaleString('en');
