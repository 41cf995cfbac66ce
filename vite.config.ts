import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { bytesInCode } from './scripts/bytes-in-code.ts';
import { chunkGroups } from './scripts/chunk-groups.ts';
import { embedPage, embedPageInDevelopment } from './scripts/embed-page.ts';
import { HOSTS } from './scripts/hosts.ts';
import { PREACT } from './scripts/preact.ts';
import { serviceWorker } from './scripts/service-worker.ts';
import { isForCaptures } from './src/engine/analysis/plan/capture-schemas.ts';
import { POLICIES } from './src/server/csp.ts';

/** The built page carries its policy itself, for hosts that send no headers. First in <head>: it binds what follows. */
const policyInPage: Plugin = {
  name: 'wirecost:policy',
  apply: 'build',
  transformIndexHtml: () => [
    {
      tag: 'meta',
      attrs: { 'http-equiv': 'Content-Security-Policy', content: POLICIES.meta },
      injectTo: 'head-prepend',
    },
  ],
};

/** For the hosts that take headers from a file of the site. */
const headersBeside: Plugin = {
  name: 'wirecost:headers',
  apply: 'build',
  generateBundle() {
    this.emitFile({ type: 'asset', fileName: '_headers', source: HOSTS.netlify.print(POLICIES, '/') });
  },
};

/**
 * Workers are built beside the page, and its manifest does not know of their parts: `dist/.vite/workers.json` lists the
 * files of each by its name, `first` those that it starts with, for scripts/budget.ts.
 */
function listWorkers(): { inWorker: () => Plugin; inPage: Plugin } {
  const workers = new Map<string, { readonly first: readonly string[]; readonly onDemand: readonly string[] }>();
  return {
    inWorker: () => ({
      name: 'wirecost:note-worker',
      generateBundle(_, bundle) {
        const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
        for (const entry of chunks.filter(({ isEntry }) => isEntry)) {
          const first = new Set([entry.fileName]);
          for (const name of first)
            for (const imported of chunks.find(({ fileName }) => fileName === name)?.imports ?? []) first.add(imported);
          const others = Object.keys(bundle).filter((name) => !first.has(name) && !name.endsWith('.map'));
          workers.set(entry.name, { first: [...first], onDemand: others });
        }
      },
    }),
    inPage: {
      name: 'wirecost:list-workers',
      apply: 'build',
      generateBundle() {
        const source = JSON.stringify(Object.fromEntries(workers), null, 2);
        this.emitFile({ type: 'asset', fileName: '.vite/workers.json', source });
      },
    },
  };
}

const workers = listWorkers();
const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const CHUNKS_OF_PAGE = chunkGroups({
  first: [here('./src/app/main.tsx')],
  // What every analysis draws, once its verdict stands.
  analysis: [
    'message/message-pane.tsx',
    'verdict/cause-waterfall.tsx',
    'verdict/paid-line.tsx',
    'icicle/profile-icicle.tsx',
    'field-detail/field-detail.tsx',
    'field-detail/saved-if-removed.tsx',
  ].map((part) => here(`./src/views/${part}`)),
});
// Called as the modules that are imported: e2e/worker-parts.spec.ts finds each by its name.
const CHUNKS_OF_WORKER = chunkGroups({
  // The second is small, and for captures and text alike: neither loads the other for it.
  first: [here('./worker/main.ts'), here('./src/engine/capture/json-members.ts')],
  'inspect-message': [here('./src/engine/analysis/inspect-message.ts')],
  'explore-handlers': [here('./worker/explore-handlers.ts')],
  registry: [here('./src/engine/compression/registry.ts')],
  'shared-reading': [here('./src/engine/analysis/workers/shared-reading.ts')],
  'classify-text': [here('./src/engine/analysis/evidence/classify-text.ts')],
});

/** The name of a bundled schema's chunk: its system, apart from what only captures need. */
function systemOf(id: string): string | null {
  const [, path] = /\/schemas\/(.+\.proto)\?raw$/.exec(id) ?? [];
  if (path === undefined) return null;
  const system = path.slice(0, path.indexOf('/'));
  return isForCaptures(path) ? `schemas-${system}-captures` : `schemas-${system}`;
}

export default defineConfig({
  // Relative addresses: the build can be put into any folder of any host.
  base: './',
  resolve: { alias: PREACT },
  plugins: [
    react(),
    bytesInCode(),
    tailwindcss(),
    policyInPage,
    headersBeside,
    workers.inPage,
    embedPage,
    embedPageInDevelopment,
    serviceWorker,
  ],
  build: {
    target: 'es2023',
    sourcemap: true,
    manifest: true,
    // The editor is one chunk by nature; scripts/budget.ts holds the limits.
    chunkSizeWarningLimit: 4096,
    reportCompressedSize: false,
    rolldownOptions: {
      // A package asks for a part that React alone has, and does without it. The types check our own imports.
      checks: { bundlerTimings: false, importIsUndefined: false },
      output: {
        codeSplitting: {
          groups: [
            ...CHUNKS_OF_PAGE,
            // All files of a system are needed together: one request instead of sixty.
            { name: (id) => systemOf(id), debugName: 'schemas' },
          ],
        },
      },
    },
  },
  worker: {
    format: 'es',
    plugins: () => [bytesInCode(), workers.inWorker()],
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: CHUNKS_OF_WORKER,
        },
      },
    },
  },
  // The worker is started by a query import, which the search for dependencies does not follow: without it the first
  // load in development meets packages that are still being prepared.
  optimizeDeps: { entries: ['index.html', 'src/*/*.html', 'worker/main.ts'] },
  server: { host: '127.0.0.1', headers: POLICIES.dev },
  preview: { host: '127.0.0.1', headers: POLICIES.app },
});
