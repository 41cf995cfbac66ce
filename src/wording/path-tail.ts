/** The names of a field path; the name of an extension has dots of its own: `a.[x.y].b`. */
const namesIn = (path: string): readonly string[] => path.match(/\[[^\]]*\]|[^.]+/g) ?? [path];

/** The last two names of a path, which distinguish fields. @param mark replaces the omitted names */
export function pathTail(path: string, mark = ''): string {
  const names = namesIn(path);
  return names.length <= 2 ? path : `${mark}${names.slice(-2).join('.')}`;
}

/** The beginning of a text, with an ellipsis if it is cut. */
export const shorten = (text: string, characters: number): string =>
  text.length <= characters ? text : `${text.slice(0, Math.max(1, Math.floor(characters) - 1))}…`;
