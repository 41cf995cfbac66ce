/** The names of a field path; the name of an extension has dots of its own: `a.[x.y].b`. */
const namesIn = (path: string): readonly string[] => path.match(/\[[^\]]*\]|[^.]+/g) ?? [path];

/** The last two names of a path, which distinguish fields. @param mark replaces the omitted names */
export function pathTail(path: string, mark = ''): string {
  const names = namesIn(path);
  return names.length <= 2 ? path : `${mark}${names.slice(-2).join('.')}`;
}

/** Characters in the width of a Latin letter: those of East Asian scripts, and pictures, are two wide. */
export const placesIn = (text: string): number =>
  [...text].reduce((places, character) => places + (character < '\u2e80' ? 1 : 2), 0);

/** The least room for two characters of a beginning that is cut, and for one of the end. */
const BOTH = 5;

/**
 * The beginning of a text, with an ellipsis if it is cut.
 *
 * @param places the room for it
 * @param shared characters at its beginning that other texts have as well: they are cut first
 */
export function shorten(text: string, places: number, shared = 0): string {
  if (placesIn(text) <= places) return text;
  if (shared > 0 && places >= BOTH) {
    const end = text.slice(shared);
    const start = shorten(text.slice(0, shared), Math.max(3, Math.floor(places) - placesIn(end)));
    return start + shorten(end, places - placesIn(start));
  }
  let shown = '';
  for (const character of text) {
    if (shown !== '' && placesIn(shown + character) > places - 1) break;
    shown += character;
  }
  return `${shown}…`;
}

const backwards = (text: string): string => [...text].reverse().join('');

/** The end of a path, because paths differ at their end. Other texts are read from their beginning. */
export const shortenPath = (path: string, places: number): string =>
  path.includes('.') ? backwards(shorten(backwards(path), places)) : shorten(path, places);
