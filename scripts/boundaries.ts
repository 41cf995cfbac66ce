/**
 * The rules of .dependency-cruiser.cjs, applied to the sources → each violation with its reason. A cruise that saw fewer
 * modules than there are source files fails: with a TypeScript it cannot use, the tool passes having checked nothing.
 */
import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { cruise, type ICruiseResult } from 'dependency-cruiser';
import extractDepcruiseOptions from 'dependency-cruiser/config-utl/extract-depcruise-options';
import extractTSConfig from 'dependency-cruiser/config-utl/extract-ts-config';

const root = fileURLToPath(new URL('../', import.meta.url));
const FOLDERS = ['src', 'worker', 'scripts', 'bench', 'e2e'];

export const RULES = createRequire(import.meta.url)('../.dependency-cruiser.cjs').forbidden as readonly {
  readonly name: string;
  readonly comment: string;
}[];

export interface Cruise {
  readonly modules: readonly string[];
  readonly dependencies: number;
  readonly violations: readonly { readonly rule: string; readonly from: string; readonly to: string }[];
}

/** Applies the rules to `folders` of the project at `base`. */
export async function cruiseProject(base: string, folders: readonly string[]): Promise<Cruise> {
  const options = await extractDepcruiseOptions(`${root}.dependency-cruiser.cjs`);
  const { output } = await cruise(
    [...folders],
    { ...options, baseDir: base, validate: true },
    {},
    { tsConfig: extractTSConfig(`${root}config/tsconfig.node.json`) },
  );
  const { modules, summary } = output as ICruiseResult;
  return {
    modules: modules.map(({ source }) => source),
    dependencies: summary.totalDependenciesCruised ?? 0,
    violations: summary.violations.map(({ rule, from, to }) => ({ rule: rule.name, from, to })),
  };
}

function sourcesOf(folder: string): readonly string[] {
  return readdirSync(`${root}${folder}`, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /(?<!\.d)\.tsx?$/.test(entry.name))
    .map((entry) => relative(root, `${entry.parentPath}/${entry.name}`).replaceAll('\\', '/'));
}

async function main(): Promise<number> {
  const { modules, dependencies, violations } = await cruiseProject(root, FOLDERS);
  const seen = new Set(modules);
  const missed = FOLDERS.flatMap(sourcesOf).filter((source) => !seen.has(source));
  for (const { rule, from, to } of violations) {
    console.error(`${rule}: ${from} → ${to}\n    ${RULES.find(({ name }) => name === rule)?.comment}`);
  }
  for (const source of missed) console.error(`not checked: ${source}`);
  if (dependencies === 0) console.error('No dependencies were found at all.');
  console.log(
    `${modules.length} modules, ${dependencies} imports, ${RULES.length} rules, ${violations.length} violations`,
  );
  return violations.length + missed.length > 0 || dependencies === 0 ? 1 : 0;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) process.exitCode = await main();
