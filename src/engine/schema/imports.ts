/**
 * Resolves imports: the file that each import names, and the files that a file sees, which are its imports and their
 * public imports. https://protobuf.dev/programming-guides/proto3/#importing
 */
import type { FileDeclaration, ImportDeclaration } from './declaration.ts';
import type { ReportFinding } from './report.ts';

export interface ImportGraph {
  /** The given files and the built-in ones that they import. Dependencies come first, except in cycles. */
  readonly files: readonly FileDeclaration[];
  /** The file that an import names. */
  readonly targetOf: (declared: ImportDeclaration) => FileDeclaration | undefined;
  /** Imports of files that are not loaded. */
  readonly missing: readonly { readonly file: FileDeclaration; readonly declared: ImportDeclaration }[];
  /** The files whose names a file may use, including itself. */
  readonly visibleFrom: (file: FileDeclaration) => ReadonlySet<FileDeclaration>;
  /** Files that are imported only for their options. */
  readonly optionsFrom: (file: FileDeclaration) => ReadonlySet<FileDeclaration>;
  /** Whether a file has an import that cannot be resolved. */
  readonly isIncomplete: (file: FileDeclaration) => boolean;
}

export function resolveImports(
  given: readonly FileDeclaration[],
  builtIn: (path: string) => FileDeclaration | undefined,
  report: ReportFinding,
): ImportGraph {
  const byPath = new Map(given.map((file) => [file.path, file]));
  let bySuffix: ReadonlyMap<string, readonly FileDeclaration[]> | undefined;
  const targets = new Map<ImportDeclaration, FileDeclaration>();
  const incomplete = new Set<FileDeclaration>();
  const missing: { readonly file: FileDeclaration; readonly declared: ImportDeclaration }[] = [];
  const all = new Set(given);

  const find = (path: string, from: FileDeclaration): FileDeclaration | 'several' | undefined => {
    const exact = byPath.get(path);
    if (exact !== undefined) return exact;
    bySuffix ??= suffixIndex(given);
    const longer = bySuffix.get(path) ?? [];
    if (longer.length === 1) return longer[0];
    // If several directories have the file, the importing file's directory wins.
    const near = longer.filter((file) => from.path.startsWith(file.path.slice(0, file.path.length - path.length)));
    if (near.length === 1) return near[0];
    const own = builtIn(path);
    if (own !== undefined) {
      byPath.set(path, own);
      return own;
    }
    if (longer.length > 1) return 'several';
    // The file may have been dropped without its folder, or in one of another name.
    const top = from.path.slice(0, from.path.indexOf('/') + 1);
    for (let slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
      const rest = path.slice(slash + 1);
      const shorter = byPath.get(rest) ?? byPath.get(top + rest);
      if (shorter !== undefined && shorter.lines !== undefined) return shorter;
    }
    return undefined;
  };

  // The loop also visits files that are added during it.
  for (const file of all) {
    const seen = new Set<string>();
    for (const declared of file.imports) {
      if (seen.has(declared.path)) {
        report(file, declared.span, 'schema/duplicate-import', `"${declared.path}" is imported twice.`);
        continue;
      }
      seen.add(declared.path);
      const found = find(declared.path, file);
      if (found === undefined || found === 'several') {
        incomplete.add(file);
        if (found === undefined) missing.push({ file, declared });
        const message =
          found === undefined
            ? `"${declared.path}" is not among the loaded files. Add it, or load a descriptor set that holds it.`
            : `Several loaded files end in "${declared.path}"; make the folder of the one that is meant the root.`;
        report(file, declared.span, found ? 'schema/ambiguous-import' : 'schema/missing-import', message);
        continue;
      }
      targets.set(declared, found);
      all.add(found);
    }
  }
  const sorted = sortAndRefuseCycles([...all], targets, report);
  const visible = new Map<FileDeclaration, ReadonlySet<FileDeclaration>>();
  const visibleForOptions = new Map<FileDeclaration, ReadonlySet<FileDeclaration>>();
  const reach = (file: FileDeclaration, kind: 'types' | 'options') => {
    const reached = new Set([file]);
    const stack: FileDeclaration[] = [];
    for (const declared of file.imports) {
      const target = targets.get(declared);
      if (target !== undefined && (kind === 'options' || declared.kind !== 'option')) stack.push(target);
    }
    for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
      if (reached.has(next)) continue;
      reached.add(next);
      for (const declared of next.imports) {
        const target = targets.get(declared);
        if (declared.kind === 'public' && target !== undefined) stack.push(target);
      }
    }
    return reached;
  };
  return {
    files: sorted,
    missing,
    targetOf: (declared) => targets.get(declared),
    visibleFrom: (file) => memo(visible, file, () => reach(file, 'types')),
    optionsFrom: (file) => memo(visibleForOptions, file, () => reach(file, 'options')),
    isIncomplete: (file) => incomplete.has(file),
  };
}

function memo<K, V>(known: Map<K, V>, key: K, make: () => V): V {
  const value = known.get(key) ?? make();
  known.set(key, value);
  return value;
}

/** Files by every suffix of their paths, so that `b/c.proto` finds `a/b/c.proto`. */
function suffixIndex(files: readonly FileDeclaration[]): ReadonlyMap<string, readonly FileDeclaration[]> {
  const index = new Map<string, FileDeclaration[]>();
  for (const file of files) {
    for (let slash = file.path.indexOf('/'); slash >= 0; slash = file.path.indexOf('/', slash + 1)) {
      const suffix = file.path.slice(slash + 1);
      const known = index.get(suffix);
      if (known === undefined) index.set(suffix, [file]);
      else known.push(file);
    }
  }
  return index;
}

/** Limits a list to a readable length. */
const abridge = (paths: readonly string[]): readonly string[] =>
  paths.length <= 8 ? paths : [...paths.slice(0, 4), `… ${paths.length - 7} more …`, ...paths.slice(-3)];

/** Depth-first search without recursion. An import that leads back to the current path closes a cycle. */
function sortAndRefuseCycles(
  files: readonly FileDeclaration[],
  targets: ReadonlyMap<ImportDeclaration, FileDeclaration>,
  report: ReportFinding,
): readonly FileDeclaration[] {
  const sorted: FileDeclaration[] = [];
  const state = new Map<FileDeclaration, 'open' | 'done'>();
  for (const start of files) {
    if (state.has(start)) continue;
    state.set(start, 'open');
    const stack = [{ file: start, next: 0 }];
    while (stack.length > 0) {
      const frame = stack.at(-1)!;
      const declared = frame.file.imports[frame.next++];
      if (declared === undefined) {
        stack.pop();
        state.set(frame.file, 'done');
        sorted.push(frame.file);
        continue;
      }
      const target = targets.get(declared);
      if (target === undefined) continue;
      if (state.get(target) === 'open') {
        const from = stack.findIndex(({ file }) => file === target);
        const path = [...abridge(stack.slice(from).map(({ file }) => file.path)), target.path].join(' → ');
        report(frame.file, declared.span, 'schema/import-cycle', `Files import each other: ${path}.`);
      } else if (!state.has(target)) {
        state.set(target, 'open');
        stack.push({ file: target, next: 0 });
      }
    }
  }
  return sorted;
}
