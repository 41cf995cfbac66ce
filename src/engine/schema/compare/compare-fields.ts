/**
 * One field in two versions of a schema: the changes, and whether each version reads correctly what the other writes.
 * https://protobuf.dev/programming-guides/proto3/#updating
 */
import type { FieldDescriptor, MessageDescriptor } from '../descriptor.ts';
import { compareTypes, describeType, isPackable, type SameType } from './compare-types.ts';
import type { CompatibilityLevel } from './type-verdicts.ts';
import {
  type Add,
  type CompatibilitySide,
  compatibilityOf,
  type DifferenceReason,
  EXCHANGED_SIDES,
  type SideVerdicts,
  sidesOf,
} from './verdicts.ts';

export interface FieldSide {
  readonly name: string;
  /** Full name of an extension. */
  readonly extension?: string;
  readonly number: number;
  /**
   * `repeated int32`, `map<string, a.B>`, `optional a.B`: as a schema declares it, with its encoding if that is not the
   * default.
   */
  readonly type: string;
}

export interface FieldChange {
  /** `changed`: same name, number and type, but for example presence, packing or default differ. */
  readonly kind: 'added' | 'removed' | 'renamed' | 'renumbered' | 'retyped' | 'changed';
  readonly before: FieldSide | undefined;
  readonly after: FieldSide | undefined;
  /** Whether messages can be read. */
  readonly verdict: CompatibilityLevel;
  readonly sides: SideVerdicts;
  readonly reasons: readonly DifferenceReason[];
}

/**
 * @param before undefined: the field is new @param after undefined: the field is removed
 * @param oldMessage undefined: only the other version has the message, which an extension extends
 */
export function compareField(
  before: FieldDescriptor | undefined,
  after: FieldDescriptor | undefined,
  oldMessage: MessageDescriptor | undefined,
  newMessage: MessageDescriptor | undefined,
  isSame: SameType,
): FieldChange | undefined {
  const reasons: DifferenceReason[] = [];
  const add: Add = (verdict, message, ...about) =>
    reasons.push({ verdict, message, about: about.length === 0 ? EXCHANGED_SIDES : about });
  const done = (kind: FieldChange['kind']): FieldChange => ({
    kind,
    before: before && sideOf(before),
    after: after && sideOf(after),
    verdict: compatibilityOf(reasons),
    sides: sidesOf(reasons),
    reasons,
  });
  if (before === undefined && after !== undefined) {
    checkAdded(after, oldMessage, add);
    return done('added');
  }
  if (before !== undefined && after === undefined) {
    checkRemoved(before, newMessage, add);
    return done('removed');
  }
  if (before === undefined || after === undefined) return undefined;

  if (before.number !== after.number) {
    add('unsafe', `Old messages hold it as number ${before.number}; the new version does not read it there.`, 'binary');
    const now = after.parent.byNumber.get(before.number);
    if (now !== undefined) add('unsafe', `Number ${before.number} is read as "${now.name}" now.`, 'binary');
    // JSON and code do not have the number: there it is the same field, with the changes of its declaration.
    compareDeclarations(before, after, isSame, (verdict, message, ...about) => {
      const sides = (about.length === 0 ? EXCHANGED_SIDES : about).filter((side) => side !== 'binary');
      if (sides.length > 0) add(verdict, message, ...sides);
    });
    return done('renumbered');
  }
  const isRenamed = before.name !== after.name;
  if (isRenamed) {
    const isReserved = after.parent.reservedNames.includes(before.name) ? '' : ` "${before.name}" is not reserved.`;
    add('conditional', `The wire holds no names; JSON, text and field masks do.${isReserved}`, 'json');
    add('unsafe', 'Generated code has other names for it.', 'source');
  } else if (before.jsonName !== after.jsonName) {
    add('conditional', `In JSON it was "${before.jsonName}" and is "${after.jsonName}".`, 'json');
  }
  const isRetyped = compareDeclarations(before, after, isSame, add);
  if (reasons.length === 0) return undefined;
  return done(isRetyped ? 'retyped' : isRenamed ? 'renamed' : 'changed');
}

/** All that a declaration has besides name and number. @returns whether the type changed */
function compareDeclarations(before: FieldDescriptor, after: FieldDescriptor, isSame: SameType, add: Add): boolean {
  const isRetyped = compareTypes(before, after, isSame, add);
  compareSource(before, after, add);
  comparePlain(before.plain, after.plain, FIELD_OPTIONS, add);
  comparePresence(before, after, add);
  compareOneofs(before, after, add);
  if (before.defaultValue !== after.defaultValue && defaultOf(before) !== defaultOf(after)) {
    const shown = (text: string | undefined) => (text === undefined ? 'none' : JSON.stringify(text));
    const was = `The default was ${shown(before.defaultValue)} and is ${shown(after.defaultValue)}`;
    add('conditional', `${was}: an absent field means another value to each version.`);
  }
  return isRetyped;
}

/** The meaning of an absent field, the same for all types of numbers; an enum's value is its number. */
function defaultOf({ type, defaultValue: text, enum: values }: FieldDescriptor): string {
  if (values !== undefined) {
    return String((values.values.find(({ name }) => name === text) ?? values.values[0])?.number);
  }
  if (type === 'string' || type === 'bytes') return text ?? '';
  const number = Number(text === 'true' ? 1 : text === 'false' ? 0 : (text ?? 0));
  return Number.isSafeInteger(number) ? String(number) : text!;
}

/**
 * The effect of an option that differs between versions: its default, the verdict, the message, and the sides affected.
 */
export type PlainRule = readonly [
  unset: string,
  verdict: CompatibilityLevel,
  message: string,
  ...about: readonly CompatibilitySide[],
];

const FIELD_OPTIONS: Readonly<Record<string, PlainRule>> = {
  jstype: ['JS_NORMAL', 'unsafe', 'JavaScript code gets a value of another type.', 'source'],
  ctype: ['STRING', 'conditional', 'C++ code gets another string type.', 'source'],
  'features.utf8_validation': [
    '',
    'conditional',
    'One version refuses text that is not UTF-8, the other accepts it.',
    'binary',
  ],
};

export function comparePlain(
  before: Readonly<Record<string, string>> | undefined,
  after: Readonly<Record<string, string>> | undefined,
  rules: Readonly<Record<string, PlainRule>>,
  add: Add,
): void {
  for (const [name, [unset, verdict, message, ...about]] of Object.entries(rules)) {
    const [was, is] = [before?.[name] ?? unset, after?.[name] ?? unset];
    // A feature that only one side has, for example because the other is not text, is visible in the type.
    if (was === is || was === '' || is === '') {
      if (was === is || name.startsWith('features.')) continue;
    }
    add(verdict, `${name} was ${was || 'not set'} and is ${is || 'not set'}. ${message}`, ...about);
  }
}

/** Compares the types in generated code. */
function compareSource(before: FieldDescriptor, after: FieldDescriptor, add: Add): void {
  if (before.cardinality !== after.cardinality) {
    add('unsafe', 'One value and several are read by different code.', 'source');
  } else if (before.presence !== after.presence && before.message === undefined) {
    add('conditional', 'Presence adds methods and null checks to generated code, or takes them away.', 'source');
  }
  if (before.oneof?.name !== after.oneof?.name) add('unsafe', 'Generated code has a type for each oneof.', 'source');
  compareNative('Its', before, after, add);
}

const NATIVE = 'wirecost.native.';

const nativeOptions = ({ options }: Annotated): string =>
  JSON.stringify(
    Object.fromEntries(
      Object.entries(options)
        .filter(([name]) => name.startsWith(NATIVE))
        .map(([name, value]) => [name.slice(NATIVE.length), value])
        .sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)),
    ),
    (_, value) => (typeof value === 'bigint' ? String(value) : value),
  );

type Annotated = Pick<FieldDescriptor, 'options'>;

/** Compares options of native layouts of a field, a oneof or a method. @param whose the reason begins with it: `Its` */
export function compareNative(
  whose: string,
  before: Annotated,
  after: Annotated,
  add: (verdict: CompatibilityLevel, message: string, ...about: readonly CompatibilitySide[]) => void,
): void {
  const [was, is] = [nativeOptions(before), nativeOptions(after)];
  if (was === is) return;
  add('unsafe', `${whose} native options were ${was} and are ${is}: native bytes are misread.`, 'binary');
}

export function hasNativeOptions({ options }: Annotated): boolean {
  return Object.keys(options).some((name) => name.startsWith(NATIVE));
}

function checkAdded(field: FieldDescriptor, before: MessageDescriptor | undefined, add: Add): void {
  if (field.presence === 'required') {
    add('unsafe', 'It is required: old messages do not have it and are refused.');
  }
  if (before === undefined) return;
  if (inRanges(before.reservedRanges, field.number)) {
    add('unsafe', `Number ${field.number} was reserved: messages older still may hold something else there.`, 'binary');
  }
  const rival = rivalOf(field, before);
  if (rival !== undefined && (field.isExtension || rival.isExtension)) {
    add('conditional', `Number ${field.number} was ${callOf(rival)}. ${SAME_IF_TYPES}`);
  } else if (rival !== undefined) {
    add('unsafe', `Number ${field.number} was "${rival.name}", which moved.`, 'binary');
  }
  if (!field.isExtension && before.reservedNames.includes(field.name)) {
    add('conditional', `The name "${field.name}" was reserved: JSON and text older still may hold it.`, 'json');
  }
  if (field.oneof !== undefined && before.oneofs.some(({ name }) => name === field.oneof?.name)) {
    add('conditional', `Old readers do not know that it clears the other fields of "${field.oneof.name}".`, 'binary');
  }
  add('conditional', NEW_NAME, 'json');
}

/** https://protobuf.dev/programming-guides/json/: parsers should refuse unknown names by default. */
export const NEW_NAME = 'An old JSON parser refuses the new name, unless it ignores unknown ones.';
const OLD_NAME = 'A new JSON parser refuses the old name, unless it ignores unknown ones.';

const SAME_IF_TYPES = 'The bytes are the same if the types are; JSON and text name an extension in brackets.';

/** The field or extension of a version of the message that has the number. */
const rivalOf = ({ number }: FieldDescriptor, message: MessageDescriptor): FieldDescriptor | undefined =>
  message.byNumber.get(number) ?? message.extensions.get(number);

const callOf = ({ isExtension, fullName, name }: FieldDescriptor): string =>
  isExtension ? `the extension "${fullName}"` : `the field "${name}"`;

function checkRemoved(field: FieldDescriptor, after: MessageDescriptor | undefined, add: Add): void {
  if (field.presence === 'required') add('unsafe', 'It was required: old readers refuse messages without it.');
  const rival = after && rivalOf(field, after);
  if (rival !== undefined && (field.isExtension || rival.isExtension)) {
    add('conditional', `Number ${field.number} is ${callOf(rival)} now. ${SAME_IF_TYPES}`);
  } else if (rival !== undefined) {
    add('unsafe', `Number ${field.number} is "${rival.name}" now: old messages are misread.`, 'binary');
  } else if (after !== undefined && !inRanges(after.reservedRanges, field.number)) {
    add(
      'conditional',
      `Number ${field.number} is not reserved: if it is used again, old messages are misread.`,
      'binary',
    );
  }
  if (field.isExtension) {
    add('conditional', `JSON and text with "[${field.fullName}]" are refused.`, 'json');
  } else {
    if (after !== undefined) add('conditional', OLD_NAME, 'json');
    if (!after?.reservedNames.includes(field.name)) {
      add(
        'conditional',
        `The name "${field.name}" is not reserved: if it is used again, old JSON and text are misread.`,
        'json',
      );
    }
  }
  add('unsafe', 'Code that uses it no longer compiles.', 'source');
}

const inRanges = (ranges: readonly { readonly start: number; readonly end: number }[], number: number): boolean =>
  ranges.some(({ start, end }) => number >= start && number < end);

function comparePresence(before: FieldDescriptor, after: FieldDescriptor, add: Add): void {
  if (before.presence === after.presence || before.cardinality !== after.cardinality) return;
  if (after.presence === 'required') add('unsafe', 'It is required now: old messages may lack it and are refused.');
  else if (before.presence === 'required') {
    add('unsafe', 'It is no longer required: old readers refuse messages that lack it.');
  } else if (after.presence === 'implicit') {
    add(
      'conditional',
      'It no longer has presence: its default is not written, and a set default looks like an unset field.',
    );
  } else {
    add('conditional', 'It has presence now: its default is written, and the old version did not write it.');
  }
}

const LOST = 'values are lost where a message sets several.';
/** https://protobuf.dev/programming-guides/json/: the parsers of Go, Java and C++ do so. */
const REFUSED = 'JSON parsers refuse a message that sets several fields';

function compareOneofs(before: FieldDescriptor, after: FieldDescriptor, add: Add): void {
  const [was, is] = [before.oneof, after.oneof];
  const oldMessage = before.parent;
  const members = (fields: readonly FieldDescriptor[]) => fields.map(({ number }) => number).join();
  // Oneofs are not visible on the wire, so a new name only affects code.
  if (was?.name === is?.name || (was && is && members(was.fields) === members(is.fields))) return;
  if (is !== undefined && oldMessage.oneofs.some(({ name }) => name === is.name)) {
    add('unsafe', `It moved into the oneof "${is.name}" that was there: ${LOST}`, 'binary');
    add('unsafe', `${REFUSED} of the oneof "${is.name}", which it moved into.`, 'json');
  } else if (was === undefined && is !== undefined) {
    const moved = is.fields.filter(({ number }) => oldMessage.byNumber.has(number));
    if (moved.length > 1) {
      add('conditional', `It moved into a new oneof with others: ${LOST}`, 'binary');
      add('conditional', `${REFUSED} of the new oneof "${is.name}".`, 'json');
    } else add('safe', `It moved alone into the new oneof "${is.name}".`);
  } else if (was !== undefined && is === undefined) {
    const verdict = was.fields.length === 1 ? 'safe' : 'conditional';
    add(verdict, `It left the oneof "${was.name}": old readers keep the last of what is set together.`, 'binary');
    if (verdict !== 'safe') add(verdict, `${REFUSED} of the oneof "${was.name}", which it left.`, 'json');
  } else if (was !== undefined && is !== undefined) {
    const text = `It moved from the oneof "${was.name}" to "${is.name}"`;
    add('conditional', `${text}: they clear different fields.`, 'binary');
    add('conditional', `${text}. ${REFUSED} of the one or the other.`, 'json');
  }
}

const sideOf = (field: FieldDescriptor): FieldSide => ({
  name: field.name,
  ...(field.isExtension ? { extension: field.fullName } : {}),
  number: field.number,
  type: describeField(field),
});

/** `repeated int32 (expanded)`, `map<string, a.B>`, `group a.B`. */
function describeField(field: FieldDescriptor): string {
  if (field.cardinality === 'map') {
    const [key, value] = [field.message?.byNumber.get(1), field.message?.byNumber.get(2)];
    return `map<${key?.type ?? '?'}, ${value === undefined ? '?' : describeType(value)}>`;
  }
  const name = `${field.type === 'group' ? 'group ' : ''}${describeType(field)}`;
  if (field.cardinality === 'repeated') {
    return `repeated ${name}${isPackable(field.type) && !field.packed ? ' (expanded)' : ''}`;
  }
  if (field.presence === 'required') return `required ${name}`;
  return field.presence === 'explicit' && field.message === undefined && field.oneof === undefined
    ? `optional ${name}`
    : name;
}
