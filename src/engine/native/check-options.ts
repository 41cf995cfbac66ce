/**
 * Checks a schema's wirecost.native options. An option that cannot be applied gets a finding at its place in the file.
 */
import type { Diagnostic } from '../model/diagnostic.ts';
import type { CompiledSchema } from '../schema/compile.ts';
import type { SchemaSymbols } from '../schema/symbols.ts';
import { lineAndColumn } from '../schema/text/tokens.ts';
import { deriveLayouts } from './derive.ts';
import type { Complain } from './field-options.ts';
import { SCHEMA_LAYOUT_PROFILE } from './profiles.ts';

export function checkNativeOptions({
  registry,
  symbols,
}: Pick<CompiledSchema, 'registry' | 'symbols'>): readonly Diagnostic[] {
  if (!registry.files.some(({ package: name }) => name === 'wirecost.native')) return [];
  const diagnostics: Diagnostic[] = [];
  const complain: Complain = (of, option, message) => {
    diagnostics.push(finding(symbols, of, option, message));
  };
  const layoutOf = deriveLayouts(SCHEMA_LAYOUT_PROFILE, {}, { complain });
  for (const message of registry.messages.values()) {
    if (!message.isMapEntry) layoutOf(message);
  }
  return diagnostics;
}

/**
 * A finding at the option's name in the file. If that place is unknown, it is at the name of the field, oneof or
 * method.
 */
function finding(symbols: SchemaSymbols, of: string, option: string, text: string): Diagnostic {
  const found = symbols.definition(of);
  const base = { code: 'native/option', severity: 'error', space: 'schema' } as const;
  if (found === undefined) return { ...base, message: `${of}: ${text}`, start: 0, end: 0 };
  const { file, written } = found;
  const { start, end } = written.extent ?? written;
  const use = [...(symbols.in(file.path) ?? [])].find(
    (candidate) => candidate.symbol.fullName === option && candidate.start >= start && candidate.end <= end,
  );
  const span = use ?? written;
  const place = file.lines === undefined ? {} : lineAndColumn(file.lines, span.start);
  return { ...base, message: text, start: span.start, end: span.end, file: file.path, ...place };
}
