/** A schema whose text was edited → the same messages by it: fields of the same name, else of the same number. */
import type { ProfileDiff } from '../cost/diff-profiles.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { compareSchemas, type SchemaComparison } from '../schema/compare/compare-schemas.ts';
import { compileSchema } from '../schema/compile.ts';
import { filesOf } from '../schema/edit/file-set.ts';
import { printProto } from '../schema/edit/print-file.ts';
import { textsOf } from '../schema/edit/texts-of.ts';
import { unifiedDiff } from '../schema/edit/unified-diff.ts';
import type { Advisor, Written } from './advise.ts';
import { diffOf } from './before-after.ts';
import { carryOver, type Pair } from './between-schemas.ts';
import { Forms } from './forms.ts';
import type { LoadedSchema } from './patch.ts';

export interface TextFile {
  readonly path: string;
  readonly text: string;
}

export interface Reencoded extends Omit<Written, 'units'> {
  readonly diff: ProfileDiff;
  /** Fields that hold something, and what each became. */
  readonly pairs: readonly (Pair & { readonly before: string })[];
  /** Fields whose values the edited schema has no place for. */
  readonly lost: readonly string[];
  /** The changes between the two schemas, and what they break. */
  readonly comparison: SchemaComparison;
  /** For `git apply`. */
  readonly patch: string;
}

/** The files of a schema that can be edited, that of `type` first; what came as descriptors is printed. */
export function editableFiles({ registry, sources }: LoadedSchema, type: string): readonly TextFile[] {
  const texts = textsOf(sources);
  const own = registry.messages.get(type)?.file;
  return filesOf(sources, registry)
    .filter(({ name }) => !name.startsWith('google/protobuf/'))
    .map((file) => ({ path: file.name, text: texts.get(file.name) ?? printProto(file) }))
    .sort((a, b) => Number(b.path === own) - Number(a.path === own));
}

/** @returns the faults of the edited text where it is not a schema */
export async function reencode(
  advisor: Advisor,
  schema: LoadedSchema,
  type: string,
  edited: readonly TextFile[],
): Promise<Reencoded | { readonly faults: readonly Diagnostic[] }> {
  const files = editableFiles(schema, type);
  const compile = (some: readonly TextFile[]) => compileSchema(some.map(({ path, text }) => ({ path, content: text })));
  const textOf = (path: string): string | undefined => edited.find((one) => one.path === path)?.text;
  const before = compile(files).registry;
  const after = compile(files.map(({ path, text }) => ({ path, text: textOf(path) ?? text })));
  const faults = after.diagnostics.filter(({ severity }) => severity === 'error');
  if (faults.length > 0) return { faults };
  if (!after.registry.messages.has(type)) return { faults: [missing(type)] };
  const [was, is] = [advisor.forms, new Forms(after.registry)];
  const lost = new Set<string>();
  const pairs = new Map<string, Pair>();
  const written = await advisor.writtenBy(is, (tree) => {
    const carried = carryOver(tree, was, is, type);
    for (const name of carried.lost) lost.add(name);
    for (const [name, pair] of carried.pairs) pairs.set(name, pair);
    return carried.tree;
  });
  const { units, ...measured } = written;
  return {
    ...measured,
    diff: diffOf(advisor, was.registry.messages.get(type), units, after.registry.messages.get(type)),
    pairs: [...pairs].map(([name, pair]) => ({ before: name, ...pair })),
    lost: [...lost],
    comparison: compareSchemas(before, after.registry, (path) => files.some((file) => file.path === path)),
    patch: files.map(({ path, text }) => diffText(path, text, textOf(path) ?? text)).join(''),
  };
}

const missing = (type: string): Diagnostic => ({
  code: 'schema/unknown-type',
  severity: 'error',
  message: `The edited schema has no message ${type}`,
  space: 'schema',
  start: 0,
  end: 0,
});

/** From the first character that differs to the last. */
function diffText(path: string, before: string, after: string): string {
  if (before === after) return '';
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start++;
  let end = 0;
  while (end < most - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  return unifiedDiff(path, before, [{ start, end: before.length - end, text: after.slice(start, after.length - end) }]);
}
