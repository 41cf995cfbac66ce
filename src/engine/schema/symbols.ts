/**
 * The positions of each name in schema files: its definition and its references. It answers an editor's questions about
 * an offset in a file's text. Files that were not read from text have no positions.
 */
import type { FileDeclaration } from './declaration.ts';
import { lineAndColumn, type Span } from './text/tokens.ts';

export type SymbolKind = 'file' | 'message' | 'enum' | 'value' | 'field' | 'oneof' | 'extension' | 'service' | 'method';

/** A symbol by name: the path of a file, or a full name without a leading dot. */
export interface SymbolName {
  readonly kind: SymbolKind;
  readonly fullName: string;
}

/** Offsets are UTF-16 units of the file's text. Line and column are those of `start`, 1-based. */
export interface SymbolPlace extends Span {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** A name at a place in a text. */
export interface SymbolUse extends SymbolName {
  readonly place: SymbolPlace;
  readonly isDefinition: boolean;
}

export interface SymbolDefinition extends SymbolName {
  /** The place of the name only. */
  readonly place: SymbolPlace;
  /** From the first word of the declaration to its last brace or semicolon. */
  readonly extent: Span;
}

/** A file, and the offsets of its text's lines. */
export type FileText = Pick<FileDeclaration, 'path' | 'lines'>;

export interface Written extends Span {
  readonly symbol: SymbolName;
  /** Extent of a definition. */
  readonly extent: Span | undefined;
}

/** Numbers of a written name: its start and end, and those of a definition's extent. References have no extent. */
const NUMBERS = 4;

/** The names written in one file, in the order of its text. An object per name would take 100 bytes more. */
export class WrittenNames implements Iterable<Written> {
  readonly file: FileText;
  readonly #symbols: SymbolName[] = [];
  #numbers = new Uint32Array(16 * NUMBERS);
  /** Indexes in the order of the text; undefined: not sorted yet. */
  #order: Uint32Array | undefined;

  constructor(file: FileText) {
    this.file = file;
  }

  add(symbol: SymbolName, { start, end }: Span, extent: Span | undefined): void {
    const at = this.#symbols.length * NUMBERS;
    if (at === this.#numbers.length) {
      const larger = new Uint32Array(2 * at);
      larger.set(this.#numbers);
      this.#numbers = larger;
    }
    this.#numbers.set([start, end, extent?.start ?? 0, extent?.end ?? 0], at);
    this.#symbols.push(symbol);
    this.#order = undefined;
  }

  get length(): number {
    return this.#symbols.length;
  }

  startOf(index: number): number {
    return this.#numbers[this.#sorted()[index]! * NUMBERS]!;
  }

  at(index: number): Written {
    return this.#entry(this.#sorted()[index]!);
  }

  *[Symbol.iterator](): Iterator<Written> {
    for (const index of this.#sorted()) yield this.#entry(index);
  }

  #entry(index: number): Written {
    const [start, end, from, to] = this.#numbers.subarray(index * NUMBERS, (index + 1) * NUMBERS);
    const extent = to === 0 ? undefined : { start: from!, end: to! };
    return { symbol: this.#symbols[index]!, start: start!, end: end!, extent };
  }

  #sorted(): Uint32Array {
    const startOf = (index: number): number => this.#numbers[index * NUMBERS]!;
    this.#order ??= Uint32Array.from(this.#symbols.keys()).sort((a, b) => startOf(a) - startOf(b) || a - b);
    return this.#order;
  }
}

/** Opaque: ask `symbolAt`, `definitionOf`, `referencesTo` and `definitionsIn`. */
export class SchemaSymbols {
  readonly #files = new Map<string, WrittenNames>();
  /** Indexed by the first question. */
  #definitions: Map<string, { readonly file: FileText; readonly written: Written }> | undefined;

  define(file: FileText, symbol: SymbolName, span: Span, extent: Span): void {
    this.#add(file, symbol, span, extent);
  }

  refer(file: FileText, symbol: SymbolName, span: Span): void {
    this.#add(file, symbol, span, undefined);
  }

  #add(file: FileText, symbol: SymbolName, span: Span, extent: Span | undefined): void {
    if (file.lines === undefined || span.end <= span.start) return;
    const names = this.#files.get(file.path) ?? new WrittenNames(file);
    if (names.length === 0) this.#files.set(file.path, names);
    names.add(symbol, span, extent);
    this.#definitions = undefined;
  }

  in(path: string): WrittenNames | undefined {
    return this.#files.get(path);
  }

  definition(fullName: string): { readonly file: FileText; readonly written: Written } | undefined {
    this.#definitions ??= this.#indexed();
    return this.#definitions.get(fullName);
  }

  #indexed(): Map<string, { readonly file: FileText; readonly written: Written }> {
    const definitions = new Map<string, { readonly file: FileText; readonly written: Written }>();
    for (const names of this.files()) {
      for (const written of names) {
        if (written.extent !== undefined) definitions.set(written.symbol.fullName, { file: names.file, written });
      }
    }
    return definitions;
  }

  files(): Iterable<WrittenNames> {
    return this.#files.values();
  }
}

export const placeIn = (file: FileText, { start, end }: Span): SymbolPlace => ({
  file: file.path,
  start,
  end,
  ...lineAndColumn(file.lines!, start),
});

/** The symbol that the name at an offset of a file's text refers to. An offset one past the name still counts. */
export function symbolAt(symbols: SchemaSymbols, path: string, offset: number): SymbolUse | undefined {
  const names = symbols.in(path);
  if (names === undefined) return undefined;
  let low = 0;
  let high = names.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (names.startOf(middle) <= offset) low = middle + 1;
    else high = middle;
  }
  // Several names may begin at the same offset: a group is a field and a message. The first declared one counts.
  let found: Written | undefined;
  for (let at = low - 1; at >= 0 && names.startOf(at) === names.startOf(low - 1); at--) {
    const written = names.at(at);
    if (offset <= written.end) found = written;
  }
  if (found === undefined) return undefined;
  return { ...found.symbol, place: placeIn(names.file, found), isDefinition: found.extent !== undefined };
}

/** Where a symbol is declared; undefined: descriptor sets and built-in files have no text. */
export function definitionOf(symbols: SchemaSymbols, { kind, fullName }: SymbolName): SymbolDefinition | undefined {
  if (kind === 'file') {
    const known = symbols.in(fullName);
    if (known === undefined) return undefined;
    const start = { start: 0, end: 0 };
    return { kind, fullName, place: placeIn(known.file, start), extent: start };
  }
  const found = symbols.definition(fullName);
  return found && definitionAt(found.file, found.written);
}

const definitionAt = (file: FileText, written: Written): SymbolDefinition => ({
  ...written.symbol,
  place: placeIn(file, written),
  extent: written.extent!,
});

/** Every use of a symbol, in the order of files and offsets, without its definition. */
export function referencesTo(symbols: SchemaSymbols, { kind, fullName }: SymbolName): readonly SymbolPlace[] {
  const places: SymbolPlace[] = [];
  for (const names of symbols.files()) {
    for (const use of names) {
      if (use.extent !== undefined || use.symbol.fullName !== fullName) continue;
      if ((use.symbol.kind === 'file') === (kind === 'file')) places.push(placeIn(names.file, use));
    }
  }
  return places;
}

/** All declarations of a file in source order, nested by extent. */
export function definitionsIn(symbols: SchemaSymbols, path: string): readonly SymbolDefinition[] {
  const definitions: SymbolDefinition[] = [];
  const names = symbols.in(path);
  for (const written of names ?? []) {
    if (written.extent !== undefined) definitions.push(definitionAt(names!.file, written));
  }
  return definitions;
}
