/** The path of a missing file → the loaded files that it may mean, by the folders at the end of both paths. */

/** The number of similar files that are offered. */
const OFFERED = 8;

/** The most similar first: most letters in common with the path, counted from its end. */
export function filesAlike(path: string, files: readonly string[]): readonly string[] {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const same = files.filter((file) => file === name || file.endsWith(`/${name}`));
  return same.sort((a, b) => inCommon(path, b) - inCommon(path, a)).slice(0, OFFERED);
}

function inCommon(a: string, b: string): number {
  let count = 0;
  while (count < Math.min(a.length, b.length) && a.at(-1 - count) === b.at(-1 - count)) count++;
  return count;
}

export interface LikelyRoot {
  readonly root: string;
  /** The file that the import would find. */
  readonly file: string;
}

/**
 * The folder that an import leaves out or names differently: `github.com/it/api/a.proto` may mean
 * `it-main/api/a.proto`, below `it-main`. undefined: no file, or several, end with the same folder and name, or the folder
 * is one within a tree that does not import it: `it-main/config/api/a.proto` is a file of its own.
 */
export function likelyRoot(
  path: string,
  files: readonly string[],
  importers: readonly string[],
): LikelyRoot | undefined {
  const [file, other] = filesAlike(path, files);
  if (file === undefined) return undefined;
  const steps = stepsInCommon(path, file);
  if (steps < 2 || (other !== undefined && stepsInCommon(path, other) === steps)) return undefined;
  const root = file.split('/').slice(0, -steps).join('/');
  const isOffered = !root.includes('/') || importers.some((importer) => importer.startsWith(`${root}/`));
  return root === '' || !isOffered ? undefined : { root, file };
}

function stepsInCommon(a: string, b: string): number {
  const [from, to] = [a.split('/'), b.split('/')];
  let count = 0;
  while (count < Math.min(from.length, to.length) && from.at(-1 - count) === to.at(-1 - count)) count++;
  return count;
}
