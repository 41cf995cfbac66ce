/** The files of `src/imports`, under the names by which they are imported. */
import { readdirSync, readFileSync } from 'node:fs';
import type { SchemaSource } from '#engine/schema/compile.ts';

const FOLDER = new URL('../imports/', import.meta.url);

export const importedFiles = (): readonly SchemaSource[] =>
  readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.proto'))
    .sort()
    .map((path) => ({ path, content: readFileSync(new URL(path, FOLDER), 'utf8') }));
