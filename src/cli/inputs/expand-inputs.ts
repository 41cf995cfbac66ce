/** Expands a folder to its files, and a pattern that no shell expanded to the matching files: `*`, `?`, `**`. */
import { stat } from 'node:fs/promises';
import { join, normalize, sep } from 'node:path';
import { Refusal } from '../output/outcome.ts';
import { filesBelow } from './files-below.ts';

/** In the order of their names; those of systems and tools are left out. @throws Refusal where there is no file */
export async function expandInputs(inputs: readonly string[]): Promise<readonly string[]> {
  const expanded = await Promise.all(inputs.map(expandInput));
  return expanded.flat();
}

async function expandInput(input: string): Promise<readonly string[]> {
  if (input === '-') return [input];
  const facts = await stat(input).catch(() => undefined);
  if (facts?.isDirectory()) {
    const files = await filesBelow(input);
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
  const files = isThere ? (await filesBelow(folder)).filter((name) => pattern.test(name)) : [];
  if (files.length === 0) throw new Refusal(`No file matches ${input}`);
  return files.map((name) => join(folder, name));
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
