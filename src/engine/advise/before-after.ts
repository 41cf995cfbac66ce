/** Measured changes → the bytes of each field and of each cause before and after them, for one message too. */
import { diffProfiles, type ProfileDiff } from '../cost/diff-profiles.ts';
import { heldTypes } from '../cost/held-types.ts';
import type { Profile } from '../cost/profile.ts';
import { Ledgers } from '../cost/type-profiler.ts';
import { NATIVE_PROFILES } from '../native/profiles.ts';
import { compileSchema } from '../schema/compile.ts';
import type { MessageDescriptor } from '../schema/descriptor.ts';
import { neededFiles } from '../schema/needed-files.ts';
import type { MeasuredChanges } from './advice.ts';
import type { Advisor } from './advise.ts';
import { editsOf } from './edits-of.ts';
import type { LoadedSchema } from './patch.ts';
import type { Unit } from './payload.ts';
import { schemaAfter } from './schema-after.ts';

/** The same messages in two schemas, in the same order; `before` as the change is compared with them. */
export interface BeforeAfter {
  readonly type: MessageDescriptor | undefined;
  readonly afterType: MessageDescriptor | undefined;
  readonly before: readonly Uint8Array[];
  readonly after: readonly Uint8Array[];
}

/** The messages as the patch writes them. */
export function beforeAfter(
  advisor: Advisor,
  { applied, against, deployed }: Pick<MeasuredChanges, 'applied' | 'against' | 'deployed'>,
  { registry, sources }: LoadedSchema,
): BeforeAfter {
  const { root, afterRoot } = applied;
  const type = registry.messages.get(root);
  const before = against === 'captured' ? messagesOf(advisor.captured) : advisor.messages;
  const files = neededFiles(registry, afterRoot, heldTypes(profileOf(type, before)));
  const set = schemaAfter(
    sources,
    registry,
    editsOf(advisor.forms, deployed.forms),
    (path) => files?.has(path) ?? false,
  );
  const changed = compileSchema([{ path: 'after', content: set }]).registry;
  return {
    type,
    afterType: changed.messages.get(afterRoot),
    before,
    after: messagesOf(deployed.units),
  };
}

const messagesOf = (units: readonly Unit[]): readonly Uint8Array[] => units.flatMap(({ messages }) => messages);

/** Fields are matched by name, so a renumbered field is the same field. */
export function diffOf({ type, afterType, before, after }: BeforeAfter): ProfileDiff {
  return diffProfiles(
    { profile: profileOf(type, before), ledger: 'protobuf' },
    { profile: profileOf(afterType, after), ledger: 'protobuf' },
  );
}

function profileOf(type: MessageDescriptor | undefined, messages: readonly Uint8Array[]): Profile {
  const ledgers = new Ledgers(type, NATIVE_PROFILES[0]!);
  for (const bytes of messages) ledgers.add(bytes);
  return ledgers.profile();
}
