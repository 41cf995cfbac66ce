/** Derives the layout of each message type from a native profile, the schema's options and the user's overrides. */
import type { FieldDescriptor, MessageDescriptor } from '../schema/descriptor.ts';
import {
  type ChoiceWishes,
  type Complain,
  type FieldWishes,
  formOf,
  readFieldOptions,
  readOneofOptions,
} from './field-options.ts';
import { labelOf } from './label.ts';
import type { Absence, Choice, FieldLayout, IntForm, LayoutOf, MessageLayout, ValueForm } from './layout.ts';
import type { NativeProfile } from './profiles.ts';
import { NEWEST, parseVersion } from './version.ts';

/** Native writer by full field name, as `schemas/native/options.proto` names them: `ZLONG`. */
export type Overrides = Readonly<Record<string, string>>;

export interface DeriveOptions {
  /** The stream version of the layout, as `parseVersion` returns it. */
  readonly version?: number;
  readonly complain?: Complain;
}

const NO_WISHES: FieldWishes = {
  form: undefined,
  isUnwritten: false,
  absence: undefined,
  length: undefined,
  count: undefined,
  sizedBy: undefined,
  when: undefined,
  isWritten: true,
  nativeOnly: false,
  key: undefined,
  keysOnly: false,
  keyForm: undefined,
  valueForm: undefined,
  packed: undefined,
};

/** Whether a field extends to the end of the message, or is absent if that ends, and another one follows. */
function standsBehind(wishes: FieldWishes, other: FieldWishes): boolean {
  // Conditions may exclude each other.
  if (wishes.when !== undefined && other.when !== undefined) return false;
  if (wishes.absence === 'end') return other.absence !== 'end';
  return wishes.sizedBy !== undefined && 'toEnd' in wishes.sizedBy;
}

export function deriveLayouts(
  profile: NativeProfile,
  overrides: Overrides = {},
  { version = NEWEST, complain = () => {} }: DeriveOptions = {},
): LayoutOf {
  const layouts = new Map<MessageDescriptor, MessageLayout>();
  /** The map field of a map entry, and its options. */
  const mapOf = new Map<MessageDescriptor, { readonly map: FieldDescriptor; readonly wishes: FieldWishes }>();

  const layoutOf: LayoutOf = (message) => {
    let layout = layouts.get(message);
    if (layout === undefined) {
      layout = message.isMapEntry ? layOutEntry(message) : layOutMessage(message);
      layouts.set(message, layout);
    }
    return layout;
  };

  function layOutMessage(message: MessageDescriptor): MessageLayout {
    const written: { field: FieldDescriptor; wishes: FieldWishes; choice?: Choice }[] = [];
    const choices = new Map<string, Choice | undefined>();
    const choiceOf = ({ oneof }: FieldDescriptor, earlier: readonly FieldDescriptor[]): Choice | undefined => {
      if (oneof === undefined || !profile.options) return undefined;
      if (!choices.has(oneof.fullName)) {
        const wishes = readOneofOptions(oneof, earlier, complain);
        choices.set(oneof.fullName, wishes && checkedChoice(oneof, wishes));
      }
      return choices.get(oneof.fullName);
    };
    const laidOut = new Set<Choice>();
    const isCompact = isCompactAt(message);
    const earlier: FieldDescriptor[] = [];
    const ordered =
      profile.byNumber === true ? [...message.fields].sort((a, b) => a.number - b.number) : message.fields;
    for (const [index, field] of ordered.entries()) {
      if (index > 0) earlier.push(ordered[index - 1]!);
      const choice = choiceOf(field, earlier);
      if (choice !== undefined) {
        if (laidOut.has(choice)) continue;
        laidOut.add(choice);
        for (const member of choice.oneof.fields) {
          written.push({ field: member, wishes: readFieldOptions(member, earlier, version, complain), choice });
        }
        continue;
      }
      const wishes = profile.options ? readFieldOptions(field, earlier, version, complain) : NO_WISHES;
      if (wishes.isWritten && !wishes.isUnwritten) written.push({ field, wishes });
    }
    const fields = written.map(({ field, wishes, choice }, at): FieldLayout => {
      const next = written.slice(at + 1).find((other) => standsBehind(wishes, other.wishes));
      if (next === undefined) return { ...layOutField(field, wishes, choice, isCompact), ...(choice && { choice }) };
      const name = `"${next.field.name}"`;
      if (wishes.absence === 'end')
        complain(field.fullName, 'wirecost.native.absent', `${name} follows: its bytes would be read as this value.`);
      else complain(field.fullName, 'wirecost.native.count', `No bytes are left for ${name} behind it.`);
      const held = wishes.absence === 'end' ? { ...wishes, absence: undefined } : { ...wishes, sizedBy: undefined };
      return { ...layOutField(field, held, choice, isCompact), ...(choice && { choice }) };
    });
    return { message, version, fields };
  }

  function isCompactAt({ fullName, options }: MessageDescriptor): boolean {
    const since = profile.options ? options['wirecost.native.compact_since'] : undefined;
    if (typeof since !== 'string') return false;
    const first = parseVersion(since);
    if (first === undefined) complain(fullName, 'wirecost.native.compact_since', `"${since}" is not a version.`);
    return first !== undefined && version >= first;
  }

  function layOutEntry(message: MessageDescriptor): MessageLayout {
    const of = mapOf.get(message);
    const fields = message.fields
      .filter(({ number }) =>
        number === 1 ? of?.wishes.keysOnly === true || of?.wishes.key === undefined : of?.wishes.keysOnly !== true,
      )
      .map((field) => {
        const form = field.number === 1 ? of?.wishes.keyForm : of?.wishes.valueForm;
        return layOutField(field, { ...NO_WISHES, form }, undefined, false);
      });
    return { message, version, fields };
  }

  function checkedChoice(oneof: Choice['oneof'], wishes: ChoiceWishes): Choice | undefined {
    const [first] = oneof.fields;
    if (first?.message !== undefined && alwaysHolds(first.message, first.parent, profile)) {
      complain(
        oneof.fullName,
        'wirecost.native.chosen_by',
        `Without a member set the first one is written, and "${first.name}" holds the message itself: it would never end.`,
      );
      return undefined;
    }
    return { oneof, ...wishes };
  }

  function layOutField(
    field: FieldDescriptor,
    wishes: FieldWishes,
    choice: Choice | undefined,
    isCompact: boolean,
  ): FieldLayout {
    const form = withLength(field, chooseForm(field, wishes, choice), wishes.length, isCompact);
    const repeated = field.cardinality !== 'singular';
    if (repeated && field.cardinality === 'map') mapOf.set(field.message!, { map: field, wishes });
    const sizedBy = repeated ? wishes.sizedBy : undefined;
    const counted = repeated && sizedBy === undefined ? (wishes.count?.form ?? profile.count) : undefined;
    const count = isCompact && counted?.kind === 'fixed' ? COMPACT : counted;
    const absence = choice === undefined ? chooseAbsence(field, form, count, wishes.absence) : 'default';
    return {
      field,
      form,
      absence,
      count,
      label: labelOf(form, absence, count, sizedBy),
      ...(sizedBy === undefined ? {} : { sizedBy }),
      ...(repeated && profile.inBlocks === true ? { inBlocks: true } : {}),
      ...(absence === 'flag' && profile.flag !== undefined ? { flag: profile.flag } : {}),
      ...(wishes.count?.twice === true && !wishes.keysOnly ? { countTwice: true } : {}),
      ...(wishes.key === undefined || wishes.keysOnly ? {} : { key: wishes.key }),
      ...(wishes.keysOnly ? { keysOnly: true } : {}),
      ...(wishes.when === undefined ? {} : { when: wishes.when }),
      ...(wishes.nativeOnly ? { nativeOnly: true } : {}),
      ...(wishes.packed === undefined ? {} : { packed: wishes.packed }),
    };
  }

  /** Only writers that can hold every value of the type are used; other wishes are ignored. */
  function chooseForm(field: FieldDescriptor, wishes: FieldWishes, choice: Choice | undefined): ValueForm {
    const rule = profile.forms[field.type === 'group' ? 'message' : field.type];
    const override = profile.overridable ? overrides[field.fullName] : undefined;
    const overriding = override === undefined ? undefined : formOf(field, override);
    if (overriding !== undefined) return overriding;
    if (wishes.isUnwritten && choice !== undefined) return { kind: 'none' };
    if (wishes.sizedBy !== undefined && field.cardinality === 'singular') return { kind: 'sized', by: wishes.sizedBy };
    return wishes.form ?? rule;
  }

  /** The form with the requested length prefix. */
  function withLength(
    field: FieldDescriptor,
    form: ValueForm,
    wish: IntForm | undefined,
    isCompact: boolean,
  ): ValueForm {
    if (form.kind !== 'string' && form.kind !== 'bytes' && form.kind !== 'message') {
      if (wish !== undefined) complain(field.fullName, 'wirecost.native.write_length', 'It has no length.');
      return form;
    }
    const asked = wish ?? form.length;
    const length = isCompact && asked?.kind === 'fixed' ? COMPACT : asked;
    return length === form.length || length === undefined ? form : { ...form, length };
  }

  function chooseAbsence(
    field: FieldDescriptor,
    form: ValueForm,
    count: IntForm | undefined,
    wish: Absence | undefined,
  ): Absence {
    if (wish !== undefined) {
      if (canMark(wish, field, form, count)) return wish;
      complain(field.fullName, 'wirecost.native.absent', reasonAgainst(wish, field));
    }
    // A map writes key and value of each entry, even those that the wire omits.
    if (field.parent.isMapEntry || field.cardinality !== 'singular') return 'default';
    if (form.kind === 'message') {
      return field.presence === 'required' && !alwaysHolds(field.message!, field.parent, profile)
        ? 'default'
        : profile.absence.message;
    }
    if (field.presence !== 'explicit' || form.kind === 'rest' || form.kind === 'sized' || form.kind === 'content')
      return 'default';
    // Only a boolean that is not inverted can mark absence in the same byte.
    return form.kind === 'bool' && form.inverted !== true ? profile.absence.bool : profile.absence.explicit;
  }

  function canMark(absence: Absence, field: FieldDescriptor, form: ValueForm, count: IntForm | undefined): boolean {
    if (field.cardinality !== 'singular') {
      if (absence === 'sentinel') return count !== undefined && holdsMinusOne(count);
      return absence === 'flag' || absence === 'default' || (absence === 'length+1' && isPlain(profile.count));
    }
    switch (absence) {
      case 'sentinel': {
        const hasLength = form.kind === 'string' || form.kind === 'bytes' || form.kind === 'message';
        return hasLength && form.length !== undefined && holdsMinusOne(form.length);
      }
      case 'length+1':
        return (form.kind === 'string' || form.kind === 'bytes') && isPlain(form.length);
      case 'tristate':
        return form.kind === 'bool' && form.inverted !== true;
      case 'default':
        // A message that contains itself and is always written would have infinite size.
        return form.kind !== 'message' || !alwaysHolds(field.message!, field.parent, profile);
      case 'flag':
      case 'minus':
      case 'end':
        return true;
    }
  }
  return layoutOf;
}

const COMPACT: IntForm = { kind: 'varint', bits: 32, zigzag: false, more: 1 };

const isPlain = (form: IntForm): boolean => form.kind === 'varint' && !form.zigzag && form.more === undefined;

const holdsMinusOne = (form: IntForm): boolean =>
  form.kind === 'fixed' || (form.kind === 'varint' && (form.zigzag || form.more === 1));

function reasonAgainst(absence: Absence, { cardinality, message }: FieldDescriptor): string {
  if (cardinality !== 'singular') return 'Only FLAG, LENGTH_PLUS_ONE or the count can mark a list without elements.';
  switch (absence) {
    case 'sentinel':
      return 'A length of −1 needs a fixed width or zigzag: TEXT has the first.';
    case 'length+1':
      return 'A length one larger needs a VINT length: STRING and BYTES have one.';
    case 'tristate':
      return 'Only a boolean says absence in the same byte.';
    default:
      return `"${message?.name ?? ''}" holds the message itself: without a mark it would never end.`;
  }
}

/** Whether writing an empty `from` may require writing a `target`. */
function alwaysHolds(from: MessageDescriptor, target: MessageDescriptor, profile: NativeProfile): boolean {
  const seen = new Set<MessageDescriptor>([from]);
  for (const message of seen) {
    if (message === target) return true;
    for (const { message: held, content, cardinality, presence, options, oneof } of message.fields) {
      if (cardinality !== 'singular') continue;
      const isChosen = profile.options && oneof?.options['wirecost.native.chosen_by'] !== undefined;
      const isAlways = isChosen
        ? oneof?.fields[0]?.message === held
        : presence === 'required' || (profile.options && options['wirecost.native.absent'] === 'DEFAULT');
      if (held !== undefined && isAlways) seen.add(held);
      if (content !== undefined && profile.options) seen.add(content);
    }
  }
  return false;
}
