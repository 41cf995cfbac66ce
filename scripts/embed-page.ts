/**
 * Builds the embedded figure beside the app: `embed.html` with one classic script and one style sheet. Classic, because
 * a module is fetched with CORS, and in a sandboxed frame a static host would not allow the page's origin.
 * Its components are the app's.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { build, type Plugin, type Rolldown } from 'vite';
import { EMBED_POLICY } from '../src/server/csp.ts';
import { PREACT } from './preact.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const PAGE = 'src/embed/embed.html';
const SOURCE = '<script type="module" src="/src/embed/main.tsx"></script>';

export const embedPage: Plugin = {
  name: 'wirecost:embed',
  apply: 'build',
  async generateBundle() {
    const files = await buildEmbed();
    for (const { fileName, content } of files) this.emitFile({ type: 'asset', fileName, source: content });
    const named = (end: string) => files.find(({ fileName }) => fileName.endsWith(end))!.fileName;
    const page = readFileSync(`${root}${PAGE}`, 'utf8')
      .replace(
        '<head>',
        `<head>\n    <meta http-equiv="Content-Security-Policy" content="${EMBED_POLICY}">\n    <link rel="stylesheet" href="./${named('.css')}">`,
      )
      .replace(SOURCE, `<script src="./${named('.js')}"></script>`);
    this.emitFile({ type: 'asset', fileName: 'embed.html', source: page });
    const all = [page, ...files.map(({ content }) => content)].map((text) => Buffer.from(text));
    const sum = (size: (bytes: Buffer) => number) => all.reduce((total, bytes) => total + size(bytes), 0);
    const sizes = {
      raw: sum((bytes) => bytes.length),
      gzip: sum((bytes) => gzipSync(bytes).length),
      brotli: sum((bytes) => brotliCompressSync(bytes).length),
    };
    this.emitFile({ type: 'asset', fileName: '.vite/embed.json', source: JSON.stringify(sizes) });
  },
};

/** In development: `embed.html` beside the app, as in the build. */
export const embedPageInDevelopment: Plugin = {
  name: 'wirecost:embed-in-development',
  apply: 'serve',
  configureServer({ middlewares }) {
    middlewares.use((request, _, next) => {
      request.url = request.url?.replace(/^\/embed\.html/, `/${PAGE}`);
      next();
    });
  },
};

/**
 * d3-array, of which a figure needs a tenth, is a single file that calls functions of its own to begin with: without
 * this its unused parts stay.
 */
const TREESHAKE = { manualPureFunctions: ['bisector', 'Blur2', 'shuffler'], propertyReadSideEffects: false } as const;

async function buildEmbed(): Promise<readonly { readonly fileName: string; readonly content: string }[]> {
  const built = (await build({
    configFile: false,
    root,
    logLevel: 'warn',
    resolve: { alias: PREACT },
    build: {
      write: false,
      target: 'es2023',
      copyPublicDir: false,
      cssCodeSplit: false,
      rolldownOptions: {
        input: `${root}src/embed/main.tsx`,
        treeshake: TREESHAKE,
        output: {
          format: 'iife',
          entryFileNames: 'assets/embed-[hash].js',
          assetFileNames: 'assets/embed-[hash][extname]',
        },
      },
    },
  })) as Rolldown.RolldownOutput;
  return built.output.map((file) => ({
    fileName: file.fileName,
    content: file.type === 'chunk' ? file.code : String(file.source),
  }));
}
