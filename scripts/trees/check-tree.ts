/** One tree, from its text and from protoc's descriptor set of it: our registry must equal protoc's result. */
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { type CompiledSchema, compileSchema, type SchemaSource } from '#engine/schema/compile.ts';
import { importedFiles } from '#testing/imported-files.ts';
import { factsOfRegistry, factsOfSet, filesOfSet } from '#testing/schema-facts.ts';
import { compareFacts } from './compare-facts.ts';
import { fetchPackage } from './packages.ts';
import type { ImportRoot, Protoc } from './protoc.ts';
import type { Root, Tree } from './trees.ts';

export interface TreeOutcome {
  readonly files: number;
  readonly compared: number;
  readonly refused: number;
  readonly differences: readonly string[];
}

export async function rootsOf(roots: readonly Root[], cache: string): Promise<readonly ImportRoot[]> {
  const found: ImportRoot[] = [];
  for (const { package: wanted, folder = '', prefix = '' } of roots) {
    found.push({ folder: join(await fetchPackage(wanted, cache), folder), prefix });
  }
  return found;
}

async function filesBelow({ folder, prefix }: ImportRoot): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true });
  const files = entries.filter((path) => path.endsWith('.proto') && !/(^|\/)(node_modules|vendor|_.*)\//.test(path));
  return files.map((path) => prefix + path.split(sep).join('/')).sort();
}

/** The text of a file under the first root that has it, as protoc looks for it. */
async function readImport(path: string, roots: readonly ImportRoot[]): Promise<string | undefined> {
  for (const { folder, prefix } of roots) {
    if (!path.startsWith(prefix)) continue;
    const place = join(folder, path.slice(prefix.length));
    if (existsSync(place)) return readFile(place, 'utf8');
  }
  return undefined;
}

export async function checkTree(tree: Tree, protoc: Protoc, cache: string): Promise<TreeOutcome> {
  const own = await rootsOf(tree.own, cache);
  const roots = [...own, ...(await rootsOf(tree.beside ?? [], cache))];
  const scratch = join(cache, 'work', tree.id);
  await mkdir(scratch, { recursive: true });
  const files = [...new Set((await Promise.all(own.map(filesBelow))).flat())].filter(
    (path) => !tree.leaveOut?.test(path),
  );
  const { set, refused } = await protoc.compile(files, roots, scratch);
  const differences: string[] = [];
  const sources: SchemaSource[] = [];
  for (const path of filesOfSet(set)) {
    const content = await readImport(path, roots);
    if (content !== undefined) sources.push({ path, content });
  }
  const given = new Set(sources.map(({ path }) => path));
  const inSet = new Set(filesOfSet(set));
  sources.push(...importedFiles().filter(({ path }) => inSet.has(path) && !given.has(path)));
  const includes = (file: string) => given.has(file);
  const expected = factsOfSet(set, includes);
  const compareWith = (what: string, { registry, diagnostics }: CompiledSchema) => {
    for (const { severity, file, line, message } of diagnostics) {
      if (severity !== 'error') continue;
      differences.push(`${what}: refused by us, accepted by protoc: ${file}:${line ?? '?'} ${message}`);
    }
    differences.push(...compareFacts(what, factsOfRegistry(registry, includes), expected));
  };
  compareWith('text', compileSchema(sources));
  compareWith('set', compileSchema([{ path: 'tree.binpb', content: set }]));

  for (const [path, words] of refused) {
    // We look for imports by the end of a path too, protoc does not; and an edition may be newer than this protoc.
    if (words.includes('was not found') || words.includes('later than the maximum supported edition')) continue;
    const content = (await readImport(path, roots)) ?? '';
    const { diagnostics } = compileSchema([...sources, { path, content }]);
    if (!diagnostics.some(({ severity }) => severity === 'error'))
      differences.push(`accepted by us, refused by protoc: ${path}${words}`);
  }
  return { files: files.length, compared: expected.size, refused: refused.size, differences };
}
