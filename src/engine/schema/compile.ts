/**
 * Compiles schema files, as text or as descriptor sets, into the registry. There are two readers and one linker: every
 * form of a schema becomes the same declarations, which are linked by the same rules. Any input is accepted: faults of
 * a file become findings, and the rest is compiled.
 *
 * Archives, compressed files and JSON are unpacked before (`plain-sources.ts`).
 *
 *   .proto text ─ text-file ──┐
 *                             ├─▶ declarations ─ imports, link ─▶ registry
 *   .binpb ─ descriptor-set ──┘
 */
import type { Diagnostic } from '../model/diagnostic.ts';
import { builtInFile, builtInOptionsMessage } from './built-in.ts';
import type { FileDeclaration, MessageDeclaration } from './declaration.ts';
import type { Registry } from './descriptor.ts';
import { type ImportGraph, resolveImports } from './imports.ts';
import { type LinkedSchema, link } from './link/link.ts';
import { diagnosticOf, reportInto } from './report.ts';
import { declaredNames, isSameFile } from './same-file.ts';
import { readDescriptorSet } from './set/descriptor-set.ts';
import { runToEnd } from './steps.ts';
import { placeIn, type SchemaSymbols, type SymbolPlace } from './symbols.ts';
import { readTextFile } from './text/read-file.ts';

export interface SchemaSource {
  /** The path that imports use, or else the name of the dropped file. */
  readonly path: string;
  /** Text of a .proto file, or bytes of a descriptor set. Only `plainSources` takes packed bytes. */
  readonly content: string | Uint8Array;
}

export interface CompiledSchema {
  /** Every declaration that could be compiled. Faulty declarations are missing. */
  readonly registry: Registry;
  readonly symbols: SchemaSymbols;
  readonly missing: readonly MissingImport[];
  readonly diagnostics: readonly Diagnostic[];
}

/** A path that files import and that no loaded file has. */
export interface MissingImport {
  readonly path: string;
  /** Places of the import. Files that were not read from text have no place. */
  readonly importedBy: readonly { readonly file: string; readonly place: SymbolPlace | undefined }[];
}

export interface CompileProgress {
  /** Files are read one by one, and then all are linked. Declarations that are linked on demand are checked last. */
  readonly phase: 'reading' | 'linking' | 'checking';
  /** Completed units of `total`. Units are not comparable between schemas. */
  readonly done: number;
  readonly total: number;
}

/** A schema that can be used before the types that are linked on demand are checked. */
export interface OpenedSchema extends CompiledSchema {
  /**
   * Links and checks the types that are linked on demand, and returns their faults. The places of their names in texts
   * are known afterwards.
   */
  readonly check: () => Generator<CompileProgress, readonly Diagnostic[]>;
}

/** More text than any hand-written schema has. Reading more would block for minutes. */
const MAX_TEXT = 16 * 1024 * 1024;

/**
 * Memory of a compiled text: at most 200 bytes for each token, measured with the shortest declarations in any order
 * (maps and nested messages take most). Together, the texts of a schema may take 64 bytes for each of their characters,
 * and 128 MiB (docs/security.md). Usual texts have a token in 5 to 10 characters.
 */
const BYTES_PER_TOKEN = 200;
const BYTES_PER_CHARACTER = 64;
const SPARE_BYTES = 128 * 1024 * 1024;

/** Maximum number of reported faults of one file. */
const MAX_PROBLEMS = 100;

interface Read {
  readonly file: FileDeclaration;
  /** Equal for identical copies of a file. */
  readonly identity: () => string;
}

/** The sources of a registry, so that another worker can compile the same. */
export interface SchemaOrigin {
  readonly sources: readonly SchemaSource[];
  /** The texts have no faults, as the bundled ones. */
  readonly isSound: boolean;
}

const compiledFrom = new WeakMap<Registry, SchemaOrigin>();

export const originOf = (registry: Registry): SchemaOrigin | undefined => compiledFrom.get(registry);

export const sourcesOf = (registry: Registry): readonly SchemaSource[] | undefined => originOf(registry)?.sources;

/** Compiles sources completely: everything is linked and checked. */
export function compileSchema(sources: readonly SchemaSource[]): CompiledSchema {
  const { registry, symbols, missing, diagnostics, check } = openSchema(sources);
  return { registry, symbols, missing, diagnostics: [...diagnostics, ...runToEnd(check())] };
}

/**
 * Compiles sources for quick use. Texts are linked and checked. For descriptor sets and sound texts, only names are
 * known, and types are linked on demand.
 */
export const openSchema = (sources: readonly SchemaSource[], isSound = false): OpenedSchema =>
  runToEnd(openingSteps(sources, { isSound }));

interface OpeningChoices {
  /** Indexes of the sources that count for files of several forms: a registry to compare with, without findings. */
  readonly preferred?: ReadonlyMap<string, number>;
  /** The texts have no faults, so their types are linked on demand. */
  readonly isSound?: boolean;
}

/** The text of a file that was loaded in a descriptor set before, or the reverse. */
interface OtherForm extends Pick<Read, 'identity'> {
  readonly names: readonly [first: readonly string[], own: readonly string[]];
  /** Index of its source. */
  readonly source: number;
}

/** The same in many small steps, which report progress. */
export function* openingSteps(
  given: readonly SchemaSource[],
  { preferred, isSound = false }: OpeningChoices = {},
): Generator<CompileProgress, OpenedSchema> {
  const diagnostics: Diagnostic[] = [];
  const files = new Map<string, Read>();
  const otherForms = new Map<string, OtherForm[]>();
  const reportTwice = (path: string): void => {
    const text = `"${path}" is loaded twice, with two contents; the first one counts.`;
    diagnostics.push({ ...whole(path, 'schema/duplicate-file', text), severity: 'warning' });
  };
  const add = (read: Read, source: number) => {
    const { path, outline } = read.file;
    if ((preferred?.get(path) ?? source) !== source) return;
    const known = files.get(path);
    if (known === undefined) {
      files.set(path, read);
      return;
    }
    // Every descriptor set contains copies of its imports, and the copies of different compilers differ.
    if (preferred !== undefined || known.identity() === read.identity() || builtInFile(path) !== undefined) return;
    if ((known.file.outline === undefined) === (outline === undefined)) {
      reportTwice(path);
      return;
    }
    const { identity } = read;
    const others = otherForms.get(path) ?? [];
    if (others.some((other) => other.identity() === identity())) return;
    otherForms.set(path, [
      ...others,
      { identity, source, names: [declaredNames(known.file), declaredNames(read.file)] },
    ]);
  };
  const room = new TokenRoom();
  for (const [index, { path, content }] of given.entries()) {
    const progress = { phase: 'reading', total: given.length } as const;
    for (const read of readSource(path, content, room, diagnostics, isSound)) {
      add(read, index);
      yield { ...progress, done: index };
    }
    yield { ...progress, done: index + 1 };
  }
  const report = reportInto(diagnostics);
  const graph = resolveImports(
    [...files.values()].map(({ file }) => file),
    builtInFile,
    report,
  );
  const linking = link(graph, builtInOptionsMessage, report);
  // Each file takes one step. In texts, each message takes two steps, and most options take one more.
  const texts = graph.files.filter(({ outline }) => outline === undefined);
  const total = graph.files.length + 8 * texts.reduce((sum, file) => sum + countMessages(file.messages), 0);
  let step = linking.next();
  for (let done = 1; !step.done; done++) {
    yield { phase: 'linking', done: Math.min(done, total), total };
    step = linking.next();
  }
  const { registry, symbols, check, unchecked } = step.value;
  compiledFrom.set(registry, { sources: given, isSound });
  yield* compareForms(given, otherForms, registry, reportTwice);
  return {
    registry,
    symbols,
    missing: missingImports(graph),
    diagnostics,
    check: () => checkingSteps(check, unchecked),
  };
}

/** Compares the further forms of files with the first ones: all second forms together, then all third ones, and so on. */
function* compareForms(
  given: readonly SchemaSource[],
  otherForms: ReadonlyMap<string, readonly OtherForm[]>,
  first: Registry,
  reportTwice: (path: string) => void,
): Generator<CompileProgress, void> {
  for (let nth = 0; ; nth++) {
    const forms = [...otherForms].flatMap(([path, { [nth]: form }]) => (form === undefined ? [] : { path, ...form }));
    if (forms.length === 0) return;
    const preferred = new Map(forms.map(({ path, source }) => [path, source]));
    const { registry: other } = yield* openingSteps(given, { preferred });
    for (const { path, names } of forms) if (!isSameFile(names, first, other)) reportTwice(path);
  }
}

function* checkingSteps(
  check: LinkedSchema['check'],
  total: number,
): Generator<CompileProgress, readonly Diagnostic[]> {
  const diagnostics: Diagnostic[] = [];
  const steps = check(reportInto(diagnostics));
  for (let done = 0; !steps.next().done; done++) yield { phase: 'checking', done, total };
  return diagnostics;
}

function missingImports(graph: ImportGraph): readonly MissingImport[] {
  const missing = new Map<string, { readonly file: string; readonly place: SymbolPlace | undefined }[]>();
  for (const { file, declared } of graph.missing) {
    const from = { file: file.path, place: file.lines && placeIn(file, declared.span) };
    const by = missing.get(declared.path);
    if (by === undefined) missing.set(declared.path, [from]);
    else by.push(from);
  }
  return [...missing].map(([path, importedBy]) => ({ path, importedBy }));
}

/** A finding about a whole file. */
const whole = (file: string, code: string, message: string): Diagnostic =>
  diagnosticOf({ path: file, lines: undefined }, { code, message, start: 0, end: 0 });

const countMessages = (messages: readonly MessageDeclaration[]): number =>
  messages.reduce((sum, { messages: nested }) => sum + 1 + countMessages(nested), 0);

/** The tokens that the texts of a schema may still have. */
class TokenRoom {
  #bytes = SPARE_BYTES;

  /** Enters a text; false: its declarations would take too much memory. */
  takes(characters: number, tokens: number): boolean {
    const left = this.#bytes + characters * BYTES_PER_CHARACTER - tokens * BYTES_PER_TOKEN;
    if (left < 0) return false;
    this.#bytes = left;
    return true;
  }
}

function* readSource(
  path: string,
  content: string | Uint8Array,
  room: TokenRoom,
  diagnostics: Diagnostic[],
  isSound: boolean,
): Generator<Read, void> {
  if (typeof content === 'string') {
    if (content.length > MAX_TEXT) {
      diagnostics.push(whole(path, 'schema/too-large', 'This is too much text for a schema; load a descriptor set.'));
      return;
    }
    const read = readTextFile(path, content, (tokens) => room.takes(content.length, tokens), isSound);
    if (read === undefined) {
      const text = 'This schema has too many declarations for the memory of its texts; load a descriptor set.';
      diagnostics.push(whole(path, 'schema/too-large', text));
      return;
    }
    const { file, problems } = read;
    for (const problem of problems.slice(0, MAX_PROBLEMS)) diagnostics.push(diagnosticOf(file, problem));
    yield { file, identity: () => content };
    return;
  }
  let files = 0;
  try {
    for (const read of readDescriptorSet(content)) {
      files++;
      if (read.isUnknownEdition) {
        const text = 'This file is of an edition whose rules are not known here; it is read by those of 2024.';
        diagnostics.push(whole(read.file.path, 'schema/unknown-syntax', text));
      }
      yield read;
    }
  } catch {
    // Any error of the reader means that the bytes are not in the assumed format.
    const text =
      'This is not a descriptor set. Write one with: protoc --include_imports --descriptor_set_out=FILE.binpb';
    diagnostics.push(whole(path, 'schema/not-a-set', text));
    return;
  }
  if (files === 0) diagnostics.push(whole(path, 'schema/empty-set', 'This descriptor set holds no file.'));
}
