import { ANY } from '../../schema/names.ts';
import { type ChangedField, ImpossibleChange } from '../change.ts';
import { type FieldEncodings, type FieldForm, isFree, type MessageForm } from '../forms.ts';
import { nodesOf, type TreeNode } from '../value-tree.ts';

/** The field that a change names. @throws ImpossibleChange */
export function targetField(forms: FieldEncodings, { message, field }: ChangedField): FieldForm {
  const form = forms.get(message);
  if (form === undefined) throw new ImpossibleChange(`The schema has no message ${message}`);
  const found = form.byName.get(field);
  if (found === undefined) throw new ImpossibleChange(`${message} has no field ${field}`);
  return found;
}

/** A new field needs a name and a number of its own. @throws ImpossibleChange */
export function checkNew(form: MessageForm, field: string, number: number): void {
  if (form.byName.has(field)) throw new ImpossibleChange(`${form.fullName} has a field ${field}`);
  if (isFree(form, number)) return;
  throw new ImpossibleChange(`${form.fullName} cannot have another field of number ${number}`);
}

/** Fields that records keep together cannot leave them: an Any without its URL cannot be read. @throws ImpossibleChange */
export function checkApart({ typeName, name }: FieldForm): void {
  if (typeName === ANY) throw new ImpossibleChange(`${name} is a list of ${ANY}: its fields stay together`);
}

/** The nodes of one message type, in the order of the message. */
export function* nodesOfType(tree: TreeNode, type: string): Generator<TreeNode, void> {
  for (const node of nodesOf(tree)) if (node.type === type) yield node;
}

/** A type may only be used if its file is imported. @throws ImpossibleChange */
export function checkVisible({ typeName }: FieldForm, message: string, { registry }: FieldEncodings): void {
  if (typeName === undefined) return;
  const path = registry.messages.get(message)?.file;
  const home = (registry.messages.get(typeName) ?? registry.enums.get(typeName))?.file;
  const imports = registry.files.find((file) => file.path === path)?.imports ?? [];
  if (home === path || imports.some((one) => (one.file ?? one.path) === home)) return;
  throw new ImpossibleChange(`${path} does not import ${home}, which has ${typeName}`);
}
