/** Descriptors that were guessed from data. Their file name marks them: no such file exists. */
import type { Diagnostic } from '../model/diagnostic.ts';
import type { MessageDescriptor } from '../schema/descriptor.ts';

/** No .proto file can have this path. */
export const GUESSED_FILE = '?';

export const isGuessed = (type: MessageDescriptor | undefined): boolean => type?.file === GUESSED_FILE;

/**
 * If bytes do not fit a guessed type, that is evidence against the guess, not a fault. The remaining findings hold for
 * any schema.
 */
export const withoutGuessFindings = (diagnostics: readonly Diagnostic[]): readonly Diagnostic[] =>
  diagnostics.filter(({ code }) => !GUESS_FINDINGS.has(code));

const GUESS_FINDINGS: ReadonlySet<string> = new Set(['wire/unknown-field', 'wire/mismatch', 'wire/invalid-utf8']);
