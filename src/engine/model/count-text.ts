/**
 * Numbers in sentences, as English writes them. The first use of Intl takes a fifth of the page's first task, to read
 * the rules of all languages.
 */

const SEPARATED = /(?<!\.\d*)\B(?=(?:\d{3})+(?!\d))/g;

/** The digits of a number → with thousands separators before the point. */
export const grouped = (digits: string): string => digits.replace(SEPARATED, ',');

/** A count or a size: `1,234,567`. */
export const countText = (count: number): string => grouped(String(count));

/** `1 message`, `1,740 messages` */
export const plural = (count: number, one: string): string => `${countText(count)} ${one}${count === 1 ? '' : 's'}`;
