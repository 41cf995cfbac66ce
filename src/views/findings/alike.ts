/** Findings → those that say the same together, in the order of the first of each. */
import type { Diagnostic } from '#engine/model/diagnostic.ts';
import { formatCount } from '#wording/number-text.ts';

export type Alike = readonly [Diagnostic, ...Diagnostic[]];

/** How many there are: `12 ×`, or `12 messages` where each has one of them at most in this list. */
export function countWords(group: Alike): string {
  const messages = new Set(group.map(({ ordinal }) => ordinal));
  const isOncePerMessage = messages.size === group.length && !messages.has(undefined);
  return isOncePerMessage ? `${formatCount(group.length)} messages` : `${formatCount(group.length)} ×`;
}

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
