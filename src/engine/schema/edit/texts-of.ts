/** The .proto texts among the sources of a schema, by their paths in the registry. */
import type { SchemaSource } from '../compile.ts';
import { unpackSource } from '../unpack-source.ts';

export function textsOf(sources: readonly SchemaSource[]): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const { path, content } of sources) {
    for (const unpacked of unpackSource(path, content, () => {})) {
      if (typeof unpacked.content === 'string' && !texts.has(unpacked.path)) texts.set(unpacked.path, unpacked.content);
    }
  }
  return texts;
}
