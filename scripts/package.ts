/** `npm pack`: the app, the command line and the library, bundled, with nothing else to install. */
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { chunkGroups } from './chunk-groups.ts';
import { PREACT } from './preact.ts';

const root = fileURLToPath(new URL('../', import.meta.url));

/** Modules that every command loads are one file, those that `analyze` adds are another: loading a file takes half a millisecond. */
const MAIN = `${root}src/cli/main.ts`;
const COMMAND_GROUPS = chunkGroups({ start: [MAIN], analyze: [`${root}src/cli/commands/analyze-command.ts`] }).map(
  (group) => ({
    ...group,
    // The entry waits for the files that import its chunk.
    name: (...[id, modules]: Parameters<typeof group.name>) => (id === MAIN ? null : group.name(id, modules)),
  }),
);

rmSync(`${root}build`, { recursive: true, force: true });
await build({ root, logLevel: 'warn' });

/** Entries, by the name of their file, and their chunks, with every package that they need. */
const bundle = (folder: string, entries: Readonly<Record<string, string>>) =>
  build({
    configFile: false,
    root,
    logLevel: 'warn',
    // The library runs in browsers, too; what packages have for Node imports modules of Node.
    ssr: { noExternal: true, ...(folder === 'library' ? { resolve: { conditions: ['module', 'browser'] } } : {}) },
    resolve: { alias: PREACT },
    build: {
      ssr: true,
      target: 'node20',
      outDir: `build/${folder}`,
      copyPublicDir: false,
      minify: true,
      rolldownOptions: {
        // The first file may hold parts that the page loads on demand.
        checks: { ineffectiveDynamicImport: false },
        // Else the entry would also export what chunks import of it. No program imports the command.
        preserveEntrySignatures: folder === 'library' ? 'strict' : false,
        input: Object.fromEntries(Object.entries(entries).map(([name, entry]) => [name, `${root}${entry}`])),
        output: {
          entryFileNames: '[name].js',
          chunkFileNames: '[name]-[hash].js',
          ...(folder === 'cli' ? { codeSplitting: { groups: COMMAND_GROUPS } } : {}),
        },
      },
    },
  });

// The files keep the relative paths of the sources, so that the command line finds schemas and colours.
await bundle('cli', { main: 'src/cli/main.ts', helper: 'src/cli/helper.ts' });
const command = `${root}build/cli/main.js`;
writeFileSync(command, `#!/usr/bin/env node\n${readFileSync(command, 'utf8')}`);
chmodSync(command, 0o755);
cpSync(`${root}src/imports`, `${root}build/imports`, { recursive: true });
cpSync(`${root}src/charts/colors.css`, `${root}build/charts/colors.css`);
writeFileSync(`${root}build/wirecost.1`, execFileSync(process.execPath, [command, 'man'], { cwd: root }));

await bundle('library', { wirecost: 'src/library/wirecost.ts' });
execFileSync(process.execPath, [
  `${root}node_modules/typescript-7/bin/tsc`,
  '-b',
  `${root}config/tsconfig.engine.json`,
]);
copyTypes('src/library/wirecost.d.ts');

/** A file of declarations and all that it imports, below `build/types`. */
function copyTypes(entry: string): void {
  const copied = new Set([entry]);
  for (const file of copied) {
    const declared = readFileSync(`${root}node_modules/.cache/tsc/engine/${file}`, 'utf8');
    const text = declared.replaceAll("'#engine/", `'${relative(dirname(file), 'src/engine')}/`);
    const target = `${root}build/types/${file}`;
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, text);
    for (const [, path] of text.matchAll(/(?:from |import\()['"](\.[^'"]+)\.ts['"]/g)) {
      copied.add(join(dirname(file), `${path}.d.ts`));
    }
  }
}
