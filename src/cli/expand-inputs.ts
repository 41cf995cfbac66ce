/** Expands a folder to its files, and a pattern that no shell expanded to the matching files: `*`, `?`, `**`. */
import { readdir, realpath, stat } from 'node:fs/promises';
import { join, normalize, sep } from 'node:path';
import { refusing } from './file-source.ts';
import { Refusal } from './outcome.ts';

/** In the order of their names; names that begin with a dot are left out. @throws Refusal where there is no file */
export async function expandInputs(inputs: readonly string[]): Promise<readonly string[]> {
  const expanded = await Promise.all(inputs.map(expandInput));
  return expanded.flat();
}

async function expandInput(input: string): Promise<readonly string[]> {
  if (input === '-') return [input];
  const facts = await stat(input).catch(() => undefined);
  if (facts?.isDirectory()) {
    const files = await namesIn(input);
    if (files.length === 0) throw new Refusal(`${input} is a folder without files`);
    return files.map((name) => join(input, name));
  }
  if (facts !== undefined || !/[*?]/.test(input)) return [input];
  const path = normalize(input);
  const segments = path.split(sep);
  const first = segments.findIndex((segment) => /[*?]/.test(segment));
  const folder = segments.slice(0, first).join(sep) || (path.startsWith(sep) ? sep : '.');
  const pattern = patternOf(segments.slice(first));
  const isThere = (await stat(folder).catch(() => undefined))?.isDirectory() ?? false;
  const files = isThere ? (await namesIn(folder)).filter((name) => pattern.test(name)) : [];
  if (files.length === 0) throw new Refusal(`No file matches ${input}`);
  return files.map((name) => join(folder, name));
}

/**
 * The names of the files below a folder, with slashes. Links are followed, except to a folder that they are in.
 *
 * @param above the real paths of the folders that hold the folder @throws Refusal of a folder that may not be read
 */
async function namesIn(folder: string, above: readonly string[] = []): Promise<readonly string[]> {
  const real = await realpath(folder).catch(() => folder);
  if (above.includes(real)) return [];
  const within = [...above, real];
  const entries = await refusing(folder, () => readdir(folder, { withFileTypes: true }));
  const found: string[] = [];
  for (const entry of entries.filter(({ name }) => !name.startsWith('.')).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    const linked = entry.isSymbolicLink() ? await stat(path).catch(() => undefined) : undefined;
    if (entry.isDirectory() || linked?.isDirectory()) {
      const below = await namesIn(path, within);
      found.push(...below.map((name) => `${entry.name}/${name}`));
    } else if (entry.isFile() || entry.isSymbolicLink()) found.push(entry.name);
  }
  return found;
}

function patternOf(given: readonly string[]): RegExp {
  // At the end, `**` is every file below.
  const segments = given.at(-1) === '**' ? [...given, '*'] : given;
  const parts = segments.map((segment) =>
    segment === '**'
      ? '(?:[^/]+/)*'
      : segment
          .replace(/[.+^${}()|[\]\\]/g, '\\$&')
          .replaceAll('*', '[^/]*')
          .replaceAll('?', '[^/]'),
  );
  const text = parts
    .map((part, at) => (part.startsWith('(?:') || at === parts.length - 1 ? part : `${part}/`))
    .join('');
  return new RegExp(`^${text}$`);
}
