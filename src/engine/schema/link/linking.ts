/** The context of linking one declaration: names, imports, features, and the list of findings. */
import type { FileDeclaration } from '../declaration.ts';
import type { ImportGraph } from '../imports.ts';
import type { ReportFinding } from '../report.ts';
import type { SchemaSymbols } from '../symbols.ts';
import type { Span } from '../text/tokens.ts';
import type { OptionsReader } from './options.ts';
import { isIdentifier, MAX_NAME } from './rules.ts';
import type { NameScope, SchemaSymbol } from './scope.ts';

export type LinkDraft<T> = { -readonly [K in keyof T]: T[K] };

export interface Linking {
  readonly scope: NameScope;
  readonly graph: ImportGraph;
  readonly symbols: SchemaSymbols;
  /** undefined: faults are not wanted, so what only looks for them is skipped. */
  readonly report: ReportFinding | undefined;
  /** Gives a name to a declaration; false where it cannot have it, which is reported. */
  readonly declare: Declare;
  /** Reads options, once every extension is known. */
  readonly withOptions: (read: (options: OptionsReader) => void) => void;
}

export type Declare = (symbol: SchemaSymbol, extent?: Span) => boolean;

/** @param taken gives the symbol that has the name already; else the name is the symbol's from now on. */
export const declareWith =
  (
    taken: (symbol: SchemaSymbol) => SchemaSymbol | undefined,
    scope: NameScope,
    symbols: SchemaSymbols,
    report: ReportFinding,
  ): Declare =>
  (symbol, extent) => {
    const { fullName, file, span } = symbol;
    if (!isIdentifier(fullName, fullName.lastIndexOf('.') + 1)) {
      const name = fullName.slice(fullName.lastIndexOf('.') + 1);
      report(file, span, 'schema/name', `"${name}" is not a name: letters, digits and "_" only, no digit first.`);
      return false;
    }
    if (fullName.length > MAX_NAME) {
      report(file, span, 'schema/name', `A full name has ${MAX_NAME} letters at most.`);
      return false;
    }
    if (scope.isPackage(fullName)) {
      report(file, span, 'schema/duplicate-name', `"${fullName}" is the name of a package already.`);
      return false;
    }
    const known = taken(symbol);
    if (known === undefined) {
      if (extent !== undefined) symbols.define(file, symbol, span, extent);
      return true;
    }
    const where = known.file === file ? '' : ` in "${known.file.path}"`;
    const hint =
      symbol.kind === 'value' && known.kind === 'value'
        ? ' The values of an enum are names of the scope around the enum, so two enums side by side cannot share one.'
        : '';
    report(file, span, 'schema/duplicate-name', `"${fullName}" is already defined${where}.${hint}`);
    return false;
  };

/** Names beside those of a scope, which stay out of it: the members of types that are not looked up by name. */
export function beside(scope: NameScope): (symbol: SchemaSymbol) => SchemaSymbol | undefined {
  const names = new Map<string, SchemaSymbol>();
  return (symbol) => {
    const known = scope.get(symbol.fullName) ?? names.get(symbol.fullName);
    if (known === undefined) names.set(symbol.fullName, symbol);
    return known;
  };
}

/** For one type whose faults are not wanted: two members cannot have one name. */
export function declareQuietly(): Declare {
  const names = new Set<string>();
  return ({ fullName }) => {
    const { size } = names;
    return names.add(fullName).size > size;
  };
}

/** Bytes of a set that stop being a descriptor at some place. */
export function reportDamage(fullName: string, file: FileDeclaration, report: ReportFinding): void {
  const text = `The descriptor of "${fullName}" is damaged; what stands before the damage is read.`;
  report(file, { start: 0, end: 0 }, 'schema/not-a-set', text);
}

export const silent: ReportFinding = () => {};
