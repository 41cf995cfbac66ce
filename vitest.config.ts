import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';
import { PREACT } from './scripts/preact.ts';

/** Addresses of WebAssembly that Node can fetch: without a server, those of the app lead nowhere. */
const wasmInAddress: Plugin = {
  name: 'wirecost:wasm-in-address',
  enforce: 'pre',
  load(id) {
    const [path, query] = id.split('?');
    if (query !== 'url' || !path!.endsWith('.wasm')) return undefined;
    const address = `data:application/wasm;base64,${readFileSync(path!, 'base64')}`;
    return `export default ${JSON.stringify(address)};`;
  },
};

/** Tests of code that is not loaded yet, tests that load it, and one in whose platform renaming fails. */
const FRESH = [
  'src/cli/output/output-files.test.ts',
  'src/engine/analysis/workers/helper-port.test.ts',
  'src/engine/frame/transport/http1.test.ts',
  'src/engine/frame/unwrap/unwrap.test.ts',
  'worker/load-brotli.test.ts',
];

export default defineConfig({
  plugins: [wasmInAddress],
  resolve: { alias: PREACT },
  test: {
    maxWorkers: '100%',
    // Young objects have more room: a tenth of all time less.
    execArgv: ['--max-semi-space-size=64'],
    // A property of a thousand runs on a busy machine; a hang is still found.
    testTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'shared',
          include: ['src/**/*.test.{ts,tsx}', 'worker/**/*.test.ts', 'scripts/**/*.test.ts', 'bench/**/*.test.ts'],
          exclude: FRESH,
          // A process keeps its modules, and their optimised code, from file to file: half of the time.
          isolate: false,
        },
      },
      { extends: true, test: { name: 'fresh', include: FRESH } },
    ],
  },
});
