/** The files of two versions: their packages, syntax, and options of generated code. */
import type { FileDescriptor, Registry } from '../descriptor.ts';
import type { Named } from './symbol-change.ts';
import { type CompatibilityLevel, OTHER_SYNTAX } from './type-verdicts.ts';
import { compatibilityOf, type DifferenceReason, type SideVerdicts, sidesOf } from './verdicts.ts';

export interface FileChange {
  readonly path: string;
  readonly kind: 'removed' | 'changed';
  readonly verdict: CompatibilityLevel;
  readonly sides: SideVerdicts;
  readonly reasons: readonly DifferenceReason[];
}

/** Options of generated code, and their defaults. */
const OPTIONS: Readonly<Record<string, string>> = {
  cc_enable_arenas: 'true',
  cc_generic_services: 'false',
  csharp_namespace: '',
  go_package: '',
  java_generic_services: 'false',
  java_multiple_files: 'false',
  java_outer_classname: '',
  java_package: '',
  java_string_check_utf8: 'false',
  objc_class_prefix: '',
  optimize_for: 'SPEED',
  php_class_prefix: '',
  php_metadata_namespace: '',
  php_namespace: '',
  py_generic_services: 'false',
  ruby_package: '',
  swift_prefix: '',
};

export function compareFiles(
  before: Registry,
  after: Registry,
  includes: (file: string) => boolean,
  pairs: ReadonlyMap<Named, Named>,
): readonly FileChange[] {
  const theirs = new Map(after.files.map((file) => [file.path, file]));
  const packages = new Set(after.files.map((file) => file.package));
  const ours = before.files.filter(({ path }) => includes(path));
  const moved = movedFiles(
    before,
    after,
    ours,
    after.files.filter(({ path }) => includes(path)),
    pairs,
  );
  return ours.flatMap((file): readonly FileChange[] => {
    const now = theirs.get(file.path) ?? moved.get(file);
    const isCalled = now !== undefined && now.path !== file.path && ours.length > 1 ? [called(file, now)] : [];
    const reasons = now === undefined ? removed(file, packages) : [...isCalled, ...changed(file, now)];
    if (reasons.length === 0) return [];
    return [
      {
        path: file.path,
        kind: now === undefined ? 'removed' : 'changed',
        verdict: compatibilityOf(reasons),
        sides: sidesOf(reasons),
        reasons,
      },
    ];
  });
}

/**
 * The files that only the first version has under their name, each with the one that it is in the second: the file with
 * most of its types, of those of the smaller file at least half; a file without types, by its own name.
 */
function movedFiles(
  before: Registry,
  after: Registry,
  ours: readonly FileDescriptor[],
  theirs: readonly FileDescriptor[],
  pairs: ReadonlyMap<Named, Named>,
): ReadonlyMap<FileDescriptor, FileDescriptor> {
  const [was, is] = [byPath(withoutNames(ours, theirs)), byPath(withoutNames(theirs, ours))];
  const moved = new Map<FileDescriptor, FileDescriptor>();
  const pair = (a: string, b: string): void => {
    moved.set(was.get(a)!, is.get(b)!);
    was.delete(a);
    is.delete(b);
  };
  const shared = new Map<string, { readonly a: string; readonly b: string; types: number }>();
  for (const [{ file: b }, { file: a }] of pairs) {
    if (!was.has(a) || !is.has(b)) continue;
    const key = JSON.stringify([a, b]);
    const one = shared.get(key) ?? { a, b, types: 0 };
    one.types++;
    shared.set(key, one);
  }
  const [sizes, newSizes] = [typesByFile(before), typesByFile(after)];
  for (const { a, b, types } of [...shared.values()].sort((one, other) => other.types - one.types)) {
    const smaller = Math.min(sizes.get(a)!, newSizes.get(b)!);
    if (was.has(a) && is.has(b) && 2 * types >= smaller) pair(a, b);
  }
  for (const path of [...was.keys()].filter((one) => !sizes.has(one))) {
    const isNamed = (other: string): boolean => nameOf(other) === nameOf(path);
    const found = [...is.keys()].filter((other) => isNamed(other) && !newSizes.has(other));
    if (found.length === 1 && [...was.keys()].filter(isNamed).length === 1) pair(path, found[0]!);
  }
  const single = renamedFile([...was.values()], [...is.values()], ours, theirs);
  return single === undefined ? moved : moved.set(...single);
}

const byPath = (files: readonly FileDescriptor[]): Map<string, FileDescriptor> =>
  new Map(files.map((file) => [file.path, file]));

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** How many types each file has; a file without types is left out. */
function typesByFile({ messages, enums, services }: Registry): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const type of [...messages.values(), ...enums.values(), ...services.values()]) {
    if (type.kind === 'message' && type.isMapEntry) continue;
    counts.set(type.file, (counts.get(type.file) ?? 0) + 1);
  }
  return counts;
}

/**
 * A file in both versions: a single text or descriptor set may have any name. It is the only one left that the other
 * version does not have under its name, no other file imports it, and its package is the same.
 */
function renamedFile(
  was: readonly FileDescriptor[],
  is: readonly FileDescriptor[],
  ours: readonly FileDescriptor[],
  theirs: readonly FileDescriptor[],
): readonly [FileDescriptor, FileDescriptor] | undefined {
  if (was.length !== 1 || is.length !== 1) return undefined;
  const isAlone = ours.length === 1 && theirs.length === 1;
  const isSame = was[0]!.package === is[0]!.package && !isImported(was[0]!, ours) && !isImported(is[0]!, theirs);
  return isAlone || isSame ? [was[0]!, is[0]!] : undefined;
}

function withoutNames(files: readonly FileDescriptor[], others: readonly FileDescriptor[]): readonly FileDescriptor[] {
  const paths = new Set(others.map(({ path }) => path));
  return files.filter(({ path }) => !paths.has(path));
}

const isImported = ({ path }: FileDescriptor, by: readonly FileDescriptor[]): boolean =>
  by.some(({ imports }) => imports.some(({ file }) => file === path));

const ofSource = (verdict: CompatibilityLevel, message: string): DifferenceReason => ({
  verdict,
  message,
  about: ['source'],
});

function removed(file: FileDescriptor, packages: ReadonlySet<string>): readonly DifferenceReason[] {
  const gone = ofSource('unsafe', 'Files that import it no longer compile.');
  return packages.has(file.package) ? [gone] : [gone, ofSource('unsafe', `The package ${file.package} is gone.`)];
}

const called = (a: FileDescriptor, b: FileDescriptor): DifferenceReason =>
  ofSource('conditional', `It is called ${b.path} now: files that import it as ${a.path} have to follow.`);

function changed(a: FileDescriptor, b: FileDescriptor): readonly DifferenceReason[] {
  const reasons: DifferenceReason[] = [];
  if (a.package !== b.package) {
    reasons.push(ofSource('unsafe', `Its package was ${a.package || 'none'} and is ${b.package || 'none'}.`));
  }
  if (a.syntax !== b.syntax) {
    const text = `It was ${a.syntax} and is ${b.syntax}: its effects on fields and enums are listed with them.`;
    reasons.push(ofSource(OTHER_SYNTAX.verdict, `${text} ${OTHER_SYNTAX.message}`));
  }
  for (const [name, unset] of Object.entries(OPTIONS)) {
    const [was, is] = [a.plain?.[name] ?? unset, b.plain?.[name] ?? unset];
    if (was === is) continue;
    reasons.push(
      ofSource(
        'unsafe',
        `${name} was ${was || 'not set'} and is ${is || 'not set'}: generated code is placed or built differently.`,
      ),
    );
  }
  return reasons;
}
