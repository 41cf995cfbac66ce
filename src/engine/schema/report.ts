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

/** Collects findings in a list. Findings past the limit are dropped. */
export function reportInto(diagnostics: Diagnostic[], limit = 1000): ReportFinding {
  return (file, span, code, message, severity) => {
    if (diagnostics.length >= limit) return;
    diagnostics.push(diagnosticOf(file, { code, message, start: span.start, end: span.end }, severity));
  };
}
