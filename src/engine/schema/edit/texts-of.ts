/** The .proto texts among the sources of a schema, by their paths in the registry. */
import type { SchemaSource } from '../compile.ts';

export function textsOf(sources: readonly SchemaSource[]): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const { path, content } of sources) {
    if (typeof content === 'string' && !texts.has(path)) texts.set(path, content);
  }
  return texts;
}
