/**
 * The messages of captures that a type, a method and a direction select. A message that names no type is open until the
 * evidence of its group is known. Groups of several captures are decided together.
 */
import type { ReadControl } from '../../bytes/source.ts';
import type { MessageDescriptor } from '../../schema/descriptor.ts';
import type { TypeSource } from '../evidence/classify-type.ts';
import { addGroups, type MessageGroup } from '../store/message-groups.ts';
import type { MessageStore } from '../store/message-store.ts';
import type { TableRow } from '../store/message-table.ts';
import { assignTypes, isSelected, isWithoutType, type MessageFilter } from './assign-type.ts';
import { type GroupTypes, type TypeLibrary, typeOfGroup } from './group-readings.ts';
import { isNative } from './native-reading.ts';
import { decidedBy, type GroupPlans, planGroups } from './plan-groups.ts';

/** Decides for one message what its own names show. */
export function askFor({ registries, layouts }: TypeLibrary, filter: MessageFilter) {
  const { type } = filter;
  const assign = assignTypes(registries, filter);
  const isWithoutLayout = (message: TableRow): boolean => isNative(message) && layouts.typesOf(message).length === 0;
  return {
    /** It is native, and counted, but it has no type that could be selected. */
    isWithoutLayout: (message: TableRow): boolean => isWithoutLayout(message) && isSelected(filter, message),
    isNamed: (message: TableRow): boolean =>
      isWithoutLayout(message) ? type === undefined && isSelected(filter, message) : assign(message) !== 'left out',
    /** Its group may show that it has the selected type. */
    isOpen: (message: TableRow): boolean =>
      type !== undefined && isSelected(filter, message) && isWithoutType(registries, message),
  };
}

/** Ordinals of an input. */
export interface Asked {
  readonly named: readonly number[];
  readonly open: readonly number[];
}

/** The messages of a read input that are asked for. */
export function askedIn(
  { messages }: MessageStore,
  asking: Pick<ReturnType<typeof askFor>, 'isNamed' | 'isOpen'>,
): Asked {
  const asked = { named: [] as number[], open: [] as number[] };
  for (let ordinal = 0; ordinal < messages.length; ordinal++) {
    const message = messages.messageAt(ordinal);
    if (asking.isNamed(message)) asked.named.push(ordinal);
    else if (asking.isOpen(message)) asked.open.push(ordinal);
  }
  return asked;
}

/** A group of all inputs: all its messages, and those in the inputs where a message of it is selected. */
interface SeenGroup {
  all: MessageGroup;
  named?: MessageGroup;
  /** The messages in the other inputs, where they are selected if they have the selected type. */
  open?: MessageGroup;
}

/** The groups of the inputs, by key. */
export class AskedGroups {
  readonly #seen = new Map<string, SeenGroup>();

  enter({ messages }: MessageStore, { named, open }: Asked): void {
    const isNamed = new Set(named.map(messages.groupAt));
    const isOpen = new Set(open.map(messages.groupAt));
    for (const [index, group] of messages.groups.all().entries()) {
      const known = this.#seen.get(group.key);
      const entered = known ?? { all: group };
      if (known === undefined) this.#seen.set(group.key, entered);
      else entered.all = addGroups(entered.all, group);
      if (isNamed.has(index)) entered.named = addGroups(entered.named, group);
      else if (isOpen.has(index)) entered.open = addGroups(entered.open, group);
    }
  }

  /**
   * @param type the selected type @param sources undefined: no types are compared
   */
  async decide(
    type: MessageDescriptor | undefined,
    library: TypeLibrary,
    stores: AsyncIterable<MessageStore> | Iterable<MessageStore>,
    sources: readonly TypeSource[] | undefined,
    control: ReadControl = {},
  ): Promise<Decided> {
    const types: Record<string, string> = {};
    for (const { named } of this.#seen.values()) {
      if (named === undefined || type === undefined || isNative(named)) continue;
      const isOpen = typeOfGroup(library, named, {}, {}) === undefined || named.typeHint === type.fullName;
      if (isOpen) types[named.key] = type.fullName;
    }
    const all = [...this.#seen.values()].map((group) => group.all);
    const plans: GroupPlans =
      sources === undefined ? new Map() : await planGroups(stores, all, library, types, sources, control);
    // The user's word decides what the evidence leaves open, for the type that explains the messages best.
    for (const [key, { type: shown, candidates }] of plans)
      if (type !== undefined && shown === null && candidates[0]?.type === type.fullName) types[key] = type.fullName;
    const evidence = decidedBy(plans);
    const ofKey: GroupTypes = { ...evidence, ...types };
    const isShown = (key: string): boolean => ofKey[key] === type?.fullName;
    const groups = [...this.#seen.values()].flatMap(({ named, open }) => [
      ...(named === undefined ? [] : [named]),
      ...(open !== undefined && isShown(open.key) ? [open] : []),
    ]);
    const ordinalsIn = ({ messages }: MessageStore, { named, open }: Asked): Uint32Array => {
      const shown = open.filter((at) => isShown(messages.groups.at(messages.groupAt(at)).key));
      return Uint32Array.from([...named, ...shown]).sort();
    };
    return { types, evidence, plans, groups, ordinalsIn };
  }
}

export interface Decided {
  /** Groups that are read as the selected type. */
  readonly types: GroupTypes;
  readonly evidence: GroupTypes;
  readonly plans: GroupPlans;
  /** The groups of the selected messages; one may be listed twice. */
  readonly groups: readonly MessageGroup[];
  /** The selected messages of an input. */
  readonly ordinalsIn: (store: MessageStore, asked: Asked) => Uint32Array;
}
