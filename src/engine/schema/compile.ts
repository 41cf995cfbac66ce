/**
 * Schema files, as text or as descriptor sets, into the registry. Two readers, one linker: whatever a schema comes as,
 * the same declarations are linked by the same rules. Total: what is wrong with a file is a finding beside the rest.
 *
 *   .proto text ─ text-file ──┐
 *                             ├─▶ declarations ─ imports, link ─▶ registry
 *   .binpb ─ descriptor-set ──┘
 */
import type { Diagnostic } from '../diagnostic.ts';
import { builtInFile, builtInOptionsMessage } from './built-in.ts';
import type { FileDeclaration } from './declaration.ts';
import type { Registry } from './descriptor.ts';
import { readDescriptorSet } from './descriptor-set.ts';
import { type ImportGraph, resolveImports } from './imports.ts';
import { link } from './link.ts';
import { diagnosticOf, reportInto } from './report.ts';
import { type Place, placeIn, type SchemaSymbols } from './symbols.ts';
import { readTextFile } from './text-file.ts';

export interface SchemaSource {
  /** As imports name it, or the name it was dropped under. */
  readonly path: string;
  /** Text of a .proto file, or bytes of a FileDescriptorSet. */
  readonly content: string | Uint8Array;
}

export interface CompiledSchema {
  /** What could be compiled; with errors, what is right. */
  readonly registry: Registry;
  readonly symbols: SchemaSymbols;
  readonly missing: readonly MissingImport[];
  readonly diagnostics: readonly Diagnostic[];
}

/** A path that files import and nothing loaded has. */
export interface MissingImport {
  readonly path: string;
  /** Where it is imported; files that were not read from text have no place. */
  readonly importedBy: readonly { readonly file: string; readonly place: Place | undefined }[];
}

export interface CompileOptions {
  /** Called after each file read, with how many there are. May throw to stop. */
  readonly onFile?: (done: number, total: number) => void;
}

/** More text than any hand-written schema has; reading it would block for minutes. */
const MAX_TEXT = 16 * 1024 * 1024;

/** Faults of one file that are worth telling. */
const MAX_PROBLEMS = 100;

interface Read {
  readonly file: FileDeclaration;
  /** By which two copies of a file are told apart. */
  readonly identity: string;
}

export function compileSchema(sources: readonly SchemaSource[], { onFile }: CompileOptions = {}): CompiledSchema {
  const diagnostics: Diagnostic[] = [];
  const files = new Map<string, Read>();
  const add = (read: Read) => {
    const known = files.get(read.file.path);
    if (known === undefined) {
      files.set(read.file.path, read);
      return;
    }
    // Every descriptor set brings its own copy of what it imports, and compilers differ in theirs.
    if (known.identity === read.identity || builtInFile(read.file.path) !== undefined) return;
    diagnostics.push({
      ...whole(
        read.file.path,
        'schema/duplicate-file',
        `"${read.file.path}" is loaded twice, with two contents; the first one counts.`,
      ),
      severity: 'warning',
    });
  };
  for (const [index, { path, content }] of sources.entries()) {
    for (const read of readSource(path, content, diagnostics)) add(read);
    onFile?.(index + 1, sources.length);
  }
  const report = reportInto(diagnostics);
  const graph = resolveImports(
    [...files.values()].map(({ file }) => file),
    builtInFile,
    report,
  );
  return { ...link(graph, builtInOptionsMessage, report), missing: missingImports(graph), diagnostics };
}

function missingImports(graph: ImportGraph): readonly MissingImport[] {
  const missing = new Map<string, { readonly file: string; readonly place: Place | undefined }[]>();
  for (const { file, declared } of graph.missing) {
    const from = { file: file.path, place: file.lines && placeIn(file, declared.span) };
    const by = missing.get(declared.path);
    if (by === undefined) missing.set(declared.path, [from]);
    else by.push(from);
  }
  return [...missing].map(([path, importedBy]) => ({ path, importedBy }));
}

/** A finding about a file as such. */
const whole = (file: string, code: string, message: string): Diagnostic =>
  diagnosticOf({ path: file, lines: undefined }, { code, message, start: 0, end: 0 });

function readSource(path: string, content: string | Uint8Array, diagnostics: Diagnostic[]): readonly Read[] {
  if (typeof content === 'string') {
    if (content.length > MAX_TEXT) {
      diagnostics.push(whole(path, 'schema/too-large', 'This is too much text for a schema; load a descriptor set.'));
      return [];
    }
    const { file, problems } = readTextFile(path, content);
    for (const problem of problems.slice(0, MAX_PROBLEMS)) diagnostics.push(diagnosticOf(file, problem));
    return [{ file, identity: content }];
  }
  try {
    const read = readDescriptorSet(content);
    if (read.length === 0) diagnostics.push(whole(path, 'schema/empty-set', 'This descriptor set holds no file.'));
    return read;
  } catch {
    // Whatever the decoder stumbles over: the bytes are not what they are taken for.
    const text = 'This is no descriptor set. Write one with: protoc --include_imports --descriptor_set_out=FILE.binpb';
    diagnostics.push(whole(path, 'schema/not-a-set', text));
    return [];
  }
}
