import { brotliCompressSync, gzipSync } from 'node:zlib';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { POLICIES } from './scripts/csp.ts';
import { embedPage } from './scripts/embed-page.ts';
import { HOSTS } from './scripts/hosts.ts';
import { serviceWorker } from './scripts/service-worker.ts';

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

/** Inline workers have no file of their own to weigh: their sizes go to dist/.vite/workers.json, for scripts/budget.ts. */
function weighWorkers(): { inWorker: () => Plugin; inPage: Plugin } {
  const sizes = new Map<string, { readonly raw: number; readonly gzip: number; readonly brotli: number }>();
  return {
    inWorker: () => ({
      name: 'wirecost:weigh-worker',
      generateBundle(_, bundle) {
        for (const chunk of Object.values(bundle)) {
          if (chunk.type !== 'chunk' || !chunk.isEntry) continue;
          const code = Buffer.from(chunk.code);
          sizes.set(chunk.name, {
            raw: code.length,
            gzip: gzipSync(code).length,
            brotli: brotliCompressSync(code).length,
          });
        }
      },
    }),
    inPage: {
      name: 'wirecost:list-workers',
      apply: 'build',
      generateBundle() {
        this.emitFile({
          type: 'asset',
          fileName: '.vite/workers.json',
          source: JSON.stringify(Object.fromEntries(sizes), null, 2),
        });
      },
    },
  };
}

const workers = weighWorkers();

export default defineConfig({
  // Relative addresses: the build can be put into any folder of any host.
  base: './',
  plugins: [react(), tailwindcss(), policyInPage, headersBeside, workers.inPage, embedPage, serviceWorker],
  build: {
    target: 'es2023',
    sourcemap: true,
    manifest: true,
    // The editor is one chunk by nature; scripts/budget.ts holds the limits.
    chunkSizeWarningLimit: 4096,
    reportCompressedSize: false,
    rolldownOptions: { checks: { bundlerTimings: false } },
  },
  // Classic, because a module worker from a blob fails in a frame of opaque origin.
  worker: { format: 'iife', plugins: () => [workers.inWorker()] },
  // The worker is started by a query import, which the search for dependencies does not follow: without it the first
  // load in development meets packages that are still being prepared.
  optimizeDeps: { entries: ['*.html', 'worker/main.ts'] },
  server: { host: '127.0.0.1', headers: POLICIES.dev },
  preview: { host: '127.0.0.1', headers: POLICIES.app },
});
