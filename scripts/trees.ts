/**
 * Holds our registry against protoc's on trees of .proto files from registries: npm run trees -- [TREE...]
 * Downloads packages once, lets protoc make a descriptor set, and compares every message, field, enum, extension and
 * service, read from text and from the set. Ends with `N passed, N failed`; exit code 1 if any tree failed.
 */
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, sep } from 'node:path';
import { type CompiledSchema, compileSchema, type SchemaSource } from '#engine/schema/compile.ts';
import { factsOfRegistry, factsOfSet, filesOfSet, type SchemaFacts } from '#testing/schema-facts.ts';
import { fetchPackage } from './trees/packages.ts';
import { findProtoc, type ImportRoot, type Protoc } from './trees/protoc.ts';
import { type Root, TREES, type Tree } from './trees/trees.ts';

/** Beside the project, where installing it anew does not delete it. */
const CACHE = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'wirecost', 'trees');
const SHOWN = 8;

interface Outcome {
  readonly files: number;
  readonly compared: number;
  readonly refused: number;
  readonly differences: readonly string[];
}

async function rootsOf(roots: readonly Root[]): Promise<readonly ImportRoot[]> {
  const found: ImportRoot[] = [];
  for (const { package: wanted, folder = '', prefix = '' } of roots) {
    found.push({ folder: join(await fetchPackage(wanted, CACHE), folder), prefix });
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

async function checkTree(tree: Tree, protoc: Protoc): Promise<Outcome> {
  const own = await rootsOf(tree.own);
  const roots = [...own, ...(await rootsOf(tree.beside ?? []))];
  const scratch = join(CACHE, 'work', tree.id);
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
  const includes = (file: string) => given.has(file);
  const expected = factsOfSet(set, includes);
  const compareWith = (what: string, { registry, diagnostics }: CompiledSchema) => {
    for (const { severity, file, line, message } of diagnostics) {
      if (severity !== 'error') continue;
      differences.push(`${what}: refused by us, accepted by protoc: ${file}:${line ?? '?'} ${message}`);
    }
    differences.push(...compare(what, factsOfRegistry(registry, includes), expected));
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

function compare(what: string, ours: SchemaFacts, theirs: SchemaFacts): readonly string[] {
  const differences: string[] = [];
  for (const name of new Set([...theirs.keys(), ...ours.keys()])) {
    const [a, b] = [JSON.stringify(ours.get(name)), JSON.stringify(theirs.get(name))];
    if (a === b) continue;
    let at = 0;
    while (a !== undefined && b !== undefined && a[at] === b[at]) at++;
    const around = (json: string | undefined) => json?.slice(Math.max(0, at - 60), at + 60) ?? 'nothing';
    differences.push(`${what}: ${name}\n        ours   …${around(a)}\n        protoc …${around(b)}`);
  }
  return differences;
}

const wanted = process.argv.slice(2);
const unknown = wanted.filter((id) => !TREES.some((tree) => tree.id === id));
if (unknown.length > 0) {
  console.error(`usage: npm run trees -- [TREE...]\ntrees: ${TREES.map(({ id }) => id).join(', ')}`);
  process.exit(1);
}
const protoc = await findProtoc(CACHE);
console.log(
  `${protoc.version}: every message, field, enum, extension and service, from text and from the descriptor set\n`,
);
console.log(`      ${'tree'.padEnd(16)}${'files'.padStart(7)}${'refused'.padStart(9)}${'compared'.padStart(10)}`);
let passed = 0;
let failed = 0;
for (const tree of TREES.filter(({ id }) => wanted.length === 0 || wanted.includes(id))) {
  const outcome = await checkTree(tree, protoc).catch((error: unknown): Outcome => {
    return { files: 0, compared: 0, refused: 0, differences: [String(error)] };
  });
  const { files, compared, refused, differences } = outcome;
  const isGood = differences.length === 0 && compared > 0;
  if (isGood) passed++;
  else failed++;
  const counts = [files, refused, compared].map((count, at) => count.toLocaleString('en').padStart([7, 9, 10][at]!));
  console.log(`${isGood ? 'ok  ' : 'FAIL'}  ${tree.id.padEnd(16)}${counts.join('')}`);
  for (const difference of differences.slice(0, SHOWN)) console.log(`      ${difference}`);
  if (differences.length > SHOWN) console.log(`      and ${differences.length - SHOWN} more`);
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
