/**
 * What a transport's action says about a message: the types of its requests and responses, as the methods of the
 * schema's services name them by `(wirecost.native.action)`.
 */
import type { MessageDescriptor, MethodDescriptor, Registry } from '../schema/descriptor.ts';

export type ActionTypes = (action: string, direction: 'request' | 'response') => readonly MessageDescriptor[];

/** Types in the order of the schema; none where no method has the action. */
export function actionTypes(registry: Registry): ActionTypes {
  const methods = new Map<string, MethodDescriptor[]>();
  for (const service of registry.services.values()) {
    for (const method of service.methods) {
      const action = method.options['wirecost.native.action'];
      if (typeof action !== 'string') continue;
      const known = methods.get(action);
      if (known === undefined) methods.set(action, [method]);
      else known.push(method);
    }
  }
  return (action, direction) => {
    const types = (methods.get(action) ?? []).map(({ input, output }) => (direction === 'request' ? input : output));
    return [...new Set(types)];
  };
}
