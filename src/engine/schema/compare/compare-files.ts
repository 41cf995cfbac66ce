/** The files of two versions: their packages, syntax, and options of generated code. */
import type { FileDescriptor, Registry } from '../descriptor.ts';
import {
  type CompatibilityLevel,
  compatibilityOf,
  type DifferenceReason,
  type SideVerdicts,
  sidesOf,
} from './compare-fields.ts';

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
): readonly FileChange[] {
  const theirs = new Map(after.files.map((file) => [file.path, file]));
  const packages = new Set(after.files.map((file) => file.package));
  // A descriptor set or a single text may have any file name.
  const [only, other] = [
    before.files.filter(({ path }) => includes(path)),
    after.files.filter(({ path }) => includes(path)),
  ];
  return only.flatMap((file): readonly FileChange[] => {
    const now = theirs.get(file.path) ?? (only.length === 1 && other.length === 1 ? other[0] : undefined);
    const reasons = now === undefined ? removed(file, packages) : changed(file, now);
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

const ofSource = (verdict: CompatibilityLevel, message: string): DifferenceReason => ({
  verdict,
  message,
  about: ['source'],
});

function removed(file: FileDescriptor, packages: ReadonlySet<string>): readonly DifferenceReason[] {
  const gone = ofSource('unsafe', 'Files that import it no longer compile.');
  return packages.has(file.package) ? [gone] : [gone, ofSource('unsafe', `The package ${file.package} is gone.`)];
}

function changed(a: FileDescriptor, b: FileDescriptor): readonly DifferenceReason[] {
  const reasons: DifferenceReason[] = [];
  if (a.package !== b.package) {
    reasons.push(ofSource('unsafe', `Its package was ${a.package || 'none'} and is ${b.package || 'none'}.`));
  }
  if (a.syntax !== b.syntax) {
    const text = `It was ${a.syntax} and is ${b.syntax}: its effects on fields and enums are listed with them.`;
    reasons.push(ofSource('conditional', text));
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
