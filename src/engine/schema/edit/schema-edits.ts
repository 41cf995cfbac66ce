/** Changes to a schema, independent of its form: `edit-files` and `edit-text` apply them with the same result. */
import type { FieldType, ScalarType } from '../descriptor.ts';

export interface FieldEdit {
  /** Full name of the field's message. */
  readonly message: string;
  /** Its name, or `[full.name]` of an extension. */
  readonly field: string;
  readonly type?: ScalarType | 'enum' | 'message';
  /** Full name of the enum or message. */
  readonly typeName?: string | undefined;
  /** true: a singular field becomes a list. false: a list becomes one value. */
  readonly isRepeated?: boolean;
  /** A map becomes a list of its entries. The value is the presence of the fields `key` and `value`. */
  readonly entries?: EntryPresence;
  readonly number?: number;
  readonly presence?: 'explicit' | 'implicit';
  readonly packed?: boolean;
  /** Its default is removed. */
  readonly hasDefault?: false;
  readonly encoding?: 'delimited' | 'length-prefixed';
  /** Name of the oneof that the field moves into; null: it leaves its oneof. */
  readonly oneof?: string | null;
}

export interface EntryPresence {
  readonly key: 'explicit' | 'implicit';
  readonly value: 'explicit' | 'implicit';
}

export interface FieldAddition {
  readonly message: string;
  readonly name: string;
  readonly number: number;
  readonly type: ScalarType | 'enum' | 'message';
  readonly typeName?: string | undefined;
  readonly cardinality: 'repeated' | 'implicit' | 'explicit';
  readonly packed: boolean;
}

export interface EnumAddition {
  /** Full name of the message that declares it. */
  readonly message: string;
  readonly name: string;
  /** Names by number, from 0. */
  readonly constants: readonly string[];
}

export interface SchemaEdits {
  readonly fields: readonly FieldEdit[];
  readonly added: readonly FieldAddition[];
  readonly enums: readonly EnumAddition[];
  /** Numbers that must not be used again. */
  readonly reserved: readonly { readonly message: string; readonly number: number }[];
}

/** Options that only fields of some types can have. */
const OF_TYPES: Readonly<Record<string, (type: FieldType) => boolean>> = {
  jstype: (type) => type.endsWith('64'),
  lazy: (type) => type === 'message',
  unverified_lazy: (type) => type === 'message',
  'features.utf8_validation': (type) => type === 'string',
  'features.message_encoding': (type) => type === 'message' || type === 'group',
};

/** Names of the options that a field cannot have after an edit. */
export function optionsLost({ type, encoding }: FieldEdit): readonly string[] {
  const after = encoding === 'delimited' ? 'group' : type;
  return after === undefined ? [] : Object.keys(OF_TYPES).filter((name) => !OF_TYPES[name]!(after));
}

/** Messages whose files have to be converted to editions, because only editions have delimited fields. */
export const delimitedIn = ({ fields }: SchemaEdits): ReadonlySet<string> =>
  new Set(fields.filter(({ encoding }) => encoding === 'delimited').map(({ message }) => message));
