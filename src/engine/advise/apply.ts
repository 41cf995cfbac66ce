/**
 * A set of changes → the resulting forms, and the conversion of messages there and back. Changes are applied one after
 * another, in the order of change-order.ts; each works on the result of the previous ones.
 */
import type { MessageDescriptor, Registry } from '../schema/descriptor.ts';
import { type Change, type ChangeStep, ImpossibleChange } from './change.ts';
import { inOrder } from './change-order.ts';
import { kindOf } from './changes/changes.ts';
import { type FieldEncodings, type FieldForm, namesIn, OWN_NUMBERS } from './forms.ts';
import { StillWritten } from './still-written.ts';
import { copyTree, type TreeNode } from './value-tree.ts';

export interface AppliedChanges {
  /** In the order of application, without those that the others leave nothing to change. */
  readonly changes: readonly Change[];
  /** One step for each change. */
  readonly steps: readonly ChangeStep[];
  readonly before: FieldEncodings;
  readonly after: FieldEncodings;
  /** Type of the outermost message, before and after. */
  readonly root: string;
  readonly afterRoot: string;
}

/** @throws ImpossibleChange */
export function applyChanges(changes: readonly Change[], before: FieldEncodings, root: string): AppliedChanges {
  const steps: ChangeStep[] = [];
  const made: Change[] = [];
  const moot: Change[] = [];
  const written = new StillWritten(before, root);
  let forms = before;
  let type = root;
  for (const change of inOrder(changes, before)) {
    const { alter, isMoot } = kindOf(change);
    const unwritten = written.unwrittenOf(change, forms);
    if (isMoot !== undefined && (unwritten !== undefined || isMoot(change, forms, before))) {
      moot.push(change);
      continue;
    }
    if (unwritten !== undefined) {
      const { message, field } = unwritten;
      throw new ImpossibleChange(`${message}.${field} is no longer written after another of the changes`);
    }
    checkEntries(change, forms);
    checkAbsence(change, made);
    const step = { before: forms, after: alter(change, forms, type), root: type };
    if (change.change === 'other schema') type = change.to;
    written.after(change, step, type);
    steps.push(step);
    made.push(change);
    forms = step.after;
  }
  checkMoot(moot, made);
  // Old messages are read with the types that are not written any more, so these stay as they are.
  forms = forms.without(written.gone);
  for (const { fullName, fields, byNumber } of forms.altered.values()) {
    for (const { name, number } of fields) {
      const isNew = before.field(fullName, name)?.number !== number;
      const refused = isNew ? refusedNumber(before.registry, fullName, name, number) : undefined;
      if (refused !== undefined) throw new ImpossibleChange(refused);
    }
    if (byNumber.size < fields.length) {
      const twice = fields.find((field) => byNumber.get(field.number) !== field)!;
      throw new ImpossibleChange(`Two fields of ${fullName} would have number ${twice.number}`);
    }
  }
  checkNames(before, forms);
  return { changes: made, steps, before, after: forms, root, afterRoot: type };
}

/** At least one of a kind has something to change. */
function checkMoot(moot: readonly Change[], made: readonly Change[]): void {
  const idle = moot.find(({ change }) => !made.some((one) => one.change === change));
  if (idle === undefined || !('message' in idle) || !('field' in idle)) return;
  throw new ImpossibleChange(`${idle.message}.${idle.field} is not a message any more after another of the changes`);
}

/**
 * New fields, oneofs and enums have names of their own; the constants of an enum have the scope of the enum itself.
 * https://protobuf.dev/programming-guides/enum/
 */
function checkNames(before: FieldEncodings, forms: FieldEncodings): void {
  const isNew = (message: string, { name, oneof }: FieldForm): boolean => {
    const was = before.field(message, name);
    return was === undefined || was.oneof !== oneof;
  };
  const altered = [...forms.altered.values()].filter((one) => one.fields.some((field) => isNew(one.fullName, field)));
  const messages = [...forms.enums.map((one) => one.message), ...altered.map(({ fullName }) => fullName)];
  for (const message of new Set(messages)) {
    const names = new Set<string>();
    for (const name of namesIn(message, forms)) {
      if (names.has(name)) throw new ImpossibleChange(`${message} would have two declarations of ${name}`);
      names.add(name);
    }
  }
}

/** The reason why a field cannot have the number; undefined: it can. https://protobuf.dev/programming-guides/proto3/#assigning */
function refusedNumber({ messages }: Registry, message: string, field: string, number: number): string | undefined {
  const type = messages.get(message);
  if (type === undefined) return undefined;
  const isIn = (ranges: MessageDescriptor['reservedRanges']): boolean =>
    ranges.some(({ start, end }) => start <= number && number < end);
  if (isIn([OWN_NUMBERS])) return `${number} is one of the numbers from 19000 to 19999, which protobuf reserves`;
  const isOfExtensions = isIn(type.extensionRanges);
  if (field.startsWith('[')) return isOfExtensions ? undefined : `${message} leaves no number ${number} to extensions`;
  if (isOfExtensions) return `${message} leaves number ${number} to extensions`;
  return isIn(type.reservedRanges) ? `${message} reserves number ${number}` : undefined;
}

/** The key and value of a map entry are always written, with numbers 1 and 2. */
function checkEntries(change: Change, forms: FieldEncodings): void {
  // This also applies to an entry whose map became a list: its type is written together with the field.
  if (!('message' in change) || forms.registry.messages.get(change.message)?.isMapEntry !== true) return;
  // The entries of a map have no order.
  const isSequence = change.change === 'type' && / of the /.test(change.value ?? '');
  if (change.change === 'enum' && change.field === 'value' && forms.get(change.message)!.isMapEntry) return;
  if (change.change !== 'type' || isSequence || change.to.includes(' ')) {
    throw new ImpossibleChange(`${change.message} is the entry of a map: only its types can be changed`);
  }
}

/** Absence can represent only one value. */
function checkAbsence(change: Change, earlier: readonly Change[]): void {
  if (change.change !== 'left out') return;
  const { message, field } = change;
  if (earlier.some((one) => one.change === 'left out' && one.message === message && one.field === field)) {
    throw new ImpossibleChange(`${message}.${field} is left out already`);
  }
}

/** Converts a message. @throws ImpossibleChange if a value cannot be converted back */
export function mapForward(tree: TreeNode, { changes, steps }: AppliedChanges): TreeNode {
  if (!changes.some((change) => kindOf(change).forward !== undefined)) return tree;
  let mapped = copyTree(tree);
  changes.forEach((change, at) => {
    mapped = kindOf(change).forward?.(change, mapped, steps[at]!) ?? mapped;
  });
  return mapped;
}

/** Converts back to the original values. `tree` is modified and must not be used any more. */
export function mapBack(tree: TreeNode, { changes, steps }: AppliedChanges): TreeNode {
  let mapped = tree;
  for (let at = changes.length - 1; at >= 0; at--) {
    const change = changes[at]!;
    mapped = kindOf(change).backward?.(change, mapped, steps[at]!) ?? mapped;
  }
  return mapped;
}
