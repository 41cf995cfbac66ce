/**
 * `npm run c-library -- NAME FOLDER`: the sources of a library in C (in FOLDER) with its `library.c` → the TypeScript
 * beside that, which is committed. No package on npm has these as WebAssembly for a browser: libzstd's trainer of
 * dictionaries, Google's encoder of Brotli, and zlib's own encoder of gzip. It takes `zig`, of PyPI's ziglang 0.17.1,
 * which compiles C to WebAssembly.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

interface Library {
  /** Name, version, holder of the rights and licence. */
  readonly title: string;
  /** Its folder in src/engine/compression, and the file and the constant that are made. */
  readonly target: string;
  readonly file: string;
  readonly constant: string;
  /** In FOLDER: its sources, each a file or a folder of them, and the folder with its headers. */
  readonly sources: readonly string[];
  readonly headers: string;
  readonly options: readonly string[];
  /** Besides `malloc` and `free`. */
  readonly exports: readonly string[];
}

const LIBRARIES: Readonly<Record<string, Library>> = {
  brotli: {
    title: 'Google Brotli 1.2.0, Copyright (c) 2009, 2010, 2013-2016 by the Brotli Authors, MIT licence',
    target: 'brotli-encoder',
    file: 'brotli-code',
    constant: 'BROTLI_CODE',
    sources: ['c/common', 'c/enc'],
    headers: 'c/include',
    // 1: tables of 280 kB are made when it starts, in 6 ms.
    options: ['BROTLI_STATIC_INIT=1'],
    exports: ['bound', 'compress'],
  },
  zlib: {
    title: 'zlib 1.3.1, Copyright (C) 1995-2024 Jean-loup Gailly and Mark Adler, zlib licence',
    target: 'gzip-encoder',
    file: 'zlib-code',
    constant: 'ZLIB_CODE',
    sources: ['adler32.c', 'crc32.c', 'deflate.c', 'trees.c', 'zutil.c'],
    headers: '.',
    options: [],
    exports: ['input', 'output', 'begin', 'push', 'more'],
  },
  zstd: {
    title: 'libzstd 1.5.7, Copyright (c) Meta Platforms, Inc. and affiliates, BSD licence',
    target: 'dictionary',
    file: 'zstd-code',
    constant: 'ZSTD_CODE',
    sources: ['lib/common', 'lib/compress', 'lib/dictBuilder'],
    headers: 'lib',
    options: ['ZSTD_LEGACY_SUPPORT=0', 'ZSTD_STRIP_ERROR_STRINGS', 'DYNAMIC_BMI2=0', 'ZSTD_DISABLE_ASM'],
    exports: ['train', 'load', 'compress'],
  },
};

const [name = '', folder] = process.argv.slice(2);
const library = LIBRARIES[name];
if (library === undefined || folder === undefined) {
  throw new Error(`usage: npm run c-library -- ${Object.keys(LIBRARIES).join('|')} FOLDER`);
}

const target = new URL(`../src/engine/compression/${library.target}/`, import.meta.url).pathname;
const sources = library.sources.flatMap((part) =>
  part.endsWith('.c')
    ? [join(folder, part)]
    : readdirSync(join(folder, part))
        .filter((file) => file.endsWith('.c'))
        .sort()
        .map((file) => join(folder, part, file)),
);
const work = mkdtempSync(join(tmpdir(), 'c-library-'));
const out = join(work, 'library.wasm');
try {
  execFileSync('zig', [
    ...['cc', '-w', '-target', 'wasm32-wasi', '-mexec-model=reactor', '-Os', '-s', '-I', join(folder, library.headers)],
    ...['NDEBUG', ...library.options].map((option) => `-D${option}`),
    ...sources,
    join(target, 'library.c'),
    ...['-o', out, '-Wl,--gc-sections'],
    ...['malloc', 'free', ...library.exports].map((name) => `-Wl,--export=${name}`),
  ]);
  const text = gzipSync(readFileSync(out), { level: 9 }).toString('base64');
  writeFileSync(
    join(target, `${library.file}.ts`),
    `/*! @license ${library.title}: see LICENSE beside this file. */
/** Made by \`npm run c-library\`: WebAssembly, as gzip in base64. */
export const ${library.constant} =
  '${text}';
`,
  );
} finally {
  rmSync(work, { recursive: true });
}
