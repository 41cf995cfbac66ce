/** Findings → those that say the same together, in the order of the first of each. */
import type { Diagnostic } from '#engine/model/diagnostic.ts';

export type Alike = readonly [Diagnostic, ...Diagnostic[]];

export function alike(findings: readonly Diagnostic[]): readonly Alike[] {
  const groups = new Map<string, [Diagnostic, ...Diagnostic[]]>();
  for (const finding of findings) {
    const says = `${finding.severity} ${finding.code} ${finding.message}`;
    const group = groups.get(says);
    if (group) group.push(finding);
    else groups.set(says, [finding]);
  }
  return [...groups.values()];
}
