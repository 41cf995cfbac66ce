/**
 * The form of each field of a type: the part that a schema change alters. Forms come from a registry, and altered forms
 * override them, so that a change can be measured before any file is edited.
 */
import {
  type EnumDescriptor,
  type FieldDescriptor,
  type FieldType,
  fieldsOf,
  type Presence,
  pathSegment,
  type Registry,
} from '../schema/descriptor.ts';
import type { EnumAddition } from '../schema/edit/schema-edits.ts';
import { MAX_FIELD_NUMBER } from '../schema/link/rules.ts';
import { ANY, parentOf, shortNameOf } from '../schema/names.ts';
import { isAny, typeNameOf } from '../wire/any.ts';

export interface FieldForm {
  /** The name in paths: `[full.name]` for an extension. */
  readonly name: string;
  readonly number: number;
  /** `group`: the delimited encoding. */
  readonly type: FieldType;
  readonly cardinality: 'singular' | 'repeated' | 'map';
  readonly presence: Presence;
  readonly packed: boolean;
  /** Full name of the message or enum; undefined for a scalar. */
  readonly typeName: string | undefined;
  /** Name of its oneof; undefined: it is in no oneof. */
  readonly oneof: string | undefined;
  /** As declared; undefined: the default of its type. */
  readonly defaultValue: string | undefined;
}

export interface MessageForm {
  readonly fullName: string;
  readonly isMapEntry: boolean;
  /** By number. */
  readonly fields: readonly FieldForm[];
  readonly byName: ReadonlyMap<string, FieldForm>;
  readonly byNumber: ReadonlyMap<number, FieldForm>;
  /** Numbers that a new field must not use, half-open. */
  readonly taken: readonly { readonly start: number; readonly end: number }[];
}

const decoder = new TextDecoder();

/** Numbers that protobuf reserves. */
export const OWN_NUMBERS = { start: 19_000, end: 20_000 };

export class FieldEncodings {
  readonly registry: Registry;
  /** Enums that changes declare. */
  readonly enums: readonly EnumAddition[];
  readonly #altered: ReadonlyMap<string, MessageForm>;
  readonly #known = new Map<string, MessageForm | undefined>();
  readonly #closed = new Map<string, ReadonlySet<number> | undefined>();

  constructor(
    registry: Registry,
    altered: ReadonlyMap<string, MessageForm> = new Map(),
    enums: readonly EnumAddition[] = [],
  ) {
    this.registry = registry;
    this.#altered = altered;
    this.enums = enums;
  }

  /** Messages whose forms differ from the registry. */
  get altered(): ReadonlyMap<string, MessageForm> {
    return this.#altered;
  }

  get(fullName: string): MessageForm | undefined {
    const altered = this.#altered.get(fullName);
    if (altered !== undefined) return altered;
    if (this.#known.has(fullName)) return this.#known.get(fullName);
    const form = this.#read(fullName);
    this.#known.set(fullName, form);
    return form;
  }

  field(message: string, name: string): FieldForm | undefined {
    return this.get(message)?.byName.get(name);
  }

  /** Whether the messages in a google.protobuf.Any can be read: the schema has that type. */
  get readsAny(): boolean {
    return isAny(this.registry.messages.get(ANY));
  }

  /**
   * Whether a field has the number: a number that a closed enum does not list is an unknown field instead.
   * https://protobuf.dev/programming-guides/enum/#definitions
   */
  lists({ type, typeName }: FieldForm, number: number): boolean {
    return type !== 'enum' || (this.#listed(typeName!)?.has(number) ?? true);
  }

  /** The numbers of a closed enum. */
  #listed(typeName: string): ReadonlySet<number> | undefined {
    if (this.#closed.has(typeName)) return this.#closed.get(typeName);
    const named = this.registry.enums.get(typeName);
    const numbers = named?.closed === true ? new Set(named.values.map(({ number }) => number)) : undefined;
    this.#closed.set(typeName, numbers);
    return numbers;
  }

  /** The type of the message in an Any; undefined: the schema has no such type. @param url its type URL, if it has one */
  heldType(url: Uint8Array | undefined): string | undefined {
    const name = url && typeNameOf(decoder.decode(url));
    return name !== undefined && this.get(name) !== undefined ? name : undefined;
  }

  #read(fullName: string): MessageForm | undefined {
    const message = this.registry.messages.get(fullName);
    if (message === undefined) return undefined;
    const fields = fieldsOf(message).map(formOf);
    return messageForm(fullName, message.isMapEntry, fields, [
      ...message.reservedRanges,
      ...message.extensionRanges,
      OWN_NUMBERS,
    ]);
  }

  /** A copy with one message's fields changed; everything else is shared. */
  with(fullName: string, change: (fields: readonly FieldForm[]) => readonly FieldForm[]): FieldEncodings {
    const before = this.get(fullName);
    if (before === undefined) return this;
    return this.#altering(messageForm(fullName, before.isMapEntry, change(before.fields), before.taken));
  }

  #altering(form: MessageForm): FieldEncodings {
    return new FieldEncodings(this.registry, new Map(this.#altered).set(form.fullName, form), this.enums);
  }

  withEnum(declared: EnumAddition): FieldEncodings {
    return new FieldEncodings(this.registry, this.#altered, [...this.enums, declared]);
  }

  /** A copy with the entry of a map as an ordinary message. */
  asList(entry: string, change: (field: FieldForm) => FieldForm): FieldEncodings {
    const { fields, taken } = this.get(entry)!;
    return this.#altering(messageForm(entry, false, fields.map(change), taken));
  }

  /** A copy with these messages as the registry has them. */
  without(names: readonly string[]): FieldEncodings {
    const altered = [...this.#altered].filter(([name]) => !names.includes(name));
    return new FieldEncodings(this.registry, new Map(altered), this.enums);
  }

  withField(fullName: string, name: string, patch: Partial<FieldForm>): FieldEncodings {
    return this.with(fullName, (fields) =>
      fields.map((field) => (field.name === name ? { ...field, ...patch } : field)),
    );
  }
}

function messageForm(
  fullName: string,
  isMapEntry: boolean,
  fields: readonly FieldForm[],
  taken: MessageForm['taken'],
): MessageForm {
  const sorted = fields.toSorted((a, b) => a.number - b.number);
  return {
    fullName,
    isMapEntry,
    fields: sorted,
    byName: new Map(sorted.map((field) => [field.name, field])),
    byNumber: new Map(sorted.map((field) => [field.number, field])),
    taken,
  };
}

const formOf = (field: FieldDescriptor): FieldForm => ({
  name: pathSegment(field),
  number: field.number,
  type: field.type,
  cardinality: field.cardinality,
  presence: field.presence,
  packed: field.packed,
  typeName: field.message?.fullName ?? field.enum?.fullName,
  oneof: field.oneof?.name,
  defaultValue: field.defaultValue,
});

/** Whether a new field can have this number. */
export const isFree = ({ byNumber, taken }: MessageForm, number: number): boolean =>
  number >= 1 &&
  number <= MAX_FIELD_NUMBER &&
  !byNumber.has(number) &&
  !taken.some(({ start, end }) => start <= number && number < end);

/** The lowest number from `first` on that is free and not in `others`; undefined: extensions have all others. */
export function freeNumber(form: MessageForm, others: ReadonlySet<number> = new Set(), first = 1): number | undefined {
  for (let number = first; number <= MAX_FIELD_NUMBER; number++) {
    if (isFree(form, number) && !others.has(number)) return number;
    // An extension range may hold half a billion numbers.
    for (const { start, end } of form.taken) if (start <= number && number < end) number = end - 1;
  }
  return undefined;
}

/** The names of what a message declares; a name that is declared twice comes twice. */
export function namesIn(message: string, forms: FieldEncodings): readonly string[] {
  const { messages, enums, extensions } = forms.registry;
  const { fields } = forms.get(message)!;
  const isWithin = (fullName: string): boolean => parentOf(fullName) === message;
  return [
    ...fields.map(({ name }) => name),
    ...new Set(fields.flatMap(({ oneof }) => oneof ?? [])),
    ...[...messages.keys(), ...extensions.keys()].filter(isWithin).map(shortNameOf),
    ...[...enums.values()].filter(({ fullName }) => isWithin(fullName)).flatMap(namesOf),
    ...forms.enums.filter((one) => one.message === message).flatMap(({ name, constants }) => [name, ...constants]),
  ];
}

const namesOf = ({ name, values }: EnumDescriptor): readonly string[] => [name, ...values.map((value) => value.name)];
