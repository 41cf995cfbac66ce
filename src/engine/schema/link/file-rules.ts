/** Protoc's rules for a whole file: options that exclude each other, and names that are too long for tools. */
import type { EnumDeclaration, FileDeclaration, MessageDeclaration } from '../declaration.ts';
import type { ImportGraph } from '../imports.ts';
import { flagOf, optionNamed, wordOf } from '../options/raw-options.ts';
import type { ReportFinding } from '../report.ts';
import { declaredFeatures } from './features.ts';

/** protoc's limits for a package. */
const MAX_PACKAGE_DEPTH = 101;
const MAX_PACKAGE_LENGTH = 511;

/** Code generated from a lite file has no descriptors. It can neither contain nor extend types that need them. */
export const isLite = (file: FileDeclaration): boolean => wordOf(file.options, 'optimize_for') === 'LITE_RUNTIME';

export function checkFile(file: FileDeclaration, graph: ImportGraph, report: ReportFinding): void {
  const { options, packageSpan } = file;
  const spanOf = (name: string) => optionNamed(options, name)?.span ?? packageSpan;
  if (declaredFeatures(options).field_presence === 'LEGACY_REQUIRED') {
    const text = 'A whole file cannot be LEGACY_REQUIRED; single fields can.';
    report(file, spanOf('features'), 'schema/feature', text);
  }
  if (file.syntax === '2026') {
    const text =
      'protoc 35.1 supports no edition later than 2024 and rejects this one; it is read by the rules of 2024.';
    report(file, file.syntaxSpan, 'schema/edition', text, 'warning');
  }
  if (!file.syntax.startsWith('proto') && flagOf(options, 'java_string_check_utf8') === true) {
    const text = 'Editions have no "java_string_check_utf8"; use features.(pb.java).utf8_validation.';
    report(file, spanOf('java_string_check_utf8'), 'schema/option', text);
  }
  if (isLite(file)) {
    const generic = ['cc_generic_services', 'java_generic_services'].find((name) => flagOf(options, name) === true);
    if (generic !== undefined && file.services.length > 0) {
      const text = `A file for the lite runtime has no services if "${generic}" is set: they need descriptors.`;
      report(file, spanOf(generic), 'schema/lite', text);
    }
  } else {
    for (const declared of file.imports) {
      const target = graph.targetOf(declared);
      if (target === undefined || declared.kind === 'option' || !isLite(target)) continue;
      const text = `"${target.path}" is for the lite runtime; only files that are so themselves can import it.`;
      report(file, declared.span, 'schema/lite', text);
    }
  }
  if (!file.syntax.startsWith('proto') && declaredFeatures(options).default_symbol_visibility === 'STRICT') {
    for (const message of file.messages) refuseNestedExports(message, file, report);
  }
  const depth = file.package.split('.').length;
  if (depth > MAX_PACKAGE_DEPTH || file.package.length > MAX_PACKAGE_LENGTH) {
    const text = `A package has ${MAX_PACKAGE_DEPTH} parts and ${MAX_PACKAGE_LENGTH} letters at most.`;
    report(file, packageSpan, 'schema/name', text);
  }
}

/** With STRICT visibility, only top-level types may be exported, and enums in a message that is only their scope. */
function refuseNestedExports(message: MessageDeclaration, file: FileDeclaration, report: ReportFinding): void {
  const refuse = ({ name, span }: MessageDeclaration | EnumDeclaration) => {
    const text = `"${name}" stands in "${message.name}"; with STRICT visibility, only top-level types can be exported.`;
    report(file, span, 'schema/not-exported', text);
  };
  for (const nested of message.messages) {
    if (nested.visibility === 'export') refuse(nested);
    refuseNestedExports(nested, file, report);
  }
  const { reservedRanges } = message.body();
  const isScope =
    message.visibility === 'local' && reservedRanges.some(({ start, end }) => start === 1 && end >= 2 ** 29);
  for (const nested of message.enums) if (nested.visibility === 'export' && !isScope) refuse(nested);
}
