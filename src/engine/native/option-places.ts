/**
 * The places of the options of schemas/native/options.proto. An option that would have no effect where it stands is a
 * problem, and is ignored.
 */
import type { FieldDescriptor } from '../schema/descriptor.ts';

const PREFIX = 'wirecost.native.';

/** The options of a field by their short names. */
type Options = Readonly<Record<string, unknown>>;

/** Returns the reason why an option has no effect on a field, if it has none. */
type Reason = (field: FieldDescriptor, options: Options) => string | undefined;

const chooserOf = ({ oneof }: FieldDescriptor): unknown => oneof?.options[`${PREFIX}chosen_by`];

const ofNumbered: Reason = (field) => {
  const chooser = chooserOf(field);
  return chooser === undefined || chooser === 'BY_NAME'
    ? 'Only a member of a oneof that is chosen by a number has it.'
    : undefined;
};

const ofUnchosen: Reason = (field) =>
  chooserOf(field) === undefined ? undefined : 'A member of a oneof with chosen_by is there if it is chosen.';

const ofCounted: Reason = ({ cardinality }, { sized_by, ends_with }) => {
  if (cardinality === 'singular') return 'Only repeated and map fields have it.';
  if (sized_by !== undefined) return 'No count is written with sized_by.';
  return ends_with === undefined ? undefined : 'No count is written with ends_with.';
};

/** Whether the field is a native value of another message, in place of bytes with a length. */
const isContent = ({ type, content }: FieldDescriptor, { compressed }: Options): boolean =>
  type === 'bytes' && content !== undefined && compressed !== true;

/** Whether a chosen member of this type is known from its number or name alone. */
function isKnownByChoice(field: FieldDescriptor): boolean {
  if (field.message !== undefined) return field.message.fields.length === 0;
  return field.type === 'bool' || (/int|fixed|enum/.test(field.type) && chooserOf(field) !== 'BY_NAME');
}

const PLACES: Readonly<Record<string, Reason>> = {
  type: ofNumbered,
  any_type: ofNumbered,
  name: (field) =>
    chooserOf(field) === 'BY_NAME' ? undefined : 'Only a member of a oneof that is chosen by name has it.',
  when: ofUnchosen,
  since: ofUnchosen,
  until: ofUnchosen,
  absent: (field, options) => {
    if (options['absent'] === 'LENGTH_PLUS_ONE' && options['count'] === 'TWICE')
      return 'A count that is one larger is not written twice.';
    return ofUnchosen(field, options);
  },
  count: (field, options) => {
    const { count, write_count } = options;
    if (write_count !== undefined && count !== 'TWICE') return 'With write_count, only TWICE has an effect.';
    return ofCounted(field, options);
  },
  write_count: ofCounted,
  ends_with: ({ message, cardinality }, { sized_by }) => {
    if (sized_by !== undefined) return 'No text ends a list with sized_by.';
    if (cardinality === 'singular' || message === undefined) return 'Only maps, and lists of messages, have it.';
    return message.fields[0]?.type === 'string' ? undefined : 'The elements must begin with a text.';
  },
  sized_by: (field, options) => (isContent(field, options) ? 'A native value has its own end.' : undefined),
  write: (field, options) => {
    const { write, sized_by } = options;
    if (isContent(field, options)) return 'A native value is written as content says.';
    if (sized_by !== undefined && field.cardinality === 'singular') return 'No writer is needed with sized_by.';
    if (write === 'REST' && field.cardinality !== 'singular') return 'Only a single value takes all up to the end.';
    return write === 'NONE' && chooserOf(field) !== undefined && !isKnownByChoice(field)
      ? 'Its value is not known from its number or name.'
      : undefined;
  },
  write_key: (_, { key }) => (key === undefined ? undefined : 'The key is written in the value.'),
};

/** The native options of a field that have an effect, by their short names. */
export function placedOptions(field: FieldDescriptor, wrong: (name: string, message: string) => void): Options {
  const given: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(field.options)) {
    if (name.startsWith(PREFIX)) given[name.slice(PREFIX.length)] = value;
  }
  const placed = { ...given };
  for (const name of Object.keys(given)) {
    const reason = PLACES[name]?.(field, given);
    if (reason === undefined) continue;
    wrong(name, reason);
    delete placed[name];
  }
  return placed;
}
