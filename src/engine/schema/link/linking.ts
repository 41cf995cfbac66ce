/** The context of linking one declaration: names, imports, features, and the list of findings. */
import type { FileDeclaration } from '../declaration.ts';
import type { ImportGraph } from '../imports.ts';
import { shortNameOf } from '../names.ts';
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
  readonly symbols: Pick<SchemaSymbols, 'refer'>;
  /** undefined: findings are not needed, so checks are skipped. */
  readonly report: ReportFinding | undefined;
  /** Declares a name. false: the name is taken, which is reported. */
  readonly declare: Declare;
  /** Calls `read` as soon as every extension is known. */
  readonly withOptions: (read: (options: OptionsReader) => void) => void;
  /** Links on demand: options are read afterwards, because they may be of the type that is being linked. */
  readonly beforeOptions: (link: () => void) => void;
}

/** @param span the name @param extent the declaration */
export type Declare = (symbol: SchemaSymbol, span: Span, extent?: Span) => boolean;

/** @param taken returns the symbol that already has the name; otherwise the name now belongs to the given symbol */
export const declareWith =
  (
    taken: (symbol: SchemaSymbol) => SchemaSymbol | undefined,
    scope: NameScope,
    symbols: Pick<SchemaSymbols, 'define'>,
    report: ReportFinding,
  ): Declare =>
  (symbol, span, extent) => {
    const { fullName, file } = symbol;
    if (!isIdentifier(fullName, fullName.lastIndexOf('.') + 1)) {
      report(
        file,
        span,
        'schema/name',
        `"${shortNameOf(fullName)}" is not a name: letters, digits and "_" only, no digit first.`,
      );
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
    reportTaken(symbol, known, span, report);
    return false;
  };

/** @param symbol whose name belongs to `known` already */
function reportTaken(
  { fullName, kind, file }: SchemaSymbol,
  known: SchemaSymbol,
  span: Span,
  report: ReportFinding,
): void {
  const where = known.file === file ? '' : ` in "${known.file.path}"`;
  const hint =
    kind === 'value' && known.kind === 'value'
      ? ' The values of an enum are names of the scope around the enum, so two enums side by side cannot share one.'
      : '';
  report(file, span, 'schema/duplicate-name', `"${fullName}" is already defined${where}.${hint}`);
}

/** Declares names that are not added to the scope: members of types that are not looked up by name. */
export function declareOutsideScope(scope: NameScope): (symbol: SchemaSymbol) => SchemaSymbol | undefined {
  const names = new Map<string, SchemaSymbol>();
  return (symbol) => {
    const known = scope.get(symbol.fullName) ?? names.get(symbol.fullName);
    if (known === undefined) names.set(symbol.fullName, symbol);
    return known;
  };
}

/** Declares the members of one type without findings. Two members must not have the same name. */
export function declareQuietly(): Declare {
  const names = new Set<string>();
  return ({ fullName }) => {
    const { size } = names;
    return names.add(fullName).size > size;
  };
}

/** Reports that the bytes of a descriptor are damaged. */
export function reportDamage(fullName: string, file: FileDeclaration, report: ReportFinding): void {
  const text = `The descriptor of "${fullName}" is damaged; only the part before the damage is read.`;
  report(file, { start: 0, end: 0 }, 'schema/not-a-set', text);
}

export const silent: ReportFinding = () => {};
