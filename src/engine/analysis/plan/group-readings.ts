/** Groups of messages → the types that their messages are read as. */
import type { MessageDescriptor, Registry } from '../../schema/descriptor.ts';
import type { SchemaFaults } from '../../schema/faults.ts';
import type { MessageGroup } from '../store/message-groups.ts';
import { ownTypeIn } from './assign-type.ts';
import { isNative, type NativeLayouts } from './native-reading.ts';

/** Where types are looked up: first in the user's schemas, then in the ones that ship with the app. */
export interface TypeLibrary {
  readonly registries: readonly Registry[];
  /** Native layouts of the same schemas. */
  readonly layouts: NativeLayouts;
  /** The errors of the schemas. */
  readonly faults: readonly SchemaFaults[];
}

/** Types that the user chose, by group key; null: the user chose no type, so messages are read by field numbers. */
export type GroupTypes = Readonly<Record<string, string | null>>;

/** How the messages of a group are read. */
export interface GroupReading {
  /** Full name; null: the type is unknown. */
  readonly type: string | null;
  /**
   * The reason: chosen by hand, named by the transport, shown by the evidence of the messages, or guessed. `layout`:
   * the messages are native and read by the layout of this type. `opaque`: they are native, and no layout is known.
   * Native messages are never read as protobuf.
   */
  readonly by: 'hand' | 'transport' | 'evidence' | 'guess' | 'layout' | 'opaque';
  /** Full name of the type that the transport names and that the messages contradict, unless a type was chosen. */
  readonly contradicted?: string;
}

export function typeNamed({ registries }: TypeLibrary, fullName: string): MessageDescriptor | undefined {
  for (const { messages } of registries) {
    const type = messages.get(fullName);
    if (type !== undefined) return type;
  }
  return undefined;
}

/**
 * The type of a group: the user's choice, else what the evidence decided, else the type that the transport names.
 * undefined: unknown.
 */
export function typeOfGroup(
  library: TypeLibrary,
  group: MessageGroup,
  types: GroupTypes,
  evidence: GroupTypes,
): MessageDescriptor | undefined {
  if (isNative(group)) return undefined;
  const decided = types[group.key];
  if (decided !== undefined) return decided === null ? undefined : typeNamed(library, decided);
  const shown = evidence[group.key];
  if (shown === undefined) return ownTypeIn(library.registries, group);
  return shown === null ? undefined : typeNamed(library, shown);
}

export function readingOfGroup(
  library: TypeLibrary,
  group: MessageGroup,
  types: GroupTypes,
  evidence: GroupTypes,
  contradicted: Readonly<Record<string, string>>,
): GroupReading {
  if (isNative(group)) {
    const [candidate] = library.layouts.typesOf(group);
    return candidate === undefined ? { type: null, by: 'opaque' } : { type: candidate.fullName, by: 'layout' };
  }
  const type = typeOfGroup(library, group, types, evidence)?.fullName ?? null;
  if (type === null && types[group.key] === null) return { type, by: 'hand' };
  if (type !== null && types[group.key] !== undefined) return { type, by: 'hand' };
  const by = type === null ? 'guess' : evidence[group.key] === undefined ? 'transport' : 'evidence';
  const named = contradicted[group.key];
  return named === undefined ? { type, by } : { type, by, contradicted: named };
}
