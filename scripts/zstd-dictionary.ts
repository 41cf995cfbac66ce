/**
 * `npm run zstd-dictionary -- FOLDER`: libzstd 1.5.7's sources (`lib/` in FOLDER) with dictionary.c → the zstd-code.ts
 * beside it, which is committed: no package on npm has libzstd's trainer for a browser. It takes `zig`, of PyPI's
 * ziglang 0.17.1, which compiles C to WebAssembly.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('usage: npm run zstd-dictionary -- FOLDER, the sources of libzstd 1.5.7');

const target = new URL('../src/engine/compression/dictionary/', import.meta.url).pathname;
const library = join(folder, 'lib');
const sources = ['common', 'compress', 'dictBuilder'].flatMap((part) =>
  readdirSync(join(library, part))
    .filter((name) => name.endsWith('.c'))
    .sort()
    .map((name) => join(library, part, name)),
);
const work = mkdtempSync(join(tmpdir(), 'zstd-'));
const out = join(work, 'zstd.wasm');
const OPTIONS = ['NDEBUG', 'ZSTD_LEGACY_SUPPORT=0', 'ZSTD_STRIP_ERROR_STRINGS', 'DYNAMIC_BMI2=0', 'ZSTD_DISABLE_ASM'];
const EXPORTS = ['malloc', 'free', 'train', 'load', 'compress'];
try {
  execFileSync('zig', [
    ...['cc', '-w', '-target', 'wasm32-wasi', '-mexec-model=reactor', '-Os', '-s', '-I', library],
    ...OPTIONS.map((option) => `-D${option}`),
    ...sources,
    join(target, 'dictionary.c'),
    ...['-o', out, '-Wl,--gc-sections'],
    ...EXPORTS.map((name) => `-Wl,--export=${name}`),
  ]);
  const text = gzipSync(readFileSync(out), { level: 9 }).toString('base64');
  writeFileSync(
    join(target, 'zstd-code.ts'),
    `/*! @license libzstd 1.5.7, Copyright (c) Meta Platforms, Inc. and affiliates, BSD licence: see LICENSE beside this file. */
/** Made by \`npm run zstd-dictionary\`: WebAssembly, as gzip in base64. */
export const ZSTD_CODE =
  '${text}';
`,
  );
} finally {
  rmSync(work, { recursive: true });
}
