/** The effects of another type on the wire, in JSON and in code. */
import type { CompatibilityLevel } from '../../schema/compare/compare-fields.ts';
import type { FieldType } from '../../schema/descriptor.ts';
import { wireTypeOf } from '../../schema/wire-types.ts';
import type { Compatibility, Reason } from '../change.ts';
import type { Mapping } from '../conversions/conversion.ts';
import type { FieldForm } from '../forms.ts';
import { bufRule, JSON_WIRE_SAFETY_URL, PRESENCE, SCALARS, UPDATING_RULES_URL } from '../rule-links.ts';

/** Types that can read each other's records; values may be truncated. */
const WIRE_FAMILIES: readonly (readonly FieldType[])[] = [
  ['int32', 'uint32', 'int64', 'uint64', 'bool', 'enum'],
  ['sint32', 'sint64'],
  ['fixed32', 'sfixed32'],
  ['fixed64', 'sfixed64'],
  ['string', 'bytes'],
];

const NUMBERS_32 = ['int32', 'sint32', 'sfixed32', 'fixed32'];
const NUMBERS_64 = ['int64', 'sint64', 'sfixed64', 'fixed64'];

export function typeCompatibility(
  before: FieldForm,
  after: FieldForm,
  { compatibility: said, json: inJson }: Pick<Mapping, 'compatibility' | 'json'>,
): Compatibility {
  const reasons: Reason[] = [...(said?.reasons ?? [])];
  const addReason = (about: Reason['about'], text: string, link: string) => reasons.push({ about, text, link });
  const presence = before.presence === after.presence ? undefined : after.presence;
  if (presence !== undefined) {
    addReason('source', `It has ${presence} presence now.`, PRESENCE);
  }
  const binary = worstCompatibility(said?.binary, binaryVerdict(before.type, after.type, addReason));
  const json = inJson ?? worstCompatibility(said?.json, jsonVerdict(before.type, after.type, addReason));
  const source = worstCompatibility(
    said?.source,
    sourceVerdict(before.type, after.type, addReason),
    presence && 'conditional',
  );
  return { binary, json, source, reasons };
}

type AddReason = (about: Reason['about'], text: string, link: string) => void;

function binaryVerdict(before: FieldType, after: FieldType, addReason: AddReason): CompatibilityLevel {
  if (before === after) return 'safe';
  if (WIRE_FAMILIES.some((family) => family.includes(before) && family.includes(after))) {
    addReason('binary', `${before} and ${after} read each other's records; a value may be cut.`, UPDATING_RULES_URL);
    return 'conditional';
  }
  const isSilent = wireTypeOf(before) === wireTypeOf(after);
  addReason(
    'binary',
    isSilent
      ? `${before} and ${after} have one wire type: an old reader takes the bytes for another value without an error.`
      : `The wire type changes: an old reader skips the field as unknown.`,
    UPDATING_RULES_URL,
  );
  addReason('binary', 'Buf refuses it, too.', bufRule('FIELD_WIRE_COMPATIBLE_TYPE'));
  return 'unsafe';
}

function jsonVerdict(before: FieldType, after: FieldType, addReason: AddReason): CompatibilityLevel {
  if (before === after) return 'safe';
  for (const family of [NUMBERS_32, NUMBERS_64]) if (family.includes(before) && family.includes(after)) return 'safe';
  const width = (type: FieldType): string => (/64$/.test(type) ? '64' : /32$/.test(type) ? '32' : type);
  if (width(before) === width(after)) {
    addReason(
      'json',
      `${before} and ${after} are written alike; a value out of the other's range is lost.`,
      JSON_WIRE_SAFETY_URL,
    );
    return 'conditional';
  }
  if (/\d$/.test(before) && /\d$/.test(after)) {
    addReason(
      'json',
      'Numbers of 64 bits are in quotes, those of 32 are not; parsers take both.',
      JSON_WIRE_SAFETY_URL,
    );
    return 'conditional';
  }
  if (isFloat(before) && isFloat(after)) {
    addReason('json', 'The number has other digits.', JSON_WIRE_SAFETY_URL);
    return 'conditional';
  }
  addReason('json', `${before} and ${after} are written differently.`, JSON_WIRE_SAFETY_URL);
  return 'unsafe';
}

const isFloat = (type: FieldType): boolean => type === 'float' || type === 'double';

/** The integer types of most languages: signed and unsigned, 32 and 64 bits. */
function codeType(type: FieldType): string {
  if (/^(s?int|sfixed)/.test(type)) return `int${type.slice(-2)}`;
  if (/^(uint|fixed)/.test(type)) return `uint${type.slice(-2)}`;
  return type;
}

function sourceVerdict(before: FieldType, after: FieldType, addReason: AddReason): CompatibilityLevel {
  const [a, b] = [codeType(before), codeType(after)];
  if (a === b) return 'safe';
  if (a.replace('u', '') === b.replace('u', '')) {
    addReason('source', 'Its sign changes: where a language has unsigned numbers, the type is another one.', SCALARS);
    return 'conditional';
  }
  addReason('source', `Its type in generated code changes from ${a} to ${b}.`, SCALARS);
  return 'unsafe';
}

const ORDER: readonly CompatibilityLevel[] = ['safe', 'conditional', 'unsafe'];

export const worstCompatibility = (...verdicts: readonly (CompatibilityLevel | undefined)[]): CompatibilityLevel =>
  ORDER[Math.max(0, ...verdicts.map((verdict) => (verdict === undefined ? 0 : ORDER.indexOf(verdict))))]!;
