/** Builds the service worker beside the app, with the list of what the build holds. */
import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build, type Plugin, type Rolldown } from 'vite';

const root = fileURLToPath(new URL('..', import.meta.url));
const FILE = 'service-worker.js';

/** For people and hosts: the page asks for none of them. */
const isAsked = (file: string): boolean => !/\.map$|^\.vite\/|^_headers$|^oembed\.json$|^gallery/.test(file);

export const serviceWorker: Plugin = {
  name: 'wirecost:service-worker',
  apply: 'build',
  enforce: 'post',
  generateBundle: {
    order: 'post',
    async handler(_, bundle) {
      const built = Object.values(bundle)
        .filter(({ fileName }) => isAsked(fileName))
        .map((file) => ({ name: file.fileName, content: file.type === 'chunk' ? file.code : file.source }));
      const copied = readdirSync(`${root}public`, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => `${entry.parentPath}/${entry.name}`.slice(`${root}public/`.length))
        .filter(isAsked);
      const hash = createHash('sha256');
      for (const { name, content } of built.sort((a, b) => (a.name < b.name ? -1 : 1)))
        hash.update(name).update(content);
      const files = [...built.map(({ name }) => (name === 'index.html' ? './' : name)), ...copied];
      this.emitFile({ type: 'asset', fileName: FILE, source: await compile(files, hash.digest('hex').slice(0, 16)) });
    },
  },
};

async function compile(files: readonly string[], name: string): Promise<string> {
  const { output } = (await build({
    configFile: false,
    root,
    logLevel: 'warn',
    define: { BUILT_FILES: JSON.stringify(files), BUILD_NAME: JSON.stringify(name) },
    build: {
      write: false,
      target: 'es2023',
      copyPublicDir: false,
      rolldownOptions: { input: `${root}worker/service-worker.ts`, output: { format: 'iife', entryFileNames: FILE } },
    },
  })) as Rolldown.RolldownOutput;
  return output[0].code;
}
