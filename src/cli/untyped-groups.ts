/** Messages that name no type which the schemas know, by method and direction → the types that may explain each group. */
import type { GroupReading } from '#engine/analysis/group-readings.ts';
import type { MessageGroup } from '#engine/analysis/message-groups.ts';
import { planMessages } from '#engine/analysis/plan-messages.ts';
import type { Selected } from '#engine/analysis/run-messages.ts';
import { printCandidates, type Schema } from './schema.ts';
import { plural } from './text-table.ts';

const MOST_GROUPS = 20;

export async function untypedNotes(
  selected: readonly Selected[],
  readings: Readonly<Record<string, GroupReading>>,
  { registry, faultsOf }: Schema,
): Promise<readonly string[]> {
  const names = new Map<string, { readonly selected: Selected[]; messages: number }>();
  for (const { store, ordinals } of selected) {
    const byGroup = new Map<number, number[]>();
    for (const ordinal of ordinals) {
      const index = store.messages.groupAt(ordinal);
      const own = byGroup.get(index);
      if (own === undefined) byGroup.set(index, [ordinal]);
      else own.push(ordinal);
    }
    for (const [index, own] of byGroup) {
      const group = store.messages.groups.at(index);
      if (readings[group.key]?.by !== 'guess') continue;
      const name = nameOf(group);
      const known = names.get(name) ?? { selected: [], messages: 0 };
      if (!names.has(name) && names.size === MOST_GROUPS) continue;
      names.set(name, known);
      known.selected.push({ store, ordinals: Uint32Array.from(own) });
      known.messages += own.length;
    }
  }
  const notes: string[] = [];
  const source = { registry, isOffered: (type: Parameters<typeof faultsOf>[0]) => faultsOf(type).length === 0 };
  for (const [name, { selected: own, messages }] of names) {
    const { candidates } = await planMessages(own, [source]);
    const what = `${plural(messages, 'message')} of ${name}`;
    if (candidates.length === 0)
      notes.push(`wirecost: no type of the schemas explains the ${what}; read by field numbers`);
    else notes.push(`wirecost: read by field numbers are ${what}; --type may be`, ...printCandidates(candidates));
  }
  return notes;
}

const nameOf = ({ method, direction, transport }: MessageGroup): string =>
  method === null ? transport : `${method}${direction === null ? '' : `, ${direction}s`}`;
