/**
 * `--schema` paths → the files of a schema under the names that imports use.
 *
 * A folder is an import root: all its .proto files and descriptor sets are loaded. A single .proto file is loaded with
 * its imports: the root is the nearest folder above it in which its imports are found.
 */
import { readFile, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { isDescriptorSet } from '#engine/capture/schema-signs.ts';
import { isSchemaName, mayBeMessage } from '#engine/model/schema-names.ts';
import type { SchemaSource } from '#engine/schema/compile.ts';
import { plainSources } from '#engine/schema/plain-sources.ts';
import { shippedPath } from '#engine/schema/shipped-path.ts';
import { IMPORTS, SCHEMAS } from '../shipped-files.ts';
import { readStandardInput, readWholeFile, refusing, STANDARD_INPUT } from './file-source.ts';
import { filesBelow } from './files-below.ts';

/** Whether a file with the name of a schema is one. @param content its bytes, or the first ones */
export async function isSchema(path: string, content: Uint8Array): Promise<boolean> {
  if (!mayBeMessage(path)) return true;
  const { sources } = await plainSources([{ path, content }]);
  return sources.some((source) => typeof source.content === 'string' || isDescriptorSet(source.content));
}

/** It may also match in a comment; then a file is loaded that nothing needs. */
const IMPORT = /\bimport\s+(?:public\s+|weak\s+|option\s+)?["']([^"'\\]+)["']\s*;/g;

/**
 * @param paths `-`: the standard input, whose imports are found as those of a file in the present folder
 * @throws Refusal where a path cannot be read
 */
export async function readSchemaFiles(paths: readonly string[]): Promise<readonly SchemaSource[]> {
  const files = new Map<string, SchemaSource>();

  const add = async (absolute: string, root: string | undefined): Promise<void> => {
    if (files.has(absolute)) return;
    const bytes = await readWholeFile(absolute);
    if (absolute.endsWith('.proto')) await addText(absolute, bytes.toString('utf8'), root);
    else files.set(absolute, { path: basename(absolute), content: new Uint8Array(bytes) });
  };

  const addText = async (absolute: string, content: string, root: string | undefined): Promise<void> => {
    const imports = [...content.matchAll(IMPORT)].map((match) => match[1]!);
    const found = await importRoot(absolute, imports, root);
    const base = found ?? root ?? dirname(absolute);
    files.set(absolute, { path: relative(base, absolute).split(sep).join('/'), content });
    if (found === undefined) return;
    for (const imported of imports) {
      const target = join(found, imported);
      if (await isFile(target)) await add(target, found);
    }
  };

  for (const path of paths) {
    if (path === STANDARD_INPUT) {
      const content = await readStandardInput();
      const absolute = resolve('standard input');
      if (isDescriptorSet(content)) files.set(absolute, { path: basename(absolute), content });
      else await addText(absolute, new TextDecoder().decode(content), undefined);
      continue;
    }
    await refusing(path, async () => {
      const absolute = resolve(path);
      if ((await stat(absolute)).isDirectory()) {
        for (const name of await schemasBelow(absolute)) {
          const file = join(absolute, name);
          if (!mayBeMessage(file) || (await isSchema(file, await readWholeFile(file)))) await add(file, absolute);
        }
      } else await add(absolute, undefined);
    });
  }
  return [...files.values()];
}

/** The files of one import root. @param isNeeded by the path below it */
export async function readSchemaFolder(
  root: string,
  isNeeded: (path: string) => boolean,
): Promise<readonly SchemaSource[]> {
  const paths = (await schemasBelow(root)).filter(isNeeded);
  return Promise.all(paths.map(async (path) => ({ path, content: await readFile(join(root, path), 'utf8') })));
}

/** The folder in which an import of the file is found: the given root, else the nearest above the file. */
async function importRoot(
  absolute: string,
  imports: readonly string[],
  root: string | undefined,
): Promise<string | undefined> {
  const above = [];
  for (let folder = dirname(absolute); ; folder = dirname(folder)) {
    above.push(folder);
    if (folder === dirname(folder)) break;
  }
  for (const folder of root === undefined ? above : [root, ...above]) {
    for (const imported of imports) if (await isFile(join(folder, imported))) return folder;
  }
  return undefined;
}

const isFile = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isFile(),
    () => false,
  );

/** Its files with names of schemas, by their paths below it. */
const schemasBelow = async (folder: string): Promise<readonly string[]> =>
  (await filesBelow(folder)).filter(isSchemaName);

/** Files that ship with the tool, for imports that are not found elsewhere. */
export async function readImported(paths: readonly string[]): Promise<readonly SchemaSource[]> {
  const files = await Promise.all(
    paths.map(async (imported): Promise<readonly SchemaSource[]> => {
      const path = shippedPath(imported);
      for (const folder of [IMPORTS, SCHEMAS]) {
        const place = resolve(folder, path);
        if (!path.endsWith('.proto') || !place.startsWith(folder + sep)) continue;
        const content = await readFile(place, 'utf8').catch(() => undefined);
        if (content !== undefined) return [{ path, content }];
      }
      return [];
    }),
  );
  return files.flat();
}
