/** dist/.vite/manifest.json → the transferred size of each part of the app, compared with its limit. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, gzip as compressGzip } from 'node:zlib';

const gzipped = promisify(compressGzip);
const brotlied = promisify<Uint8Array, Uint8Array>(brotliCompress);

const dist = fileURLToPath(new URL('../dist/', import.meta.url));

/**
 * Limits in kB (1000 bytes) of brotli, the encoding of the usual hosts. Raise one knowingly, in its own commit.
 * `page`: until a file can be chosen; `worker`: what the first analysis adds to it.
 */
const LIMITS = [
  { part: 'page', limit: 96 },
  { part: 'worker', limit: 123 },
  { part: 'on demand', limit: 1850 },
  { part: 'embed', limit: 35 },
] as const;
type Part = (typeof LIMITS)[number]['part'];

interface Size {
  readonly raw: number;
  readonly gzip: number;
  readonly brotli: number;
}

export interface ManifestChunk {
  readonly file: string;
  readonly isEntry?: boolean;
  readonly imports?: readonly string[];
  readonly dynamicImports?: readonly string[];
  readonly css?: readonly string[];
  readonly assets?: readonly string[];
}
export type Manifest = Readonly<Record<string, ManifestChunk>>;

/** The files that load together with `keys`: their chunks, those they import, styles and assets of all these. */
export function filesOf(manifest: Manifest, keys: readonly string[]): ReadonlySet<string> {
  const files = new Set<string>();
  const visited = new Set<string>();
  const visit = (key: string) => {
    const chunk = manifest[key];
    if (chunk === undefined || visited.has(key)) return;
    visited.add(key);
    for (const file of [chunk.file, ...(chunk.css ?? []), ...(chunk.assets ?? [])]) files.add(file);
    for (const imported of chunk.imports ?? []) visit(imported);
  };
  for (const key of keys) visit(key);
  return files;
}

/**
 * By the name of a worker: the files that it starts with, and those that it may load later. An inlined worker has none.
 */
export type Workers = Readonly<
  Record<string, { readonly first: readonly string[]; readonly onDemand: readonly string[] }>
>;

/** The page's files, the worker's files, and all files that may be requested later, mainly the editor. */
export function partsOf(
  manifest: Manifest,
  { main, ...others }: Workers,
): Readonly<Record<'page' | 'worker' | 'on demand', ReadonlySet<string>>> {
  const keys = Object.keys(manifest);
  const worker = new Set(main?.first);
  const entries = keys.filter((key) => manifest[key]?.isEntry);
  const page = new Set([...filesOf(manifest, entries)].filter((file) => !worker.has(file)));
  const all = [
    ...filesOf(manifest, keys),
    ...(main?.onDemand ?? []),
    ...Object.values(others).flatMap(({ first, onDemand }) => [...first, ...onDemand]),
  ];
  return { page, worker, 'on demand': new Set(all.filter((file) => !page.has(file) && !worker.has(file))) };
}

const add = (a: Size, b: Size): Size => ({ raw: a.raw + b.raw, gzip: a.gzip + b.gzip, brotli: a.brotli + b.brotli });
const NOTHING: Size = { raw: 0, gzip: 0, brotli: 0 };

async function weigh(files: ReadonlySet<string>): Promise<Size> {
  // An inlined worker has no file: it is a part of the one that starts it.
  const sizes = [...files]
    .filter((file) => existsSync(`${dist}${file}`))
    .map(async (file) => {
      const bytes = readFileSync(`${dist}${file}`);
      const [gzip, brotli] = await Promise.all([gzipped(bytes), brotlied(bytes)]);
      return { raw: bytes.length, gzip: gzip.length, brotli: brotli.length };
    });
  return (await Promise.all(sizes)).reduce(add, NOTHING);
}

async function main(): Promise<number> {
  const read = (file: string) => JSON.parse(readFileSync(`${dist}.vite/${file}`, 'utf8'));
  if (!existsSync(`${dist}.vite/manifest.json`)) {
    console.error('There is no build in dist/. Run: npm run build');
    return 1;
  }
  const parts = partsOf(read('manifest.json'), read('workers.json'));
  const sizes: Readonly<Record<Part, Size>> = {
    page: await weigh(parts.page),
    worker: await weigh(parts.worker),
    'on demand': await weigh(parts['on demand']),
    embed: read('embed.json'),
  };

  const kB = (bytes: number) => (bytes / 1000).toFixed(1).padStart(9);
  console.log(`${'kB'.padEnd(12)}${['raw', 'gzip', 'brotli', 'limit'].map((title) => title.padStart(9)).join('')}`);
  let over = 0;
  for (const { part, limit } of LIMITS) {
    const { raw, gzip, brotli } = sizes[part];
    const isOver = brotli > limit * 1000;
    if (isOver) over++;
    console.log(
      `${part.padEnd(12)}${kB(raw)}${kB(gzip)}${kB(brotli)}${String(limit).padStart(9)}${isOver ? '  OVER' : ''}`,
    );
  }
  return over > 0 ? 1 : 0;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) process.exitCode = await main();
