/**
 * Which types of a schema use which other types. It is used for navigation, for the nesting depth of messages, and for
 * recursive messages. A map field uses its value type; the map entry type is not a node.
 */
import type { EnumDescriptor, FieldDescriptor, MessageDescriptor, Registry } from './descriptor.ts';

/** One use of a type. */
export interface TypeUse {
  /** `extendee`: an extension adds a field to it. */
  readonly role: 'field' | 'extension' | 'extendee' | 'input' | 'output';
  /** Full name of the field, extension or method. */
  readonly by: string;
  /** Full name of the message or service that has the field or method. For an extension: the extended message. */
  readonly owner: string;
}

export interface TypeGraph {
  /** Full names of the distinct messages and enums that a message's own fields use, in order. */
  readonly uses: (message: MessageDescriptor) => readonly string[];
  readonly usedBy: (type: MessageDescriptor | EnumDescriptor) => readonly TypeUse[];
  /** Maximum number of nested messages, including the message itself; Infinity: one of them is recursive. */
  readonly depth: (message: MessageDescriptor) => number;
  /** A shortest path from a message back to itself, as full names of fields; undefined: it is not recursive. */
  readonly cycle: (message: MessageDescriptor) => readonly string[] | undefined;
}

/** The type of a field's values; for a map, the type of the map's values. */
export function valueTypeOf(field: FieldDescriptor): MessageDescriptor | EnumDescriptor | undefined {
  const value = field.cardinality === 'map' ? field.message?.byNumber.get(2) : field;
  return value?.message ?? value?.enum;
}

const heldBy = (field: FieldDescriptor): MessageDescriptor | undefined => {
  const type = valueTypeOf(field);
  return type?.kind === 'message' ? type : undefined;
};

export function typeGraph(registry: Registry): TypeGraph {
  let usedBy: ReadonlyMap<MessageDescriptor | EnumDescriptor, readonly TypeUse[]> | undefined;
  const depths = new Map<MessageDescriptor, number>();
  return {
    uses: (message) => [...new Set(message.fields.flatMap((field) => valueTypeOf(field)?.fullName ?? []))],
    usedBy(type) {
      usedBy ??= usesIn(registry);
      return usedBy.get(type) ?? [];
    },
    depth(message) {
      // Measures only the messages that are reachable from this one.
      if (!depths.has(message)) measureDepths(message, depths);
      return depths.get(message)!;
    },
    cycle: shortestCycle,
  };
}

function usesIn(registry: Registry): ReadonlyMap<MessageDescriptor | EnumDescriptor, readonly TypeUse[]> {
  const usedBy = new Map<MessageDescriptor | EnumDescriptor, TypeUse[]>();
  const add = (type: MessageDescriptor | EnumDescriptor | undefined, use: TypeUse) => {
    if (type === undefined) return;
    const known = usedBy.get(type);
    if (known === undefined) usedBy.set(type, [use]);
    else known.push(use);
  };
  for (const message of registry.messages.values()) {
    if (message.isMapEntry) continue;
    for (const field of message.fields) {
      add(valueTypeOf(field), { role: 'field', by: field.fullName, owner: message.fullName });
    }
  }
  for (const extension of registry.extensions.values()) {
    const owner = extension.parent.fullName;
    add(valueTypeOf(extension), { role: 'extension', by: extension.fullName, owner });
    add(extension.parent, { role: 'extendee', by: extension.fullName, owner });
  }
  for (const service of registry.services.values()) {
    for (const { fullName, input, output } of service.methods) {
      add(input, { role: 'input', by: fullName, owner: service.fullName });
      add(output, { role: 'output', by: fullName, owner: service.fullName });
    }
  }
  return usedBy;
}

/**
 * Measures a message and all types below it. The depth of a recursive type is infinite, and so is the depth of every
 * type that leads to it.
 */
function measureDepths(message: MessageDescriptor, depths: Map<MessageDescriptor, number>): void {
  for (const component of components(message, depths)) {
    const [first] = component;
    const held = component.flatMap((message) => message.fields.flatMap((field) => heldBy(field) ?? []));
    const isCycle = component.length > 1 || held.includes(first!);
    const below = held.reduce((deepest, message) => Math.max(deepest, depths.get(message) ?? 0), 0);
    for (const held of component) depths.set(held, isCycle ? Number.POSITIVE_INFINITY : below + 1);
  }
}

/**
 * Tarjan's strongly connected components of the types that a message leads to, without known types. A component follows
 * the components that it leads to. It uses no recursion, because a schema may nest at any depth.
 */
function components(
  start: MessageDescriptor,
  known: ReadonlyMap<MessageDescriptor, number>,
): readonly (readonly MessageDescriptor[])[] {
  interface Visit {
    readonly message: MessageDescriptor;
    readonly index: number;
    low: number;
    next: number;
  }
  const found: MessageDescriptor[][] = [];
  const visits = new Map<MessageDescriptor, Visit>();
  const open: MessageDescriptor[] = [];
  const isOpen = new Set<MessageDescriptor>();
  const stack: Visit[] = [];
  const enter = (message: MessageDescriptor) => {
    const visit: Visit = { message, index: visits.size, low: visits.size, next: 0 };
    visits.set(message, visit);
    open.push(message);
    isOpen.add(message);
    stack.push(visit);
  };
  enter(start);
  for (let visit = stack.at(-1); visit !== undefined; visit = stack.at(-1)) {
    const field = visit.message.fields[visit.next++];
    if (field !== undefined) {
      const held = heldBy(field);
      if (held === undefined || known.has(held)) continue;
      const visited = visits.get(held);
      if (visited === undefined) enter(held);
      else if (isOpen.has(held)) visit.low = Math.min(visit.low, visited.index);
      continue;
    }
    stack.pop();
    const parent = stack.at(-1);
    if (parent !== undefined) parent.low = Math.min(parent.low, visit.low);
    if (visit.low !== visit.index) continue;
    const component: MessageDescriptor[] = [];
    for (let last = open.pop(); last !== undefined; last = open.pop()) {
      isOpen.delete(last);
      component.push(last);
      if (last === visit.message) break;
    }
    found.push(component);
  }
  return found;
}

/** Breadth-first search from a message back to itself. */
function shortestCycle(message: MessageDescriptor): readonly string[] | undefined {
  const cameBy = new Map<MessageDescriptor, FieldDescriptor>();
  const queue = new Set([message]);
  for (const next of queue) {
    for (const field of next.fields) {
      const held = heldBy(field);
      if (held === undefined) continue;
      if (held === message) {
        const way = [field];
        for (let at = next; at !== message; at = way[0]!.parent) way.unshift(cameBy.get(at)!);
        return way.map(({ fullName }) => fullName);
      }
      if (!queue.has(held)) {
        cameBy.set(held, field);
        queue.add(held);
      }
    }
  }
  return undefined;
}
