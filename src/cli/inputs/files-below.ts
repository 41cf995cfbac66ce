/** A folder, of inputs or of a schema → its files. */
import { readdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { SYSTEM_PATHS } from '#engine/model/folder-rules.ts';
import { refusing } from './file-source.ts';

/**
 * Their paths below it, with slashes, in the order of their names. Links are followed, except to a folder that they
 * are in.
 *
 * @param above the real paths of the folders that hold the folder @throws Refusal of a folder that may not be read
 */
export async function filesBelow(folder: string, above: readonly string[] = []): Promise<readonly string[]> {
  const real = await realpath(folder).catch(() => folder);
  if (above.includes(real)) return [];
  const within = [...above, real];
  const entries = await refusing(folder, () => readdir(folder, { withFileTypes: true }));
  const shown = entries.filter(({ name }) => !SYSTEM_PATHS.test(name)).sort((a, b) => (a.name < b.name ? -1 : 1));
  const found = await Promise.all(
    shown.map(async (entry): Promise<readonly string[]> => {
      const path = join(folder, entry.name);
      const linked = entry.isSymbolicLink() ? await stat(path).catch(() => undefined) : undefined;
      if (entry.isDirectory() || linked?.isDirectory())
        return (await filesBelow(path, within)).map((name) => `${entry.name}/${name}`);
      return entry.isFile() || entry.isSymbolicLink() ? [entry.name] : [];
    }),
  );
  return found.flat();
}
