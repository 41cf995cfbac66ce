/** Messages of captures without a named type, by group → the type they are read as and the reason, in lines. */

import type { GroupPlans } from '#engine/analysis/plan/plan-groups.ts';
import type { ReadingPlan } from '#engine/analysis/plan/plan-reading.ts';
import type { MessageGroup } from '#engine/analysis/store/message-groups.ts';
import { groupMarks } from '#wording/group-marks.ts';
import { contradictWords } from '#wording/type-words.ts';
import { printLeftOut, printReading } from '../inputs/schema.ts';
import { plural } from './text-table.ts';

const MAX_GROUPS = 20;
/** Candidates of a group that are named by default; `--explain` names more. */
const MAX_CANDIDATES = 2;

/** Notes on the groups that have a plan, most bytes first. The same group may be in several captures. */
export function groupNotes(groups: readonly MessageGroup[], plans: GroupPlans): readonly string[] {
  const names = groupNames(groups);
  const messages = new Map<string, { readonly group: MessageGroup; messages: number; bytes: number }>();
  for (const group of groups) {
    if (!plans.has(group.key)) continue;
    const known = messages.get(group.key) ?? { group, messages: 0, bytes: 0 };
    messages.set(group.key, known);
    known.messages += group.messages;
    known.bytes += group.bytes;
  }
  const shown = [...messages.values()].sort((a, b) => b.bytes - a.bytes).slice(0, MAX_GROUPS);
  const lines = shown.flatMap((one) => {
    const what = `${plural(one.messages, 'message')} of ${names.get(one.group.key)}`;
    const plan = plans.get(one.group.key)!;
    return [...printContradicted(plan, what), ...printReading(plan, what, { most: MAX_CANDIDATES })];
  });
  // Types that are left out are the same for all groups.
  const leftOut = shown.flatMap(({ group }) => printLeftOut(plans.get(group.key)!));
  return [...lines, ...new Set(leftOut)];
}

const printContradicted = ({ contradicted }: ReadingPlan, messages: string): readonly string[] =>
  contradicted === undefined ? [] : [`wirecost: ${messages} ${contradictWords(contradicted)}`];

/** By key: `GET /a, responses`; `GET /a, responses, http` beside the same of another transport. */
export function groupNames(groups: readonly MessageGroup[]): ReadonlyMap<string, string> {
  const marks = groupMarks(groups);
  return new Map(
    groups.map(({ key, method, direction, transport }) => {
      const ways = method === null || direction === null ? [] : [`${direction}s`];
      return [key, [method ?? transport, ...ways, ...marks.get(key)!].join(', ')];
    }),
  );
}
