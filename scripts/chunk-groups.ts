/**
 * The chunks that hold several modules. Without them each module that two parts share is a file of its own: a sample then
 * takes 80 requests instead of 30 and a fifth more processor time, the worker's first files weigh 11 kB more of brotli
 * and the page's 5, and the command line takes 25 ms longer to load them.
 */
interface Modules {
  readonly getModuleInfo: (id: string) => { readonly importedIds: readonly string[] } | null;
}

/** A group of the bundler's `codeSplitting`: `name` is null for a module of another chunk. */
interface ChunkGroup {
  readonly name: (id: string, modules: Modules) => string | null;
  readonly debugName: string;
  readonly priority: number;
}

/**
 * @param chunks by name, the paths of modules: each chunk has these and what they import, unless an earlier one has it
 * @returns a group for each; in a build without its modules it is empty
 */
export function chunkGroups(chunks: Readonly<Record<string, readonly string[]>>): ChunkGroup[] {
  const known = new Map<string, ReadonlySet<string>>();
  const modulesOf = (name: string, modules: Modules): ReadonlySet<string> | undefined => {
    const entries = chunks[name]!;
    // Builds of other workers ask too, before or after.
    if (!known.has(name) && entries.every((entry) => modules.getModuleInfo(entry) !== null))
      known.set(name, closureOf(entries, modules));
    return known.get(name);
  };
  const names = Object.keys(chunks);
  return names.map((debugName, at) => ({
    name: (id, modules) => {
      const first = names.find((name) => modulesOf(name, modules)?.has(id));
      return first === debugName ? first : null;
    },
    debugName,
    priority: names.length - at,
  }));
}

/** Re-exported beside what is used. Followed, it would pull in what only later parts use. */
const UNUSED = '/@bufbuild/protobuf/dist/esm/wire/size-delimited.js';

function closureOf(entries: readonly string[], modules: Modules): ReadonlySet<string> {
  const found = new Set(entries);
  for (const known of found) {
    for (const imported of modules.getModuleInfo(known)?.importedIds ?? [])
      if (!imported.endsWith(UNUSED)) found.add(imported);
  }
  return found;
}
