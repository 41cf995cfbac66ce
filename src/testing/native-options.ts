/** Options of schemas/native/options.proto for a random field: any that can be followed, or only those that lose nothing. */
import type { FieldShape } from './field-shape.ts';

export interface NativeWishes {
  /** No writer that some value is too large for, nothing that is left out by a condition or a version. */
  readonly lossless: boolean;
}

const option = (name: string, value: string): string => `(wirecost.native.${name}) = ${value}`;

/** Takes numbers below a limit off one larger number. */
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
  if (isInteger(type)) return is64(type) ? ['LONG', 'VLONG', 'ZLONG'] : ['INT', 'VINT', 'LONG', 'VLONG', 'ZLONG'];
  switch (type) {
    case 'float':
      return ['FLOAT'];
    case 'double':
      return ['DOUBLE'];
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
  return lossless || !isInteger(type) ? wideWriters(type) : [...wideWriters(type), 'BYTE', 'SHORT', 'INT', 'VINT'];
}

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
  if (isList || shape === 'map') {
    const absent = chance.of([undefined, 'FLAG', 'LENGTH_PLUS_ONE', 'DEFAULT']);
    const counts = lossless ? ['ONCE', 'TWICE', 'FIXED'] : ['ONCE', 'TWICE', 'FIXED', 'SHORTEST'];
    const count = absent === 'LENGTH_PLUS_ONE' ? undefined : chance.of([undefined, ...counts]);
    if (absent !== undefined) options.push(option('absent', absent));
    if (count !== undefined) options.push(option('count', count));
  } else if (shape === 'optional') {
    const marks = ['FLAG'];
    if (type === 'string') marks.push(writer === 'TEXT' ? 'SENTINEL' : 'LENGTH_PLUS_ONE');
    if (type === 'bytes' && writer !== 'SHORT_BYTES') marks.push('LENGTH_PLUS_ONE');
    if (type === 'bool' && writer !== 'INVERTED') marks.push('ONE_BYTE');
    if (chance.below(2) === 0) options.push(option('absent', chance.of(marks)));
  }
  if (lossless || shape === 'required' || shape === 'oneof') return options;
  if (chance.below(5) === 0) options.push(option(chance.of(['since', 'until']), '"2.0.0"'));
  const condition = earlier.find(
    ({ shape: other, type: of }) => !['oneof', 'group'].includes(other) && /int|bool|string/.test(of),
  );
  if (condition !== undefined && chance.below(4) === 0) {
    const name = `f${condition.number}`;
    options.push(option('when', `"${chance.of([name, `!${name}`, `${name}=1|2`, `${name}!=0`])}"`));
  }
  return options;
}

export interface ChooserText {
  readonly ofOneof: readonly string[];
  readonly ofMember: (field: FieldShape) => readonly string[];
}

/** Half of the oneofs identify their member by a number or a name. */
export function oneofOptions(members: readonly FieldShape[]): ChooserText | undefined {
  const [first] = members;
  // A message that stands where none is set might hold the oneof's own.
  if (first === undefined || /^[ABC]$/.test(first.type)) return undefined;
  const chooser = new Chance(first.chance >> 8).of([undefined, 'BY_BYTE', 'BY_VINT', 'BY_NAME', undefined]);
  if (chooser === undefined) return undefined;
  return {
    ofOneof: [`    option ${option('chosen_by', chooser)};`],
    ofMember: ({ number }) => [
      chooser === 'BY_NAME'
        ? option('name', `"member ${number}"`)
        : option('type', String(members.findIndex((member) => member.number === number))),
    ],
  };
}
