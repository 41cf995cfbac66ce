/** Texts of the input in quotes. Unseen characters are written out, so that a text cannot reorder what is around it. */

/**
 * Controls (C0, DEL, C1), bidirectional and invisible characters (Unicode TR 36 §2.10), and U+FFFE and U+FFFF, which XML
 * forbids as it does controls.
 */
export const UNSEEN =
  /[\p{Cc}\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\ufffe\uffff\u{e0000}-\u{e007f}]/gu;

/** `\u202e`, as JSON writes it: JSON on a terminal stays the same JSON. Each UTF-16 unit has an escape of its own. */
export const asEscape = (character: string): string =>
  character.replace(/./gs, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** As JSON writes it. */
export const quoted = (text: string): string => JSON.stringify(text).replace(UNSEEN, asEscape);
