/**
 * A transport's action → the types of its requests and responses. Methods of the schema's services name the action by
 * `(wirecost.native.action)`, and headers by `(wirecost.native.header)`.
 */
import type { MessageDescriptor, MethodDescriptor, Registry } from '../schema/descriptor.ts';

/** The key of header types, in place of an action. */
export const HEADER = Symbol('header');
/** The key of error responses, in place of an action. */
export const ERROR = Symbol('error');

type Action = string | typeof HEADER | typeof ERROR;

type Direction = 'request' | 'response';

export type ActionTypes = (action: Action, direction: Direction) => readonly MessageDescriptor[];

/** Types in the order of the schemas; empty: no method has the action. */
export function actionTypes(...registries: readonly Registry[]): ActionTypes {
  let methods: Actions | undefined;
  const known: Record<Direction, Map<Action, Types>> = { request: new Map(), response: new Map() };
  return (action, direction) => {
    let types = known[direction].get(action);
    if (types === undefined) {
      // Types are created on demand, so that a large schema does not delay the first native value.
      methods ??= actionsOf(registries.filter(hasOptions));
      const found = methods.get(action) ?? [];
      types = [...new Set(found.map((method) => (direction === 'request' ? method.input : method.output)))];
      known[direction].set(action, types);
    }
    return types;
  };
}

type Types = readonly MessageDescriptor[];
type Actions = ReadonlyMap<Action, readonly MethodDescriptor[]>;

const hasOptions = ({ files }: Registry): boolean => files.some(({ package: name }) => name === 'wirecost.native');

function actionOf(options: MethodDescriptor['options']): Action | undefined {
  if (options['wirecost.native.header'] === true) return HEADER;
  if (options['wirecost.native.error'] === true) return ERROR;
  const action = options['wirecost.native.action'];
  return typeof action === 'string' ? action : undefined;
}

function actionsOf(registries: readonly Registry[]): Actions {
  const methods = new Map<Action, MethodDescriptor[]>();
  for (const service of registries.flatMap(({ services }) => [...services.values()])) {
    for (const method of service.methods) {
      const action = actionOf(method.options);
      if (action === undefined) continue;
      const known = methods.get(action);
      if (known === undefined) methods.set(action, [method]);
      else known.push(method);
    }
  }
  return methods;
}
