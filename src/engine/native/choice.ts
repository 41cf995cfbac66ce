/**
 * The number or name that identifies a member of a oneof in a native stream; undefined: the oneof has no such options.
 */
import type { FieldDescriptor } from '../schema/descriptor.ts';
import type { Choice } from './layout.ts';

export function choiceKeyOf(choice: Choice, field: FieldDescriptor): number | string | undefined {
  for (const [key, member] of choice.form.kind === 'int' ? choice.byNumber : choice.byName) {
    if (member === field) return key;
  }
  return undefined;
}
