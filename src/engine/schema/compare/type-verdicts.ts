/**
 * Two types of a field → how JSON and generated code take the change. The comparison of schemas and the advice have
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
