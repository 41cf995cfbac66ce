/**
 * An edited schema → the same messages in it. Fields are matched by name, and the remaining ones by number. Other
 * changes are applied to the edited schema.
 */

import type { Diagnostic } from '../model/diagnostic.ts';
import { compareSchemas, type SchemaComparison } from '../schema/compare/compare-schemas.ts';
import { compileSchema } from '../schema/compile.ts';
import { filesOf } from '../schema/edit/file-set.ts';
import { printProto } from '../schema/edit/print-file.ts';
import { textsOf } from '../schema/edit/texts-of.ts';
import { lineDiff } from '../schema/edit/unified-diff.ts';
import { isBuiltInFile } from '../schema/names.ts';
import type { Advice } from './advice.ts';
import type { Advisor } from './advise.ts';
import { type BeforeAfter, beforeAfter } from './before-after.ts';
import { SchemaCarrier, type SchemaPair } from './between-schemas.ts';
import type { Change } from './change.ts';
import { type EditedText, type TextFile, withEdits } from './edited-text.ts';
import { FieldEncodings } from './forms.ts';
import { difference, type Measure } from './measure.ts';
import { type LoadedSchema, type Patch, patchOf } from './patch.ts';
import type { TreeNode } from './value-tree.ts';

export interface Reencoded {
  /** Its savings are those of the same values: the base is the messages without the lost ones. */
  readonly row: Omit<Advice, 'edits'>;
  readonly messages: BeforeAfter;
  /** Fields with a value, and the field that each became. */
  readonly pairs: readonly (SchemaPair & { readonly before: string })[];
  /** Fields with a value that has no place in the edited schema. */
  readonly lost: readonly string[];
  /** The size of their values. */
  readonly lostSize: Measure;
  /** The differences between the two schemas, and their compatibility. */
  readonly comparison: SchemaComparison;
  /** From the loaded files to the edited files with the other changes. */
  readonly patch: Patch;
}

/** The files of a schema that can be edited, the file of `type` first. Files of descriptor sets are printed as text. */
export function editableFiles({ registry, sources }: LoadedSchema, type: string): readonly TextFile[] {
  const texts = textsOf(sources);
  const own = registry.messages.get(type)?.file;
  return filesOf(sources, registry)
    .filter(({ name }) => !isBuiltInFile(name))
    .map((file) => ({ path: file.name, text: texts.get(file.name) ?? printProto(file) }))
    .sort((a, b) => Number(b.path === own) - Number(a.path === own));
}

/** @returns the faults of the edited text if it does not compile. @throws ImpossibleChange */
export async function reencode(
  advisor: Advisor,
  schema: LoadedSchema,
  type: string,
  edits: readonly EditedText[],
  others: readonly Change[],
): Promise<Reencoded | { readonly faults: readonly Diagnostic[] }> {
  const files = editableFiles(schema, type);
  const compile = (some: readonly TextFile[]) => compileSchema(sourcesOf(some));
  const edited = withEdits(files, edits);
  const after = compile(edited);
  const faults = after.diagnostics.filter(({ severity }) => severity === 'error');
  if (faults.length > 0) return { faults };
  if (!after.registry.messages.has(type)) return { faults: [missing(type)] };
  const is = new FieldEncodings(after.registry);
  const carrier = new SchemaCarrier(advisor.forms, is);
  const lost = new Set<string>();
  const pairs = new Map<string, SchemaPair>();
  const kept = new Map<TreeNode, TreeNode>();
  const carried = await advisor.carried(after.registry, is, (tree) => {
    const one = carrier.carry(tree, type);
    for (const name of one.lost) lost.add(name);
    for (const [name, pair] of one.pairs) pairs.set(name, pair);
    if (one.kept !== tree) kept.set(tree, one.kept);
    return one.tree;
  });
  const base =
    kept.size === 0 ? advisor : await advisor.carried(schema.registry, advisor.forms, (tree) => kept.get(tree) ?? tree);
  const measured = await carried.measure(others);
  const editedSchema = { ...after, sources: sourcesOf(edited) };
  const written = patchOf(editedSchema, measured.edits);
  const final = edited.map(({ path, text }) => ({ path, text: written.files.get(path) ?? text }));
  const comparison = compareSchemas(compile(files).registry, compile(final).registry, (path) =>
    files.some((file) => file.path === path),
  );
  const { type: _, before: __, ...later } = beforeAfter(carried, measured, editedSchema);
  return {
    row: await rowOf(base, measured, comparison),
    messages: { type: schema.registry.messages.get(type), before: advisor.messages, ...later },
    pairs: [...pairs].map(([name, pair]) => ({ before: name, ...pair })),
    lost: [...lost],
    lostSize: difference(advisor.baseline.before, base.baseline.before),
    comparison,
    patch: {
      diff: final.map(({ path, text }, at) => lineDiff(path, files[at]!.text, text)).join(''),
      files: new Map(final.filter(({ text }, at) => text !== files[at]!.text).map(({ path, text }) => [path, text])),
      refused: written.refused,
    },
  };
}

const sourcesOf = (files: readonly TextFile[]) => files.map(({ path, text }) => ({ path, content: text }));

/** @param base has the messages that are compared with */
async function rowOf(
  base: Advisor,
  { after, deployed, applied: { changes } }: Awaited<ReturnType<Advisor['measure']>>,
  { sides }: SchemaComparison,
): Promise<Reencoded['row']> {
  const written = await base.compared(deployed.units, changes);
  const saved = difference(base.baseline.before, after);
  const [[ranked, band] = ['', 0]] = Object.entries(written.noise);
  const left = written.saved.compressed[ranked] ?? written.saved.bytes;
  return {
    after,
    saved,
    noise: written.noise,
    deployed: { moves: deployed.moves, after: written.after, saved: written.saved },
    id: 0,
    title: 'The edited schema',
    changes,
    against: 'before',
    compatibility: { ...sides, reasons: [] },
    effort: sides.binary === 'unsafe' ? 'new message version' : 'schema compatible',
    isCounterfactual: false,
    isNoDifference: Math.abs(left) <= band,
    isWon: saved.bytes > 0 || written.saved.bytes > 0 || left > band,
    signsDiffer: left * written.saved.bytes < 0,
    isSettled: true,
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
