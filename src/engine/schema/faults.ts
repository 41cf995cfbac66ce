/**
 * Selects the findings about schema files that may change how messages of a type are read. An error in a message that
 * the type never refers to has no effect. An error outside of every declaration may affect any declaration of its file.
 */
import type { Diagnostic } from '../model/diagnostic.ts';
import type { MessageDescriptor } from './descriptor.ts';
import { definitionsIn, type SchemaSymbols } from './symbols.ts';

/**
 * Codes of findings that repeat others: a missing file is reported again at each name that cannot be resolved without
 * it.
 */
const TOLD_AGAIN: ReadonlySet<string> = new Set(['schema/missing-import']);

export function faultsOf(
  type: MessageDescriptor,
  findings: readonly Diagnostic[],
  symbols: SchemaSymbols,
): readonly Diagnostic[] {
  const errors = findings.filter(({ severity, code }) => severity === 'error' && !TOLD_AGAIN.has(code));
  if (errors.length === 0) return [];
  const { names, files } = reachableFrom(type);
  return errors.filter(({ file, start }) => {
    if (file === undefined) return true;
    if (!files.has(file)) return false;
    const around = definitionsIn(symbols, file)
      .filter(({ kind, extent }) => SCOPES.has(kind) && extent.start <= start && start < extent.end)
      .at(-1);
    return around === undefined || names.has(around.fullName);
  });
}

/**
 * Kinds of declarations that findings are assigned to. The last declaration that contains an offset is the innermost.
 */
const SCOPES: ReadonlySet<string> = new Set(['message', 'enum', 'service']);

function reachableFrom(type: MessageDescriptor): {
  readonly names: ReadonlySet<string>;
  readonly files: ReadonlySet<string>;
} {
  const names = new Set<string>();
  const files = new Set<string>();
  const left = [type];
  for (let message = left.pop(); message !== undefined; message = left.pop()) {
    if (names.has(message.fullName)) continue;
    names.add(message.fullName);
    files.add(message.file);
    for (const field of [...message.fields, ...message.extensions.values()]) {
      files.add(field.file);
      if (field.enum !== undefined) {
        names.add(field.enum.fullName);
        files.add(field.enum.file);
      }
      if (field.message !== undefined) left.push(field.message);
      if (field.content !== undefined) left.push(field.content);
    }
  }
  return { names, files };
}
