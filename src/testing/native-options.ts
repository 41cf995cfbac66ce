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

/** The contents of a content field: a value of one of several types, as OpenSearch's generic values. */
export const CONTENT_TYPES = `message Value {
  oneof value {
    option (wirecost.native.chosen_by) = BY_BYTE;
    bool none = 1 [(wirecost.native.type) = -1, (wirecost.native.write) = NONE];
    int32 number = 2 [(wirecost.native.type) = 1, (wirecost.native.write) = VINT];
    string text = 3 [(wirecost.native.type) = 2, (wirecost.native.write) = STRING];
    Values list = 4 [(wirecost.native.type) = 3];
  }
}
message Values { repeated bytes values = 1 [(wirecost.native.content) = "Value"]; }`;

export interface Surroundings {
  /** Fields of the message before this one. */
  readonly earlier: readonly FieldShape[];
  readonly messageOf: (name: string) => readonly FieldShape[] | undefined;
  /** A member of a oneof that a number or a name identifies. */
  readonly isChosen: boolean;
}

export function optionsOf(
  field: FieldShape,
  { earlier, messageOf, isChosen }: Surroundings,
  { lossless }: NativeWishes,
): string[] {
  const { shape, type, key, chance: number } = field;
  const chance = new Chance(number);
  const options: string[] = [];
  if (shape === 'group' || shape === 'sized' || chance.below(2) === 0) return options;
  const mayBeLost = !lossless && shape !== 'required' && shape !== 'oneof';
  if (chance.below(12) === 0 && mayBeLost) return [option('write', 'NONE')];
  if (mayBeLost && chance.below(12) === 0) options.push(option('native_only', 'true'));
  if (type === 'bytes' && chance.below(2) === 0) {
    const content = option('content', '"Value"');
    if (shape !== 'map' && chance.below(4) === 0) {
      // The length of compressed bytes is written; these are in fact not compressed.
      const packed = [...options, content, option('compressed', 'true')];
      return shape === 'optional' ? [...packed, option('absent', chance.of(['FLAG', 'LENGTH_PLUS_ONE']))] : packed;
    }
    if (shape === 'repeated' || (shape === 'oneof' && isChosen)) return [...options, content];
    if (shape === 'optional') return [...options, content, option('absent', chance.of(['FLAG', 'MINUS_ONE']))];
    if (shape === 'plain' && !lossless) return [...options, content];
  }
  if (shape === 'map') {
    if (chance.below(4) === 0) options.push(option('values_since', '"2.0.0"'));
    const inValue = messageOf(type)?.find((inner) => inner.shape === 'plain' && inner.type === key);
    if (inValue !== undefined && chance.below(2) === 0) return [...options, option('key', `"f${inValue.number}"`)];
    if (key === 'string' && chance.below(2) === 0) return [...options, option('ends_with', '"no more"')];
  }
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
  if (chance.below(4) === 0) options.push(...conditionOn('when', earlier, chance));
  return options;
}

/** Whether `optionsOf` gives the field no bytes. */
function isUnwritten({ chance: number }: FieldShape): boolean {
  const chance = new Chance(number);
  return chance.below(2) !== 0 && chance.below(12) === 0;
}

/** A condition on the first field that may have one. */
function conditionOn(name: string, fields: readonly FieldShape[], chance: Chance): readonly string[] {
  const on = fields.find(
    (field) =>
      !['oneof', 'group', 'sized'].includes(field.shape) && /int|bool|string/.test(field.type) && !isUnwritten(field),
  );
  if (on === undefined) return [];
  const of = `f${on.number}`;
  const words = [of, `!${of}`, `${of}=1|2`, `${of}!=0`, `${of}&4`, `!${of}&1`, `${of}&7=2`];
  return [option(name, `"${chance.of(words)}"`)];
}

/** A field that has the size that another one before it says. Their values: `sizedValues` of arbitrary-wire.ts. */
export function sizedFields({ number, type, chance: drawn }: FieldShape): readonly string[] {
  const chance = new Chance(drawn);
  const isMessage = /^[ABC]$/.test(type);
  const isList = isMessage || type === 'string';
  const name = `s${number}`;
  // A message of the greatest depth holds no others, and a power of two is at least one.
  const size = chance.of(isMessage ? [name] : isList ? [name, `2^${name}`] : [name, `2^${name}`, '5']);
  const sized = `${isList ? `repeated ${type}` : 'bytes'} f${number} = ${number} [${option('sized_by', `"${size}"`)}];`;
  if (size === '5') return [sized];
  const writer = option('write', chance.of(['VINT', 'BYTE', 'SHORT', 'INT', 'LONG', 'ZLONG', 'SHORT_LE']));
  const isCounted = isList && size === name && chance.below(3) === 0;
  // The numbers of other fields end where these begin, or are larger.
  return [`${isCounted ? 'repeated ' : ''}uint32 ${name} = ${30_000 + (number % 30_000)} [${writer}];`, sized];
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
  // An empty message takes no bytes: a list of them cannot extend to the end, nor is one distinguished from none.
  if (shape === 'optional' && !/^[ABC]$/.test(type)) return [option('absent', 'AT_END')];
  return shape === 'repeated' && !/^[ABC]$/.test(type) ? [option('count', 'TO_END')] : [];
}

export interface ChooserText {
  readonly ofOneof: readonly string[];
  readonly ofMember: (field: FieldShape) => readonly string[];
  /** The member has no bytes besides its number. */
  readonly isNumberAlone: (field: FieldShape) => boolean;
}

/** Half of the oneofs identify their member by a number or a name. */
export function oneofOptions(
  members: readonly FieldShape[],
  others: readonly FieldShape[],
  { lossless }: NativeWishes,
): ChooserText | undefined {
  const [first] = members;
  // The message written for an unset oneof might contain the message with that oneof.
  if (first === undefined || /^[ABC]$/.test(first.type)) return undefined;
  const chance = new Chance(first.chance >> 8);
  const chooser = chance.of([undefined, 'BY_BYTE', 'BY_VINT', 'BY_NAME', 'BY_INT']);
  if (chooser === undefined) return undefined;
  const isNumberAlone = ({ type, chance: drawn }: FieldShape): boolean =>
    !lossless && chooser !== 'BY_NAME' && (type === 'bool' || isInteger(type)) && (drawn & 3) === 0;
  const when = !lossless && chance.below(3) === 0 ? conditionOn('chosen_when', others, chance) : [];
  return {
    ofOneof: [option('chosen_by', chooser), ...when].map((text) => `    option ${text};`),
    isNumberAlone,
    ofMember: (member) => {
      const { number } = member;
      if (chooser === 'BY_NAME') return [option('name', `"member ${number}"`)];
      const index = members.findIndex((other) => other.number === number);
      const own = option('type', String(index));
      if (isNumberAlone(member)) return [option('write', 'NONE'), own, option('type', String(100 + index))];
      return index > 0 && index === members.length - 1 ? [own, option('any_type', 'true')] : [own];
    },
  };
}
