/** The types of one field in two versions of a schema: scalars, messages, maps and lists. */
import type { EnumDescriptor, FieldDescriptor, FieldType, MessageDescriptor } from '../descriptor.ts';
import { isWrapper } from '../names.ts';
import { codeOfTypes, jsonOfTypes, MAP_AND_LIST, sharedFormOf } from './type-verdicts.ts';
import { type Add, type CompatibilitySide, EXCHANGED_SIDES } from './verdicts.ts';

/** Whether a type of the first version is this type in the second. */
export type SameType = (
  before: MessageDescriptor | EnumDescriptor,
  after: MessageDescriptor | EnumDescriptor,
) => boolean;

const MANTISSA: Readonly<Partial<Record<FieldType, string>>> = {
  float: 'The four bytes would mean another number.',
  double: 'The eight bytes would mean another number.',
};

type WireKind = 'VARINT' | 'I64' | 'I32' | 'LEN' | 'SGROUP';

function wireKindOf(type: FieldType): WireKind {
  switch (type) {
    case 'double':
    case 'fixed64':
    case 'sfixed64':
      return 'I64';
    case 'float':
    case 'fixed32':
    case 'sfixed32':
      return 'I32';
    case 'string':
    case 'bytes':
    case 'message':
      return 'LEN';
    case 'group':
      return 'SGROUP';
    default:
      return 'VARINT';
  }
}

/** One side of two message types, and the pairs of types that are compared on it. */
interface Contents {
  readonly side: CompatibilitySide;
  /** Full names. */
  readonly known: Set<string>;
}

/** @param within the field is in these; undefined: it is the changed field itself @returns whether the type changed */
export function compareTypes(
  before: FieldDescriptor,
  after: FieldDescriptor,
  isSame: SameType,
  add: Add,
  within?: Contents,
): boolean {
  const wasMap = before.cardinality === 'map';
  const isMap = after.cardinality === 'map';
  if (wasMap || isMap) return compareMaps(before, after, isSame, add, within);
  const isScalarChanged = before.type !== after.type;
  const isAlike = !isScalarChanged || compareScalars(before, after, add);
  const [old, now] = [before.message ?? before.enum, after.message ?? after.enum];
  const isNameChanged = old !== undefined && now !== undefined && old.kind === now.kind && !isSame(old, now);
  if (isNameChanged) {
    const read = `what was written as "${old.fullName}" is read by the ${now.kind === 'enum' ? 'values' : 'numbers'} of "${now.fullName}"`;
    add('conditional', `Records hold no type names: ${read}.`);
    if (old.kind === 'message' && now.kind === 'message') compareContents(old, now, isSame, add, within);
  }
  if (before.cardinality === after.cardinality) {
    const inCode = codeOfTypes(before.type, after.type);
    if (inCode !== null) add(inCode.verdict, inCode.message, 'source');
    else if (isNameChanged) add('unsafe', `Generated code has ${now.fullName} where it had ${old.fullName}.`, 'source');
  }
  const wasRepeated = before.cardinality === 'repeated';
  const isRepeated = after.cardinality === 'repeated';
  if (wasRepeated !== isRepeated) compareCardinality(before, after, isAlike, add);
  else if (isRepeated && before.packed !== after.packed && isPackable(before.type) && isPackable(after.type)) {
    const [was, is] = before.packed ? ['packed', 'expanded'] : ['expanded', 'packed'];
    add('safe', `It was ${was} and is ${is}: readers accept both forms, the sizes differ.`, 'binary');
  }
  return isScalarChanged || isNameChanged || wasRepeated !== isRepeated;
}

/** Deeper types are not compared. */
const MAX_PAIRS = 500;

const hasOwnJson = ({ fullName }: MessageDescriptor): boolean => fullName.startsWith('google.protobuf.');

/**
 * A message of one type that is read as another: by its numbers, in JSON by its names. Only what cannot be read is added,
 * for each side the first of it.
 */
export function compareContents(
  old: MessageDescriptor,
  now: MessageDescriptor,
  isSame: SameType,
  add: Add,
  within?: Contents,
): void {
  const all: readonly Contents[] = within
    ? [within]
    : EXCHANGED_SIDES.map((side) => ({ side, known: new Set<string>() }));
  for (const contents of all) {
    const { side, known } = contents;
    const key = `${old.fullName} ${now.fullName}`;
    const isPlain = side === 'binary' || ![old, now].some(hasOwnJson);
    if (known.has(key) || known.size >= MAX_PAIRS || !isPlain) continue;
    known.add(key);
    const misread: string[] = [];
    for (const field of old.fields) {
      const other =
        side === 'binary'
          ? now.byNumber.get(field.number)
          : now.fields.find(({ jsonName }) => jsonName === field.jsonName);
      if (other === undefined) continue;
      const addMisread: Add = (verdict, message, ...about) => {
        if (verdict !== 'unsafe' || !(about.length === 0 || about.includes(side))) return;
        misread.push(`Of "${field.name}" in "${old.fullName}": ${message}`);
      };
      compareTypes(field, other, isSame, addMisread, contents);
    }
    for (const [type, other] of [
      [old, now],
      [now, old],
    ] as const) {
      const required = type.fields.find(
        ({ presence, number }) => presence === 'required' && other.byNumber.get(number)?.presence !== 'required',
      );
      if (required !== undefined)
        misread.push(`"${required.fullName}" is required: readers refuse messages without it.`);
    }
    if (misread[0] !== undefined) add('unsafe', misread[0], side);
  }
}

/** The type of the value in JSON. */
const jsonType = ({ type, message }: FieldDescriptor): FieldType =>
  (isWrapper(message?.fullName) && message?.fields[0]?.type) || type;

/** @returns whether a record of the one type is one of the other */
function compareScalars(before: FieldDescriptor, after: FieldDescriptor, add: Add): boolean {
  const [a, b] = [before.type, after.type];
  const inJson = jsonOfTypes(jsonType(before), jsonType(after), [describeType(before), describeType(after)]);
  if (inJson !== null) add(inJson.verdict, inJson.message, 'json');
  const text = a === 'string' ? before : after;
  const isChecked = text.plain?.['features.utf8_validation'] !== 'NONE';
  const shared = sharedFormOf(a, b, [describeType(before), describeType(after)], isChecked);
  if (shared !== null) {
    add(shared.verdict, shared.message, 'binary');
    return true;
  }
  const [wireA, wireB] = [wireKindOf(a), wireKindOf(b)];
  if (wireA !== wireB) {
    add('unsafe', misreadOf(before, after) ?? misreadOf(after, before) ?? unreadOf(a, b), 'binary');
    return false;
  }
  if (wireA === 'LEN') {
    const pair = new Set([a, b]);
    if (pair.has('bytes')) {
      add('conditional', 'bytes hold a message if they were written as one, and nothing else.', 'binary');
    } else {
      add('unsafe', 'Text is not a message: each reader rejects or misreads what the other writes.', 'binary');
      return false;
    }
    return true;
  }
  if (MANTISSA[a] ?? MANTISSA[b]) {
    add('unsafe', `${a} and ${b} have the same width, but not the same form. ${MANTISSA[a] ?? MANTISSA[b]}`, 'binary');
  } else add('unsafe', `${a} and ${b} are both varints, but the one is zigzag: ${zigzagOf(a, b)}.`, 'binary');
  return false;
}

export const isPackable = (type: FieldType): boolean => !['LEN', 'SGROUP'].includes(wireKindOf(type));

/** The reason why readers of a list of numbers misread a record of another type; undefined: they leave it unread. */
function misreadOf(list: FieldDescriptor, other: FieldDescriptor): string | undefined {
  const isRun = other.packed || wireKindOf(other.type) === 'LEN';
  if (list.cardinality !== 'repeated' || !isPackable(list.type) || !isRun) return undefined;
  const what = other.packed ? `one of ${other.type}` : other.type;
  return `Readers take a packed run of ${list.type} for ${what}, or the reverse: they misread it, or refuse the message.`;
}

function unreadOf(a: FieldType, b: FieldType): string {
  const [wireA, wireB] = [wireKindOf(a), wireKindOf(b)];
  const why = [wireA, wireB].includes('SGROUP')
    ? 'a group ends by a tag, a message by its length'
    : `${a} is written as ${wireA}, ${b} as ${wireB}`;
  return `Readers do not find the value: ${why}. They keep it among the unknown fields.`;
}

const zigzagOf = (a: FieldType, b: FieldType): string =>
  a === 'bool' || b === 'bool' ? 'true is read as −1' : `1 is read as ${b.startsWith('s') ? '−1' : '2'}`;

function compareMaps(
  before: FieldDescriptor,
  after: FieldDescriptor,
  isSame: SameType,
  add: Add,
  within: Contents | undefined,
): boolean {
  if (before.cardinality === after.cardinality) {
    let isChanged = false;
    for (const [number, what] of [
      [1, 'key'],
      [2, 'value'],
    ] as const) {
      const [a, b] = [before.message?.byNumber.get(number), after.message?.byNumber.get(number)];
      if (a === undefined || b === undefined) continue;
      const addPart: Add = (verdict, message, ...about) => add(verdict, `Of the ${what}: ${message}`, ...about);
      const changed = compareTypes(a, b, isSame, addPart, within);
      isChanged ||= changed;
    }
    return isChanged;
  }
  const other = before.cardinality === 'map' ? after : before;
  if (other.cardinality === 'repeated' && other.type === 'message') {
    const { binary, json } = MAP_AND_LIST;
    add(binary.verdict, binary.message, 'binary');
    const [old, now] = [before.message, after.message];
    if (old !== undefined && now !== undefined) {
      const addBinary: Add = (verdict, message, ...about) => {
        if (about.includes('binary')) add(verdict, message, 'binary');
      };
      compareContents(old, now, isSame, addBinary, within);
    }
    add(json.verdict, json.message, 'json');
  } else add('unsafe', 'A map is written as a repeated message; the other field is not a map.');
  return true;
}

function compareCardinality(before: FieldDescriptor, after: FieldDescriptor, isAlike: boolean, add: Add): void {
  const [repeated, single] = before.cardinality === 'repeated' ? [before, after] : [after, before];
  add('unsafe', 'In JSON, a single value has no brackets, and a list has brackets.', 'json');
  if (single.presence === 'required') add('unsafe', 'A list may be empty: readers of the required value refuse that.');
  if (!isAlike) return;
  if (!isPackable(repeated.type)) {
    const merged = single.type === 'string' || single.type === 'bytes' ? 'takes the last one' : 'merges them all';
    add('conditional', `Records are alike; where there are several, a reader of one value ${merged}.`, 'binary');
  } else if (repeated.packed) {
    add('unsafe', 'A packed run is not a single value: readers of one value do not find it.', 'binary');
  } else {
    add(
      'conditional',
      'Records are alike as long as they stay expanded; a reader of one value takes the last one.',
      'binary',
    );
  }
}

export function describeType(field: FieldDescriptor): string {
  return field.message?.fullName ?? field.enum?.fullName ?? field.type;
}
