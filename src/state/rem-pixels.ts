/** Pixels of a rem: the size of the text, which a person enlarges in the browser or by a style of their own. */
export const remPixels = (): number => parseFloat(getComputedStyle(document.documentElement).fontSize);
