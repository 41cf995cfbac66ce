/** Every diagnostic code that a comment or a document cites is one that the code reports. */
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { textFiles } from './words.ts';

const ROOT = new URL('../', import.meta.url);
const FILES = textFiles().map((path) => ({ path, text: readFileSync(new URL(path, ROOT), 'utf8') }));
const CODE = /'([a-z0-9]+\/[a-z][a-z0-9-]*)'/g;
const REPORTED = new Set(
  FILES.filter(({ path }) => /^(src|worker)\/.*\.ts$/.test(path) && !path.includes('.test.')).flatMap(({ text }) =>
    [...text.matchAll(CODE)].map(([, code]) => code!),
  ),
);
/** Beginnings of codes: all but media types and paths. */
const AREAS = ['capture', 'compression', 'frame', 'grpc', 'har', 'http', 'http1', 'http2', 'native', 'opensearch'];
const CITED = new RegExp(
  `[\`(]((?:${[...AREAS, 'schema', 'stream', 'tls', 'wire'].join('|')})/[a-z][a-z0-9-]+)[\`)]`,
  'g',
);

/** A folder of the engine, or a stream of it, as `frame/transport`. */
const isFolder = (path: string): boolean =>
  ['src/engine/', 'src/', ''].some((folder) => existsSync(new URL(folder + path, ROOT)));

const cited = (text: string): readonly string[] =>
  [...text.matchAll(CITED)].map(([, code]) => code!).filter((code) => !isFolder(code));

const withCodes = FILES.map(({ path, text }) => ({ path, codes: cited(text) })).filter(({ codes }) => codes.length > 0);

test.each(withCodes)('$path', ({ codes }) => {
  expect(codes.filter((code) => !REPORTED.has(code))).toEqual([]);
});

test('cited codes are found, and an invented code is not among the reported ones', () => {
  expect(cited('as `http/unknown-body` and (`wire/more`), but not `frame/transport`')).toEqual([
    'http/unknown-body',
    'wire/more',
  ]);
  expect(withCodes.map(({ path }) => path)).toContain('docs/captures.md');
  expect(REPORTED.has('http/unknown-body')).toBe(true);
  expect(REPORTED.has('wire/invented')).toBe(false);
});
