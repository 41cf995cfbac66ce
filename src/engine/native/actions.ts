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

export type ActionTypes = (action: Action, direction: 'request' | 'response') => readonly MessageDescriptor[];

/** Types in the order of the schemas; empty: no method has the action. */
export function actionTypes(...registries: readonly Registry[]): ActionTypes {
  let known: Actions | undefined;
  return (action, direction) => {
    // Types are created on demand, so that a large schema does not delay the first native value.
    known ??= actionsOf(registries.filter(hasOptions));
    const types = (known.get(action) ?? []).map(({ input, output }) => (direction === 'request' ? input : output));
    return [...new Set(types)];
  };
}

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
