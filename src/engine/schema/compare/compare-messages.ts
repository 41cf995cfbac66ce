/** Two versions of a message: its fields by name, then by number; its oneofs, ranges, options and native layout. */
import type { FieldDescriptor, MessageDescriptor } from '../descriptor.ts';
import { MAX_FIELD_NUMBER } from '../link/rules.ts';
import { rangeText } from '../range-text.ts';
import {
  compareField,
  compareNative,
  comparePlain,
  type FieldChange,
  hasNativeOptions,
  type PlainRule,
} from './compare-fields.ts';
import { compareReserved, uncovered } from './compare-reserved.ts';
import type { SameType } from './compare-types.ts';
import { changeOf, JSON_FORMAT, reason, type SymbolChange } from './symbol-change.ts';
import type { CompatibilityLevel } from './type-verdicts.ts';
import type { CompatibilitySide, DifferenceReason } from './verdicts.ts';

export function compareMessages(
  a: MessageDescriptor,
  b: MessageDescriptor,
  isSame: SameType,
): SymbolChange | undefined {
  const fields: FieldChange[] = [];
  const oldNames = new Map(a.fields.map((field) => [field.name, field]));
  const newNames = new Map(b.fields.map((field) => [field.name, field]));
  const paired = new Set<FieldDescriptor>();
  const add = (before: FieldDescriptor | undefined, after: FieldDescriptor | undefined) => {
    if (before !== undefined) paired.add(before);
    const change = compareField(before, after, a, b, isSame);
    if (change !== undefined) fields.push(change);
  };
  for (const field of b.fields) {
    const sameName = oldNames.get(field.name);
    const sameNumber = a.byNumber.get(field.number);
    if (sameName !== undefined) add(sameName, field);
    else add(sameNumber !== undefined && !newNames.has(sameNumber.name) ? sameNumber : undefined, field);
  }
  for (const field of a.fields) if (!paired.has(field)) add(field, undefined);
  return changeOf(a, b, [...compareReserved(a, b, MAX_FIELD_NUMBER), ...compareBodies(a, b)], { fields });
}

const MESSAGE_OPTIONS: Readonly<Record<string, PlainRule>> = {
  message_set_wire_format: ['false', 'unsafe', 'Extensions of a message set are written in another form.', 'binary'],
  no_standard_descriptor_accessor: ['false', 'unsafe', 'C++ and Java code has another accessor.', 'source'],
  'features.json_format': JSON_FORMAT,
};

/** Compares a message without its fields: oneofs, extension ranges, options, and the order of a native layout. */
function compareBodies(a: MessageDescriptor, b: MessageDescriptor): readonly DifferenceReason[] {
  const reasons: DifferenceReason[] = [];
  const add = (verdict: CompatibilityLevel, message: string, ...about: readonly CompatibilitySide[]) =>
    reasons.push(reason(verdict, message, ...about));
  const gone = a.oneofs.filter(({ name }) => !b.oneofs.some((other) => other.name === name));
  for (const { name } of gone)
    add('unsafe', `The oneof "${name}" is gone: code that asks for it no longer compiles.`, 'source');
  for (const oneof of b.oneofs) {
    const before = a.oneofs.find(({ name }) => name === oneof.name);
    if (before !== undefined) compareNative(`Of the oneof "${oneof.name}" the`, before, oneof, add);
  }
  const ranges = a.extensionRanges.flatMap((range) => uncovered(range, b.extensionRanges));
  if (ranges.length > 0) {
    const list = ranges.map((range) => rangeText(range, MAX_FIELD_NUMBER)).join(', ');
    add('conditional', `Numbers are no longer for extensions: ${list}.`, 'binary', 'source');
  }
  comparePlain(a.plain, b.plain, MESSAGE_OPTIONS, add);
  compareNative('Its', a, b, add);
  const isNative = [a, b].some((message) => hasNativeOptions(message) || message.fields.some(hasNativeOptions));
  const order = (one: MessageDescriptor, other: MessageDescriptor): string =>
    one.fields
      .filter(({ name }) => other.fields.some((field) => field.name === name))
      .map(({ name }) => name)
      .join();
  if (isNative && order(a, b) !== order(b, a)) {
    add('unsafe', 'The order of its fields changed: native layouts write them in that order.', 'binary');
  }
  return reasons;
}
