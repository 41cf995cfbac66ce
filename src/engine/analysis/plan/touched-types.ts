/**
 * Types that errors of their schema touch are never detected. If one is chosen, or a method names it, its messages are
 * read, and a finding names the errors.
 */
import { countText } from '../../model/count-text.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { MessageDescriptor } from '../../schema/descriptor.ts';
import type { SchemaFaults } from '../../schema/faults.ts';
import type { MessagesRun, Origin } from '../messages-run.ts';
import { type TypeLibrary, typeNamed } from './group-readings.ts';

/** Its place is that of the first error. undefined: no error touches the type. */
export function touchedFinding(type: MessageDescriptor, faults: readonly SchemaFaults[]): Diagnostic | undefined {
  const errors = faults.flatMap(({ touched, of }) => (touched().has(type) ? of(type) : []));
  const [first] = errors;
  if (first === undefined) return undefined;
  const touch =
    errors.length === 1 ? 'An error of your schema touches' : `${countText(errors.length)} errors of your schema touch`;
  const message = `${touch} ${type.fullName}: its messages may be read wrongly.`;
  return { ...first, code: 'schema/touched-type', severity: 'warning', message };
}

/** The runs, with the finding for each type in the first run that has messages of it. */
export function withTouched(runs: readonly MessagesRun[], library: TypeLibrary): readonly MessagesRun[] {
  if (library.faults.length === 0) return runs;
  const named = new Set<string>();
  return runs.map((run) => {
    const added: Diagnostic[] = [];
    const origins = run.origins.map((origin, at): Origin => {
      const { type: name } = run.profiles[at]!;
      const type = named.has(name) ? undefined : typeNamed(library, name);
      const found = type && touchedFinding(type, library.faults);
      if (found === undefined) return origin;
      named.add(name);
      added.push(found);
      const { diagnostics, head } = origin.findings;
      return { ...origin, findings: { diagnostics: [found, ...diagnostics], head } };
    });
    return added.length === 0 ? run : { ...run, origins, diagnostics: [...added, ...run.diagnostics] };
  });
}
