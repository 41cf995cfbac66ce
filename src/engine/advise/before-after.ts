/** Measured changes → what each field and each cause takes before and after them. */
import { diffProfiles, type ProfileDiff } from '../cost/diff-profiles.ts';
import type { Profile } from '../cost/profile.ts';
import { Ledgers } from '../cost/type-profiler.ts';
import { NATIVE_PROFILES } from '../native/profiles.ts';
import { compileSchema } from '../schema/compile.ts';
import type { MessageDescriptor } from '../schema/descriptor.ts';
import { neededFiles } from '../schema/needed-files.ts';
import type { Advisor, MeasuredChanges } from './advise.ts';
import { editsOf } from './edits-of.ts';
import type { LoadedSchema } from './patch.ts';
import type { Unit } from './payload.ts';
import { schemaAfter } from './schema-after.ts';

/** Fields are paired by name: a renumbered one is the same field. */
export function beforeAfter(
  advisor: Advisor,
  { applied, units }: MeasuredChanges,
  { registry, sources }: LoadedSchema,
): ProfileDiff {
  const { root, afterRoot } = applied;
  const files = neededFiles(registry, afterRoot);
  const set = schemaAfter(
    sources,
    registry,
    editsOf(advisor.forms, applied.after),
    (path) => files?.has(path) ?? false,
  );
  const changed = compileSchema([{ path: 'after', content: set }]).registry;
  return diffOf(advisor, registry.messages.get(root), units, changed.messages.get(afterRoot));
}

/** The messages by their type, and as `units` by another one. */
export function diffOf(
  advisor: Advisor,
  type: MessageDescriptor | undefined,
  units: readonly Unit[],
  afterType: MessageDescriptor | undefined,
): ProfileDiff {
  const before = profileOf(type, advisor.messages);
  const after = profileOf(
    afterType,
    units.flatMap(({ messages }) => messages),
  );
  return diffProfiles({ profile: before, ledger: 'protobuf' }, { profile: after, ledger: 'protobuf' });
}

function profileOf(type: MessageDescriptor | undefined, messages: readonly Uint8Array[]): Profile {
  const ledgers = new Ledgers(type, NATIVE_PROFILES[0]!);
  for (const bytes of messages) ledgers.add(bytes);
  return ledgers.profile();
}
