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

interface Written extends Span {
  readonly file: FileText;
  readonly symbol: SymbolName;
  /** Extent of a definition. */
  readonly extent: Span | undefined;
}

/** Opaque: ask `symbolAt`, `definitionOf`, `referencesTo` and `definitionsIn`. */
export class SchemaSymbols {
  readonly #files = new Map<string, { readonly file: FileText; readonly written: Written[]; sorted: boolean }>();
  readonly #definitions = new Map<string, Written>();

  define(file: FileText, symbol: SymbolName, span: Span, extent: Span): void {
    const written = this.#add(file, { file, symbol, start: span.start, end: span.end, extent });
    if (written !== undefined) this.#definitions.set(symbol.fullName, written);
  }

  refer(file: FileText, symbol: SymbolName, span: Span): void {
    this.#add(file, { file, symbol, start: span.start, end: span.end, extent: undefined });
  }

  #add(file: FileText, written: Written): Written | undefined {
    if (file.lines === undefined || written.end <= written.start) return undefined;
    const known = this.#files.get(file.path);
    if (known === undefined) this.#files.set(file.path, { file, written: [written], sorted: true });
    else {
      known.written.push(written);
      known.sorted = false;
    }
    return written;
  }

  /** The names written in a file, in the order of its text. */
  in(path: string): { readonly file: FileText; readonly written: readonly Written[] } | undefined {
    const known = this.#files.get(path);
    if (known !== undefined && !known.sorted) {
      known.written.sort((a, b) => a.start - b.start);
      known.sorted = true;
    }
    return known;
  }

  definition(fullName: string): { readonly file: FileText; readonly written: Written } | undefined {
    const written = this.#definitions.get(fullName);
    return written && { file: written.file, written };
  }

  *files(): Iterable<{ readonly file: FileText; readonly written: readonly Written[] }> {
    for (const path of this.#files.keys()) yield this.in(path)!;
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
  const known = symbols.in(path);
  if (known === undefined) return undefined;
  const { file, written } = known;
  let low = 0;
  let high = written.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (written[middle]!.start <= offset) low = middle + 1;
    else high = middle;
  }
  // Several names may begin at the same offset: a group is a field and a message. The first declared one counts.
  let found: Written | undefined;
  for (let at = low - 1; at >= 0 && written[at]!.start === written[low - 1]!.start; at--) {
    if (offset <= written[at]!.end) found = written[at];
  }
  if (found === undefined) return undefined;
  return { ...found.symbol, place: placeIn(file, found), isDefinition: found.extent !== undefined };
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
  return found && definitionAt(found.written);
}

const definitionAt = (written: Written): SymbolDefinition => ({
  ...written.symbol,
  place: placeIn(written.file, written),
  extent: written.extent!,
});

/** Every use of a symbol, in the order of files and offsets, without its definition. */
export function referencesTo(symbols: SchemaSymbols, { kind, fullName }: SymbolName): readonly SymbolPlace[] {
  const places: SymbolPlace[] = [];
  for (const { file, written } of symbols.files()) {
    for (const use of written) {
      if (use.extent !== undefined || use.symbol.fullName !== fullName) continue;
      if ((use.symbol.kind === 'file') === (kind === 'file')) places.push(placeIn(file, use));
    }
  }
  return places;
}

/** All declarations of a file in source order, nested by extent. */
export function definitionsIn(symbols: SchemaSymbols, path: string): readonly SymbolDefinition[] {
  const known = symbols.in(path);
  if (known === undefined) return [];
  return known.written.flatMap((written) => (written.extent === undefined ? [] : [definitionAt(written)]));
}
