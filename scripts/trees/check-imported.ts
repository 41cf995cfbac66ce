/** Each file of src/imports against the real one of its package: every message, field, enum, extension and service. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { compileSchema } from '#engine/schema/compile.ts';
import { importedFiles } from '#testing/imported-files.ts';
import { factsOfRegistry, factsOfSet } from '#testing/schema-facts.ts';
import { rootsOf } from './check-tree.ts';
import { compareFacts } from './compare-facts.ts';
import { IMPORTED, protovalidateSet } from './imported.ts';
import type { Protoc } from './protoc.ts';

export interface ImportedOutcome {
  readonly files: number;
  readonly compared: number;
  readonly differences: readonly string[];
}

export async function checkImported(protoc: Protoc, cache: string): Promise<ImportedOutcome> {
  const ours = importedFiles();
  const { registry, diagnostics } = compileSchema(ours);
  const differences = diagnostics.map(({ file, message }) => `${file}: ${message}`);
  const checked = new Set<string>();
  let compared = 0;
  const check = (files: readonly string[], set: Uint8Array) => {
    const wanted = new Set(files);
    const expected = factsOfSet(set, (file) => wanted.has(file));
    compared += expected.size;
    for (const file of files) checked.add(file);
    differences.push(
      ...compareFacts(
        'text',
        factsOfRegistry(registry, (file) => wanted.has(file)),
        expected,
      ),
    );
  };
  const scratch = join(cache, 'work', 'imported');
  await mkdir(scratch, { recursive: true });
  for (const { roots, files } of IMPORTED) {
    check(files, (await protoc.compile(files, await rootsOf(roots, cache), scratch)).set);
  }
  check(['buf/validate/validate.proto'], await protovalidateSet(cache));
  for (const { path } of ours) if (!checked.has(path)) differences.push(`${path} is held against nothing`);
  return { files: ours.length, compared, differences };
}
