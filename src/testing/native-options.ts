/** Options of schemas/native/options.proto for a random field: all valid options, or only those that lose nothing. */
import type { FieldShape } from './field-shape.ts';

export interface NativeWishes {
  /** Only writers that hold every value, and no field that a condition or a version leaves out. */
  readonly lossless: boolean;
}

const option = (name: string, value: string): string => `(wirecost.native.${name}) = ${value}`;

/** Splits one large number into numbers below given limits. */
class Chance {
  #rest: number;
  constructor(number: number) {
    this.#rest = number;
  }
  below(limit: number): number {
    const taken = this.#rest % limit;
    this.#rest = Math.floor(this.#rest / limit);
    return taken;
  }
  of<T>(choices: readonly T[]): T {
    return choices[this.below(choices.length)]!;
  }
}

const is64 = (type: string): boolean => type.endsWith('64');
const isInteger = (type: string): boolean => type === 'E' || /^(u|s)?int|fixed/.test(type);

/** Writers that hold every value of the type. */
function wideWriters(type: string): readonly string[] {
  if (isInteger(type)) {
    const all = ['LONG', 'VLONG', 'ZLONG', 'LONG_LE'];
    return is64(type) ? all : ['INT', 'VINT', 'INT_LE', ...all];
  }
  switch (type) {
    case 'float':
      return ['FLOAT', 'FLOAT_LE'];
    case 'double':
      return ['DOUBLE', 'DOUBLE_LE'];
    case 'bool':
      return ['BOOLEAN', 'INVERTED'];
    case 'string':
      return ['STRING', 'TEXT'];
    case 'bytes':
      return ['BYTES', 'SHORT_BYTES'];
    default:
      // A message in a nested blob.
      return ['BYTES'];
  }
}

function writersOf(type: string, lossless: boolean): readonly string[] {
  const wide = wideWriters(type);
  if (lossless) return wide;
  if (type === 'string') return [...wide, 'C_STRING'];
  return isInteger(type) ? [...wide, 'BYTE', 'SHORT', 'SHORT_LE', 'INT', 'INT_LE', 'VINT'] : wide;
}

/** Writers of lengths and counts. All hold a few thousand; only the first ones hold −1. */
const SIGNED_LENGTHS = ['INT', 'INT_LE', 'ZLONG'];
const LENGTHS = [...SIGNED_LENGTHS, 'VINT'];
const NARROW_LENGTHS = ['BYTE', 'SHORT', 'SHORT_LE'];

/** Writers whose length may have another writer: text, bytes and nested blobs. */
const WITH_LENGTH = ['STRING', 'TEXT', 'BYTES', 'SHORT_BYTES'];

/** @param earlier fields of the message before this one */
export function optionsOf(field: FieldShape, earlier: readonly FieldShape[], { lossless }: NativeWishes): string[] {
  const { shape, type, key, chance: number } = field;
  const chance = new Chance(number);
  const options: string[] = [];
  if (shape === 'group' || chance.below(2) === 0) return options;
  const isList = shape === 'repeated' || shape === 'packed' || shape === 'unpacked';
  const writer = shape === 'map' || chance.below(3) === 0 ? undefined : chance.of(writersOf(type, lossless));
  if (writer !== undefined) options.push(option('write', writer));
  if (shape === 'map') {
    if (chance.below(2) === 0) options.push(option('write_key', chance.of(writersOf(key, lossless))));
    if (chance.below(2) === 0) options.push(option('write_value', chance.of(writersOf(type, lossless))));
  }
  const mayHaveLength = writer !== undefined && WITH_LENGTH.includes(writer) && chance.below(2) === 0;
  const length = mayHaveLength ? chance.of(lossless ? LENGTHS : [...LENGTHS, ...NARROW_LENGTHS]) : undefined;
  if (length !== undefined) options.push(option('write_length', length));
  if (isList || shape === 'map') {
    const absent = chance.of([undefined, 'FLAG', 'LENGTH_PLUS_ONE', 'DEFAULT', 'SENTINEL']);
    if (absent !== undefined) options.push(option('absent', absent));
    if (absent === 'SENTINEL') options.push(option('write_count', chance.of(SIGNED_LENGTHS)));
    else if (absent !== 'LENGTH_PLUS_ONE') options.push(...countOptions(chance, lossless));
  } else if (shape === 'optional') {
    const marks = ['FLAG', 'MINUS_ONE'];
    const isPlain = length === undefined || length === 'VINT';
    if (type === 'string' && isPlain && writer !== 'C_STRING')
      marks.push(writer === 'TEXT' && length === undefined ? 'SENTINEL' : 'LENGTH_PLUS_ONE');
    if (type === 'bytes' && isPlain && (writer !== 'SHORT_BYTES' || length === 'VINT')) marks.push('LENGTH_PLUS_ONE');
    if (length !== undefined && SIGNED_LENGTHS.includes(length)) marks.push('SENTINEL');
    if (type === 'bool' && writer !== 'INVERTED') marks.push('ONE_BYTE');
    if (!/^[ABC]$/.test(type) && !lossless) marks.push('DEFAULT');
    if (chance.below(2) === 0) options.push(option('absent', chance.of(marks)));
  }
  if (lossless || shape === 'required' || shape === 'oneof') return options;
  if (chance.below(5) === 0) options.push(option(chance.of(['since', 'until']), '"2.0.0"'));
  const condition = earlier.find(
    ({ shape: other, type: of }) => !['oneof', 'group'].includes(other) && /int|bool|string/.test(of),
  );
  if (condition !== undefined && chance.below(4) === 0) {
    const name = `f${condition.number}`;
    const words = [name, `!${name}`, `${name}=1|2`, `${name}!=0`, `${name}&4`, `!${name}&1`, `${name}&7=2`];
    options.push(option('when', `"${chance.of(words)}"`));
  }
  return options;
}

function countOptions(chance: Chance, lossless: boolean): readonly string[] {
  if (chance.below(2) === 0) {
    return [option('write_count', chance.of(lossless ? LENGTHS : [...LENGTHS, ...NARROW_LENGTHS]))];
  }
  const counts = lossless ? ['ONCE', 'TWICE', 'FIXED'] : ['ONCE', 'TWICE', 'FIXED', 'SHORTEST'];
  const count = chance.of([undefined, ...counts]);
  return count === undefined ? [] : [option('count', count)];
}

/** A bytes field or list at the end of a message, which may extend to its end. */
export function lastFieldOptions({ shape, type }: FieldShape): string[] {
  if (shape === 'plain' && type === 'bytes') return [option('write', 'REST')];
  // An empty message takes no bytes, so a list of them cannot extend to the end.
  return shape === 'repeated' && !/^[ABC]$/.test(type) ? [option('count', 'TO_END')] : [];
}

export interface ChooserText {
  readonly ofOneof: readonly string[];
  readonly ofMember: (field: FieldShape) => readonly string[];
}

/** Half of the oneofs identify their member by a number or a name. */
export function oneofOptions(members: readonly FieldShape[]): ChooserText | undefined {
  const [first] = members;
  // The message written for an unset oneof might contain the message with that oneof.
  if (first === undefined || /^[ABC]$/.test(first.type)) return undefined;
  const chooser = new Chance(first.chance >> 8).of([undefined, 'BY_BYTE', 'BY_VINT', 'BY_NAME', 'BY_INT']);
  if (chooser === undefined) return undefined;
  return {
    ofOneof: [`    option ${option('chosen_by', chooser)};`],
    ofMember: ({ number }) => {
      if (chooser === 'BY_NAME') return [option('name', `"member ${number}"`)];
      const index = members.findIndex((member) => member.number === number);
      const own = option('type', String(index));
      return index > 0 && index === members.length - 1 ? [own, option('any_type', 'true')] : [own];
    },
  };
}
