/**
 * Edits of a schema → a patch. For loaded .proto files, it is a unified diff. For files of descriptor sets, it adds the
 * complete .proto as a new file.
 */
import type { SchemaSource } from '../schema/compile.ts';
import type { Registry } from '../schema/descriptor.ts';
import { editFiles } from '../schema/edit/edit-files.ts';
import { editText } from '../schema/edit/edit-text.ts';
import { filesOf } from '../schema/edit/file-set.ts';
import { printProto } from '../schema/edit/print-file.ts';
import type { SchemaEdits } from '../schema/edit/schema-edits.ts';
import { applyTextEdits, UnwritableEdit } from '../schema/edit/text-edit.ts';
import { textsOf } from '../schema/edit/texts-of.ts';
import { newFileDiff, unifiedDiff } from '../schema/edit/unified-diff.ts';
import type { SchemaSymbols } from '../schema/symbols.ts';

export interface LoadedSchema {
  readonly registry: Registry;
  readonly symbols: SchemaSymbols;
  readonly sources: readonly SchemaSource[];
}

export interface Patch {
  /** Empty: no file changes. */
  readonly diff: string;
  /** The complete text of changed files. */
  readonly files: ReadonlyMap<string, string>;
  /** Why there is no patch although something changes; undefined: there is a patch, or nothing changes. */
  readonly refused: string | undefined;
}

export function patchOf({ registry, symbols, sources }: LoadedSchema, edits: SchemaEdits): Patch {
  const changed = changedFiles(registry, edits);
  const texts = textsOf(sources);
  const files = new Map<string, string>();
  let diff = '';
  try {
    for (const file of registry.files) {
      const text = texts.get(file.path);
      if (!changed.has(file.path) || text === undefined) continue;
      const textEdits = editText(text, file, registry, symbols, edits);
      files.set(file.path, applyTextEdits(text, textEdits));
      diff += unifiedDiff(file.path, text, textEdits);
    }
  } catch (error) {
    if (error instanceof UnwritableEdit) return { diff: '', files: new Map(), refused: error.message };
    throw error;
  }
  const printed = [...changed].filter((path) => !texts.has(path));
  if (printed.length > 0) {
    const protos = filesOf(sources, registry);
    editFiles(protos, edits);
    for (const proto of protos) {
      if (!printed.includes(proto.name)) continue;
      const text = printProto(proto);
      files.set(proto.name, text);
      diff += newFileDiff(proto.name, text);
    }
  }
  return { diff, files, refused: undefined };
}

/** Paths of the files that the edits change. */
function changedFiles(registry: Registry, { fields, added, enums, reserved }: SchemaEdits): ReadonlySet<string> {
  const paths = new Set<string>();
  for (const { message, field } of fields) {
    const file = field.startsWith('[')
      ? registry.extensions.get(field.slice(1, -1))?.file
      : registry.messages.get(message)?.file;
    if (file !== undefined) paths.add(file);
  }
  for (const { message } of [...added, ...enums, ...reserved]) {
    const file = registry.messages.get(message)?.file;
    if (file !== undefined) paths.add(file);
  }
  return paths;
}
