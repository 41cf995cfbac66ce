/**
 * Compares our registry with protoc's, downloaded once with the packages: every message, field, enum, extension and
 * service, read from text and from protoc's descriptor set; what protoc refuses must be refused.
 *
 *   npm run trees                               every tree of .proto files from registries, the rows, what is imported
 *   npm run trees -- TREE...                    those trees
 *   npm run trees -- rows                       the rows of fixtures/schema/refused.txt and option-values.txt
 *   npm run trees -- imported                   the files of src/imports against those of their packages
 *   npm run trees -- mutations [COUNT] [SEED]   schemas with pieces changed at random
 *
 * Ends with `N passed, N failed`; exit code 1 if any failed.
 */
import { homedir } from 'node:os';
import { join } from 'node:path';
import { checkImported } from './trees/check-imported.ts';
import { checkMutations } from './trees/check-mutations.ts';
import { checkRows } from './trees/check-rows.ts';
import { checkTree, type TreeOutcome } from './trees/check-tree.ts';
import { findProtoc } from './trees/protoc.ts';
import { TREES } from './trees/trees.ts';

/** Beside the project, where installing it anew does not delete it. */
const CACHE = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'wirecost', 'trees');
const SHOWN = 8;

let passed = 0;
let failed = 0;

function report(isGood: boolean, line: string, differences: readonly string[], shown = SHOWN): void {
  if (isGood) passed++;
  else failed++;
  console.log(`${isGood ? 'ok  ' : 'FAIL'}  ${line}`);
  for (const difference of differences.slice(0, shown)) console.log(`      ${difference}`);
  if (differences.length > shown) console.log(`      and ${differences.length - shown} more`);
}

async function runTrees(wanted: readonly string[]): Promise<void> {
  const protoc = await findProtoc(CACHE);
  console.log(
    `${protoc.version}: every message, field, enum, extension and service, from text and from the descriptor set\n`,
  );
  console.log(`      ${'tree'.padEnd(16)}${'files'.padStart(7)}${'refused'.padStart(9)}${'compared'.padStart(10)}`);
  for (const tree of TREES.filter(({ id }) => wanted.length === 0 || wanted.includes(id))) {
    const outcome = await checkTree(tree, protoc, CACHE).catch((error: unknown): TreeOutcome => {
      return { files: 0, compared: 0, refused: 0, differences: [String(error)] };
    });
    const { files, compared, refused, differences } = outcome;
    const counts = [files, refused, compared].map((count, at) => count.toLocaleString('en').padStart([7, 9, 10][at]!));
    report(differences.length === 0 && compared > 0, `${tree.id.padEnd(16)}${counts.join('')}`, differences);
  }
}

async function runRows(isLoud: boolean): Promise<void> {
  const { rows, differences } = await checkRows(CACHE, (line) => {
    if (isLoud) console.log(`      ${line}`);
  });
  report(
    differences.length === 0,
    `${rows.toLocaleString('en')} rows of refused.txt and option-values.txt`,
    differences,
  );
}

async function runImported(): Promise<void> {
  const { files, compared, differences } = await checkImported(await findProtoc(CACHE), CACHE);
  report(differences.length === 0, `${files} files of src/imports: ${compared} declarations`, differences);
}

async function runMutations(count: number, seed: number): Promise<void> {
  const { accepted, refused, samePlace, differences } = await checkMutations(CACHE, count, seed);
  const both = `${accepted.toLocaleString('en')} accepted and ${refused.toLocaleString('en')} refused by both`;
  const places = `${((100 * samePlace) / Math.max(1, refused)).toFixed(1)} % of these at the same line`;
  report(
    differences.length === 0,
    `${count.toLocaleString('en')} mutations, seed ${seed}: ${both}, ${places}`,
    differences,
    60,
  );
}

const [first, ...rest] = process.argv.slice(2);
const wanted = first === undefined ? [] : [first, ...rest];
const [count = 2000, seed = 1] = rest.map(Number);
const isKnown =
  first === 'mutations'
    ? rest.length <= 2 && Number.isInteger(count) && Number.isInteger(seed)
    : first === 'rows' || first === 'imported'
      ? rest.length === 0
      : wanted.every((id) => TREES.some((tree) => tree.id === id));
if (!isKnown) {
  console.error('usage: npm run trees -- [TREE... | rows | imported | mutations [COUNT] [SEED]]');
  console.error(`trees: ${TREES.map(({ id }) => id).join(', ')}`);
  process.exit(1);
}
if (first === 'mutations') await runMutations(count, seed);
else if (first === 'rows') await runRows(true);
else if (first === 'imported') await runImported();
else {
  await runTrees(wanted);
  if (first === undefined) {
    await runRows(false);
    await runImported();
  }
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
