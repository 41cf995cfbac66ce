/** Expands a folder to its files, and a pattern that no shell expanded to the matching files: `*`, `?`, `**`. */
import { lstat, stat } from 'node:fs/promises';
import { join, normalize, sep } from 'node:path';
import { Refusal } from '../output/outcome.ts';
import { plural } from '../output/text-table.ts';
import { filesBelow } from './files-below.ts';

interface Expanded {
  readonly paths: readonly string[];
  readonly notes: readonly string[];
}

/**
 * In the order of their names; those of systems and tools are left out. A folder or a pattern has a file with several
 * names once, by a link only if all are links; a note names another one. @throws Refusal where there is no file
 */
export async function expandInputs(inputs: readonly string[]): Promise<Expanded> {
  const expanded = await Promise.all(inputs.map(async (input) => onceEach(await expandInput(input))));
  return { paths: expanded.flatMap(({ paths }) => paths), notes: expanded.flatMap(({ notes }) => notes) };
}

async function onceEach(names: readonly string[]): Promise<Expanded> {
  if (names.length < 2) return { paths: names, notes: [] };
  const files = await Promise.all(names.map(fileAt));
  const kept = new Map<string, NamedFile>();
  for (const file of files) {
    const former = kept.get(file.id);
    if (former === undefined || (former.isLink && !file.isLink)) kept.set(file.id, file);
  }
  const isKept = (file: NamedFile): boolean => kept.get(file.id) === file;
  const paths = files.filter(isKept).map(({ name }) => name);
  const [first, ...more] = files.filter((file) => !isKept(file));
  if (first === undefined) return { paths, notes: [] };
  const others = more.length === 0 ? '' : `, as ${plural(more.length, 'more name')} of files are`;
  const same = `${first.name} is the same file as ${kept.get(first.id)!.name}`;
  return { paths, notes: [`wirecost: ${same}, which is counted once${others}`] };
}

interface NamedFile {
  readonly name: string;
  /** The same for each name of a file; a pipe, and what cannot be read, is its name. */
  readonly id: string;
  readonly isLink: boolean;
}

async function fileAt(name: string): Promise<NamedFile> {
  const facts = await stat(name, { bigint: true }).catch(() => undefined);
  const id = facts?.isFile() ? `${facts.dev} ${facts.ino}` : name;
  const isLink = (await lstat(name).catch(() => undefined))?.isSymbolicLink() ?? false;
  return { name, id, isLink };
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
