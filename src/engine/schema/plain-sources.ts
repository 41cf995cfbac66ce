/**
 * Schemas as a user has them → sources that compile: texts and descriptor sets. The code that unpacks archives,
 * compressed files, base64 and JSON loads with the first of them.
 */
import { needed } from '../model/needed-file.ts';
import type { SchemaSource } from './compile.ts';
import { needsUnpacking, plainSource } from './packed-schema.ts';
import { runToEnd } from './steps.ts';
import type { PlainSources } from './unpack-source.ts';

interface Unpacking {
  /** Runs the steps. */
  readonly run?: <T>(steps: Generator<undefined, T>) => T | Promise<T>;
}

export const loadUnpacking = () => needed(() => import('./unpack-source.ts'));

export async function plainSources(
  given: readonly SchemaSource[],
  { run = runToEnd }: Unpacking = {},
): Promise<PlainSources> {
  if (!given.some(needsUnpacking)) return { sources: given.map(plainSource), diagnostics: [] };
  const { unpackSources } = await loadUnpacking();
  return run(unpackSources(given));
}
