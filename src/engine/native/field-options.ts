/**
 * Reads the options of schemas/native/options.proto on one field or oneof. Each option is checked against the field. An
 * option that cannot be applied is a problem and is ignored.
 */
import type { FieldDescriptor, FieldType, MessageDescriptor, OneofDescriptor } from '../schema/descriptor.ts';
import { parseCondition, parseSize } from './condition.ts';
import type { Absence, Condition, IntForm, SizedBy, ValueForm } from './layout.ts';
import { placedOptions } from './option-places.ts';
import { little, STREAM_OUTPUT } from './profiles.ts';
import { parseVersion } from './version.ts';
import { WRITERS } from './writers.ts';

/** Reports a problem: the name of the field, oneof or method, the option, and the reason. */
export type Complain = (of: string, option: string, message: string) => void;

const ABSENCES: Readonly<Record<string, Absence>> = {
  FLAG: 'flag',
  SENTINEL: 'sentinel',
  LENGTH_PLUS_ONE: 'length+1',
  DEFAULT: 'default',
  MINUS_ONE: 'minus',
  ONE_BYTE: 'tristate',
  AT_END: 'end',
};

const VINT: IntForm = { kind: 'varint', bits: 32, zigzag: false };
const BYTE: IntForm = { kind: 'fixed', bytes: 1, order: 'big' };
const INT: IntForm = { kind: 'fixed', bytes: 4, order: 'big' };

/** Writers that have no method in StreamOutput. */
const OTHER_WRITERS: Readonly<Record<string, ValueForm>> = {
  SHORT_LE: { kind: 'int', form: little(2) },
  INT_LE: { kind: 'int', form: little(4) },
  LONG_LE: { kind: 'int', form: little(8) },
  FLOAT_LE: { kind: 'float', bytes: 4, order: 'little' },
  DOUBLE_LE: { kind: 'float', bytes: 8, order: 'little' },
};
const COUNTS: Readonly<Record<string, { readonly form: IntForm; readonly twice: boolean }>> = {
  ONCE: { form: VINT, twice: false },
  TWICE: { form: VINT, twice: true },
  FIXED: { form: INT, twice: false },
  SHORTEST: { form: BYTE, twice: false },
};
const TO_END: SizedBy = { toEnd: true };

const CHOOSERS: Readonly<Record<string, ValueForm>> = {
  BY_BYTE: { kind: 'int', form: BYTE },
  BY_VINT: { kind: 'int', form: VINT },
  BY_NAME: STREAM_OUTPUT.String,
  BY_INT: { kind: 'int', form: INT },
};

/** The requests in a field's options. */
export interface FieldWishes {
  readonly form: ValueForm | undefined;
  /** The field has no bytes of its own: it exists only in protobuf, or the number of a choice is its whole value. */
  readonly isUnwritten: boolean;
  readonly absence: Absence | undefined;
  /** The length prefix of a text, of bytes or of a nested blob. */
  readonly length: IntForm | undefined;
  readonly count: { readonly form: IntForm; readonly twice: boolean } | undefined;
  readonly sizedBy: SizedBy | undefined;
  readonly when: Condition | undefined;
  readonly isWritten: boolean;
  readonly nativeOnly: boolean;
  readonly key: FieldDescriptor | undefined;
  readonly keysOnly: boolean;
  readonly keyForm: ValueForm | undefined;
  readonly valueForm: ValueForm | undefined;
  /** The message that the bytes are, unpacked. */
  readonly packed: MessageDescriptor | undefined;
}

/** The options may come from a descriptor set with a different enum. A value may then have no name. */
const nameOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** @param earlier fields of the message that precede this one @param version the stream version of the layout */
export function readFieldOptions(
  field: FieldDescriptor,
  earlier: readonly FieldDescriptor[],
  version: number,
  complain: Complain,
): FieldWishes {
  const wrong = (name: string, message: string): undefined => {
    complain(field.fullName, `wirecost.native.${name}`, message);
    return undefined;
  };
  const options = placedOptions(field, wrong);
  const isMap = field.cardinality === 'map';
  const [keyField, valueField] = isMap ? field.message!.fields : [];

  const writer = nameOf(options['write']);
  let form: ValueForm | undefined;
  if (writer !== undefined && writer !== 'NONE') {
    if (isMap) wrong('write', 'A map has two writers: write_key and write_value.');
    else form = formOf(field, writer) ?? wrong('write', `${writer} cannot write ${kindOf(field)}.`);
  }
  const content = options['content'];
  const isCompressed = options['compressed'] === true;
  if (content !== undefined) {
    if (field.type !== 'bytes') wrong('content', 'Only a bytes field keeps native values as they are.');
    else if (field.content === undefined)
      wrong('content', `"${String(content)}" is not a message that this file knows.`);
    else if (!isCompressed) form = { kind: 'content', message: field.content };
  } else if (isCompressed) wrong('compressed', 'Only a field with content has compressed content.');

  const condition = (): Condition | undefined => {
    const text = nameOf(options['when']);
    if (text === undefined) return undefined;
    const parsed = parseCondition(text, earlier);
    return typeof parsed === 'string' ? wrong('when', `A condition ${parsed}.`) : parsed;
  };
  const versionOf = (name: string): number | undefined => {
    const text = nameOf(options[name]);
    if (text === undefined) return undefined;
    return parseVersion(text) ?? wrong(name, `"${text}" is not a version; write it as "2.13.0".`);
  };
  const mapForm = (name: string, part: FieldDescriptor | undefined): ValueForm | undefined => {
    const wish = nameOf(options[name]);
    if (wish === undefined) return undefined;
    if (part === undefined) return wrong(name, 'Only a map has keys and values to write.');
    return formOf(part, wish) ?? wrong(name, `${wish} cannot write ${kindOf(part)}.`);
  };
  const keyOf = (): FieldDescriptor | undefined => {
    const name = nameOf(options['key']);
    if (name === undefined) return undefined;
    const key = valueField?.message?.fields.find((candidate) => candidate.name === name);
    if (key?.type === keyField?.type && key?.cardinality === 'singular') return key;
    return wrong('key', `The map's value has no field "${name}" of the key's type.`);
  };

  const intForm = (name: string): IntForm | undefined => {
    const wish = nameOf(options[name]);
    if (wish === undefined) return undefined;
    const known = formOf({ type: 'sint64' }, wish);
    return known?.kind === 'int' ? known.form : wrong(name, `${wish} does not write an integer.`);
  };
  const countForm = intForm('write_count');

  const ending = (): SizedBy | undefined => {
    const text = nameOf(options['ends_with']);
    return text === undefined ? undefined : { until: text };
  };

  const size = (): SizedBy | undefined => {
    const text = nameOf(options['sized_by']);
    if (count === 'TO_END') return isMap ? wrong('count', 'Only a list goes up to the end.') : TO_END;
    if (text === undefined) return ending();
    const isList = field.cardinality === 'repeated' && (field.message !== undefined || field.type === 'string');
    if (!isList && (field.type !== 'bytes' || isMap))
      return wrong('sized_by', 'Only bytes, and lists of messages or strings, have it.');
    const parsed = parseSize(text, earlier);
    return typeof parsed === 'string' ? wrong('sized_by', `A size ${parsed}.`) : parsed;
  };

  const absent = nameOf(options['absent']);
  const count = nameOf(options['count']);
  const since = versionOf('since') ?? 0;
  const end = versionOf('until');
  const until =
    end === undefined || end > since ? end : wrong('until', 'No version has the field: it ends before it begins.');
  const valuesSince = versionOf('values_since');
  if (valuesSince !== undefined && !isMap) wrong('values_since', 'Only a map has values apart from its keys.');
  return {
    form,
    isUnwritten: writer === 'NONE',
    absence: absent === undefined ? undefined : ABSENCES[absent],
    length: intForm('write_length'),
    count: countForm === undefined ? COUNTS[count ?? ''] : { form: countForm, twice: count === 'TWICE' },
    sizedBy: size(),
    when: condition(),
    isWritten: version >= since && (until === undefined || version < until),
    nativeOnly: options['native_only'] === true,
    key: keyOf(),
    keysOnly: isMap && valuesSince !== undefined && version < valuesSince,
    keyForm: mapForm('write_key', keyField),
    valueForm: mapForm('write_value', valueField),
    packed: isCompressed ? field.content : undefined,
  };
}

export interface ChoiceWishes {
  readonly form: ValueForm;
  readonly when: Condition | undefined;
  readonly byNumber: ReadonlyMap<number, FieldDescriptor>;
  readonly byName: ReadonlyMap<string, FieldDescriptor>;
  /** The member for all numbers that no other member has. */
  readonly otherwise: FieldDescriptor | undefined;
}

const option = (options: Readonly<Record<string, unknown>>, name: string): unknown =>
  options[`wirecost.native.${name}`];

/** undefined: the members are ordinary fields. */
export function readOneofOptions(
  oneof: OneofDescriptor,
  earlier: readonly FieldDescriptor[],
  complain: Complain,
): ChoiceWishes | undefined {
  const chooser = nameOf(option(oneof.options, 'chosen_by'));
  const text = nameOf(option(oneof.options, 'chosen_when'));
  if (chooser === undefined) {
    if (text !== undefined)
      complain(oneof.fullName, 'wirecost.native.chosen_when', 'Without chosen_by each member is a field of its own.');
    return undefined;
  }
  const form = CHOOSERS[chooser]!;
  const byNumber = new Map<number, FieldDescriptor>();
  const byName = new Map<string, FieldDescriptor>();
  let otherwise: FieldDescriptor | undefined;
  for (const member of oneof.fields) {
    const numbers = (option(member.options, 'type') ?? []) as readonly number[];
    const name = nameOf(option(member.options, 'name'));
    if (form.kind === 'string') {
      if (name === undefined) complain(oneof.fullName, CHOSEN_BY, `"${member.name}" has no (wirecost.native.name).`);
      else if (byName.has(name)) complain(member.fullName, 'wirecost.native.name', `"${name}" is taken.`);
      else byName.set(name, member);
    } else {
      const isOtherwise = option(member.options, 'any_type') === true;
      if (numbers.length === 0 && !isOtherwise)
        complain(oneof.fullName, CHOSEN_BY, `"${member.name}" has no (wirecost.native.type).`);
      if (isOtherwise && otherwise !== undefined)
        complain(member.fullName, 'wirecost.native.any_type', `"${otherwise.name}" has all other numbers.`);
      else if (isOtherwise) otherwise = member;
      for (const number of numbers) {
        if (chooser === 'BY_BYTE' && (number << 24) >> 24 !== number)
          complain(member.fullName, 'wirecost.native.type', `${number} is not between −128 and 127, as a byte is.`);
        else if ((byNumber.get(number) ?? member) !== member)
          complain(member.fullName, 'wirecost.native.type', `${number} is taken.`);
        else byNumber.set(number, member);
      }
    }
  }
  const when = text === undefined ? undefined : parseCondition(text, earlier);
  if (typeof when === 'string') {
    complain(oneof.fullName, 'wirecost.native.chosen_when', `A condition ${when}.`);
  }
  return { form, when: typeof when === 'string' ? undefined : when, byNumber, byName, otherwise };
}

const CHOSEN_BY = 'wirecost.native.chosen_by';

/** The form in which a writer writes a field's values; undefined: it cannot hold all of them. */
export function formOf({ type }: { readonly type: FieldType }, writer: string): ValueForm | undefined {
  if (type === 'message' || type === 'group') {
    return writer === 'BYTES' ? { kind: 'message', length: VINT } : undefined;
  }
  if (writer === 'REST') return type === 'bytes' ? { kind: 'rest' } : undefined;
  if (writer === 'INVERTED') return type === 'bool' ? { kind: 'bool', inverted: true } : undefined;
  if (writer === 'SHORT_BYTES') return type === 'bytes' ? { kind: 'bytes', length: BYTE } : undefined;
  if (writer === 'C_STRING') return type === 'string' ? { kind: 'ended' } : undefined;
  const name = WRITERS.find(([known]) => known === writer)?.[1];
  const form: ValueForm | undefined = name === undefined ? OTHER_WRITERS[writer] : STREAM_OUTPUT[name];
  if (form === undefined) return undefined;
  if (form.kind !== KIND_OF[type]) return undefined;
  return form.kind === 'float' && form.bytes !== (type === 'double' ? 8 : 4) ? undefined : form;
}

const KIND_OF: Readonly<Record<Exclude<FieldType, 'message' | 'group'>, ValueForm['kind']>> = {
  double: 'float',
  float: 'float',
  int64: 'int',
  uint64: 'int',
  int32: 'int',
  fixed64: 'int',
  fixed32: 'int',
  bool: 'bool',
  string: 'string',
  bytes: 'bytes',
  uint32: 'int',
  sfixed32: 'int',
  sfixed64: 'int',
  sint32: 'int',
  sint64: 'int',
  enum: 'int',
};

const kindOf = ({ type }: FieldDescriptor): string =>
  type === 'bytes' ? type : `${/^[aei]/.test(type) ? 'an' : 'a'} ${type}`;
