/**
 * The modules that an entry begins with, as one chunk. In chunks of their own, for the parts that import them later, the
 * worker's weigh 11 kB more of brotli.
 */
interface Modules {
  readonly getModuleInfo: (id: string) => { readonly importedIds: readonly string[] } | null;
}

/** @param entry its path. @returns a module's chunk; null: as the bundler decides */
export function firstChunk(entry: string): (id: string, modules: Modules) => string | null {
  const first = new Set<string>();
  return (id, modules) => {
    if (first.size === 0) {
      first.add(entry);
      for (const known of first)
        for (const imported of modules.getModuleInfo(known)?.importedIds ?? []) first.add(imported);
    }
    return first.has(id) ? 'first' : null;
  };
}
