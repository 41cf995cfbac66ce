/** A folder, of inputs or of a schema → its files. */
import { readdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { SYSTEM_PATHS } from '#engine/model/folder-rules.ts';
import { refusing } from './file-source.ts';

/**
 * Their paths below it, with slashes, in the order of their names. Each folder is walked once, under its own name if it
 * is below: links lead to the others.
 *
 * @throws Refusal of a folder that may not be read
 */
export async function filesBelow(folder: string): Promise<readonly string[]> {
  const walked = new Set<string>();
  const linked: string[] = [];
  const files: string[] = [];
  const walk = async (below: string): Promise<void> => {
    const path = join(folder, below);
    const real = await realpath(path).catch(() => path);
    if (walked.has(real)) return;
    walked.add(real);
    const entries = await refusing(path, () => readdir(path, { withFileTypes: true }));
    const shown = entries.filter(({ name }) => !SYSTEM_PATHS.test(name));
    await Promise.all(
      shown.map(async (entry) => {
        const name = below === '' ? entry.name : `${below}/${entry.name}`;
        if (entry.isDirectory()) return walk(name);
        const facts = entry.isSymbolicLink() ? await stat(join(folder, name)).catch(() => undefined) : undefined;
        if (facts?.isDirectory()) linked.push(name);
        else if (entry.isFile() || entry.isSymbolicLink()) files.push(name);
      }),
    );
  };
  await walk('');
  for (;;) {
    const next = linked.sort(byNames).shift();
    if (next === undefined) return files.sort(byNames);
    await walk(next);
  }
}

/** The order of a walk that enters each folder at its name. */
function byNames(a: string, b: string): number {
  const [one, other] = [a.split('/'), b.split('/')];
  const at = one.findIndex((name, index) => name !== other[index]);
  return (one[at] ?? '') < (other[at] ?? '') ? -1 : 1;
}
