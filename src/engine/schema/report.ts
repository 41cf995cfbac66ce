/** Findings about schema files: a span of a file's text becomes a diagnostic with line and column. */
import type { Diagnostic } from '../model/diagnostic.ts';
import type { FileDeclaration } from './declaration.ts';
import { lineAndColumn, type Problem, type Span } from './text/tokens.ts';

export type ReportFinding = (
  file: FileDeclaration,
  span: Span,
  code: string,
  message: string,
  severity?: Diagnostic['severity'],
) => void;

type Place = Pick<FileDeclaration, 'path' | 'lines'>;

export function diagnosticOf(file: Place, problem: Problem, severity: Diagnostic['severity'] = 'error'): Diagnostic {
  const { code, message, start, end } = problem;
  // Declarations that were not read from text have no line and column.
  if (file.lines === undefined) return { code, severity, message, space: 'schema', start: 0, end: 0, file: file.path };
  return { code, severity, message, space: 'schema', start, end, file: file.path, ...lineAndColumn(file.lines, start) };
}

/** Maximum number of findings, of all files together. */
const MAX_FINDINGS = 1000;

/**
 * Collects findings in a list. Past the limit, the errors of a file are one: types that are touched by an error must
 * not seem sound.
 */
export function reportInto(diagnostics: Diagnostic[]): ReportFinding {
  const cut = new Set<string>();
  return (file, span, code, message, severity = 'error') => {
    if (diagnostics.length < MAX_FINDINGS) {
      diagnostics.push(diagnosticOf(file, { code, message, start: span.start, end: span.end }, severity));
      return;
    }
    if (severity !== 'error' || cut.has(file.path)) return;
    cut.add(file.path);
    const rest = 'This file has further errors; they are listed when others are mended.';
    diagnostics.push(diagnosticOf(file, { code: 'schema/more-errors', message: rest, start: 0, end: 0 }));
  };
}
