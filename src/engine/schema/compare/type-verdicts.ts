/**
 * Two types of a field → how records, JSON and generated code take the change. The comparison of schemas and the advice have
 * the same rules.
 */
import type { FieldType } from '../descriptor.ts';

/**
 * `safe`: each version reads what the other writes, without loss. `conditional`: some values or some readers are at
 * risk; the reason names them. `unsafe`: messages are misread or rejected.
 */
export type CompatibilityLevel = 'safe' | 'conditional' | 'unsafe';

export interface TypeVerdict {
  readonly verdict: CompatibilityLevel;
  /** The reason, in one sentence. */
  readonly message: string;
}

/**
 * Types that JSON writes alike. https://protobuf.dev/programming-guides/json/#json-wire-safety counts fixed32 and
 * fixed64 among the signed ones; but parsers refuse a negative number for them.
 */
const JSON_FAMILIES: readonly (readonly FieldType[])[] = [
  ['int32', 'sint32', 'sfixed32'],
  ['uint32', 'fixed32'],
  ['int64', 'sint64', 'sfixed64'],
  ['uint64', 'fixed64'],
  ['message', 'group'],
];

/** Integers of 64 bits, which JSON writes in quotes. */
const QUOTED = /int64|fixed64/;

const isNumber = (type: FieldType): boolean => /\d$|^float$|^double$/.test(type);

/** null: they are written alike. @param names of both types, for the reason */
export function jsonOfTypes(a: FieldType, b: FieldType, names: readonly [string, string] = [a, b]): TypeVerdict | null {
  const pair = names.join(' and ');
  if (a === b || JSON_FAMILIES.some((family) => family.includes(a) && family.includes(b))) return null;
  if (isNumber(a) && isNumber(b)) {
    const quoted = names.filter((_, at) => QUOTED.test(at === 0 ? a : b));
    const how = quoted.length === 2 ? ', both in quotes' : quoted.length === 1 ? `, ${quoted[0]} in quotes` : '';
    const isMixed = [a, b].filter((type) => /^float$|^double$/.test(type)).length === 1;
    const rounded = [a, b].includes('float') ? 'float' : isMixed && quoted.length > 0 ? 'double' : undefined;
    const fraction = isMixed ? ' or with a fraction' : '';
    const rounding = rounded === undefined ? '' : `, and ${rounded} rounds long ones`;
    const end = `one out of range${fraction} is refused${rounding}`;
    return { verdict: 'conditional', message: `In JSON ${pair} are numbers${how}; ${end}.` };
  }
  if ([a, b].includes('string') && QUOTED.test(a + b)) {
    return { verdict: 'conditional', message: `In JSON ${pair} are in quotes; text that is not a number is refused.` };
  }
  if ([a, b].includes('enum') && [a, b].some((type) => isNumber(type) || type === 'string')) {
    const text = `In JSON an enum is a name or a number, and ${a === 'enum' ? b : a} only one of them.`;
    return { verdict: 'conditional', message: text };
  }
  return { verdict: 'unsafe', message: `In JSON ${pair} are written differently.` };
}

/** Types that readers convert into each other. */
const VARINTS: readonly FieldType[] = ['int32', 'uint32', 'int64', 'uint64', 'bool', 'enum'];
const FAMILIES: readonly (readonly FieldType[])[] = [
  VARINTS,
  ['sint32', 'sint64'],
  ['fixed32', 'sfixed32'],
  ['fixed64', 'sfixed64'],
];

const WIDTHS: Readonly<Partial<Record<FieldType, number>>> = {
  bool: 1,
  int32: 32,
  uint32: 32,
  enum: 32,
  sint32: 32,
  int64: 64,
  uint64: 64,
  sint64: 64,
};

const isSigned = (type: FieldType): boolean => /^s?int|^sfixed|^enum/.test(type);

/** The values that do not survive between two types that share their form, in one direction or the other. */
function limitsOf(a: FieldType, b: FieldType): readonly string[] {
  const [wide, narrow] = (WIDTHS[a] ?? 0) >= (WIDTHS[b] ?? 0) ? [a, b] : [b, a];
  if (narrow === 'bool') return ['any number but 0 is read as true'];
  const limits: string[] = [];
  if (WIDTHS[wide] !== WIDTHS[narrow]) limits.push(`${narrow} keeps the low ${WIDTHS[narrow]} bits only`);
  if (isSigned(a) !== isSigned(b)) limits.push('the upper half of the one is the negative half of the other');
  if (wide === 'enum' || narrow === 'enum') limits.push('numbers without a name are treated as enums treat them');
  return limits;
}

/**
 * null: the one's records are not the other's. https://protobuf.dev/programming-guides/proto3/#updating
 * @param names of both types, for the reason @param isChecked whether readers check that a string is UTF-8
 */
export function sharedFormOf(
  a: FieldType,
  b: FieldType,
  names: readonly [string, string] = [a, b],
  isChecked = true,
): TypeVerdict | null {
  if (FAMILIES.some((family) => family.includes(a) && family.includes(b))) {
    const limits = limitsOf(a, b);
    const message = `${[`${names.join(' and ')} share their form`, ...limits].join('; ')}.`;
    return { verdict: limits.length === 0 ? 'safe' : 'conditional', message };
  }
  if (a === b || ![a, b].every((type) => type === 'string' || type === 'bytes')) return null;
  const end = isChecked ? 'are refused as a string' : 'are not a valid string';
  return {
    verdict: 'conditional',
    message: `string and bytes have the same form; bytes that are not UTF-8 ${end}.`,
  };
}

/** Most languages have signed and unsigned integers of 32 and of 64 bits. */
function codeType(type: FieldType): string {
  if (/^(s?int|sfixed)/.test(type)) return `int${type.slice(-2)}`;
  if (/^(uint|fixed)/.test(type)) return `uint${type.slice(-2)}`;
  return type === 'group' ? 'message' : type;
}

/** null: generated code has the same type. */
export function codeOfTypes(before: FieldType, after: FieldType): TypeVerdict | null {
  const [a, b] = [codeType(before), codeType(after)];
  if (a === b) return null;
  const change = `Generated code has ${b} where it had ${a}`;
  return a.replace('u', '') === b.replace('u', '')
    ? { verdict: 'conditional', message: `${change}: some languages have no unsigned numbers, and one type for both.` }
    : { verdict: 'unsafe', message: `${change}.` };
}

/** A map and a list of its entries. https://protobuf.dev/programming-guides/proto3/#updating */
export const MAP_AND_LIST: Readonly<Record<'binary' | 'json', TypeVerdict>> = {
  binary: {
    verdict: 'conditional',
    message:
      'A map is written as a list of messages of key = 1 and value = 2: readers of the map keep the last of doubled keys, in any order.',
  },
  json: { verdict: 'unsafe', message: 'In JSON a map is an object, and a list is in brackets.' },
};

/** A file in another syntax or edition. */
export const OTHER_SYNTAX: TypeVerdict = {
  verdict: 'conditional',
  message: 'Code generators have to know its syntax or edition.',
};
