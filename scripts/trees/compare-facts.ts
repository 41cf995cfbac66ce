/** Facts of one schema from two sources → what differs, with the place where. */
import type { SchemaFacts } from '#testing/schema-facts.ts';

export function compareFacts(what: string, ours: SchemaFacts, theirs: SchemaFacts): readonly string[] {
  const differences: string[] = [];
  for (const name of new Set([...theirs.keys(), ...ours.keys()])) {
    const [a, b] = [JSON.stringify(ours.get(name)), JSON.stringify(theirs.get(name))];
    if (a === b) continue;
    let at = 0;
    while (a !== undefined && b !== undefined && a[at] === b[at]) at++;
    const around = (json: string | undefined) => json?.slice(Math.max(0, at - 60), at + 60) ?? 'nothing';
    differences.push(`${what}: ${name}\n        ours   …${around(a)}\n        protoc …${around(b)}`);
  }
  return differences;
}
