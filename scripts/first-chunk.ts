/**
 * The modules that an entry begins with, as one chunk. In chunks of their own, for the parts that import them later, the
 * worker's weigh 11 kB more of brotli and the page's 5, a slow network waits for 25 files of the page in turn, and the
 * command line takes 25 ms longer to load them.
 */
interface Modules {
  readonly getModuleInfo: (id: string) => { readonly importedIds: readonly string[] } | null;
}

/** @param entry its path. @returns whether a module is one of them; false in builds without the entry */
export function isAtStart(entry: string): (id: string, modules: Modules) => boolean {
  let first: ReadonlySet<string> | undefined;
  return (id, modules) => {
    // Builds of other workers ask too, before or after.
    if (first === undefined && modules.getModuleInfo(entry) !== null) first = closureOf(entry, modules);
    return first?.has(id) ?? false;
  };
}

/** Re-exported beside what is used. Followed, it would pull in what only later parts use. */
const UNUSED = '/@bufbuild/protobuf/dist/esm/wire/size-delimited.js';

function closureOf(entry: string, modules: Modules): ReadonlySet<string> {
  const found = new Set([entry]);
  for (const known of found) {
    for (const imported of modules.getModuleInfo(known)?.importedIds ?? [])
      if (!imported.endsWith(UNUSED)) found.add(imported);
  }
  return found;
}
