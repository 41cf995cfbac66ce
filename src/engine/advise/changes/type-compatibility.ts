/** The effects of another type on the wire, in JSON and in code. */
import { WireType } from '../../model/annotation.ts';
import type { CompatibilityLevel } from '../../schema/compare/type-verdicts.ts';
import { codeOfTypes, jsonOfTypes, sharedFormOf } from '../../schema/compare/type-verdicts.ts';
import { isPackable, wireTypeOf } from '../../schema/wire-types.ts';
import type { Compatibility, Reason } from '../change.ts';
import type { Mapping } from '../conversions/conversion.ts';
import type { FieldForm } from '../forms.ts';
import { bufRule, JSON_WIRE_SAFETY_URL, PRESENCE, SCALARS, UPDATING_RULES_URL } from '../rule-links.ts';
import { isPackedRun } from '../write-tree.ts';

export function typeCompatibility(
  before: FieldForm,
  after: FieldForm,
  { compatibility: said, json: inJson }: Pick<Mapping, 'compatibility' | 'json'>,
): Compatibility {
  const reasons: Reason[] = [...(said?.reasons ?? [])];
  const addReason = (about: Reason['about'], text: string, link: string) => reasons.push({ about, text, link });
  const presence =
    before.presence === after.presence || before.cardinality !== after.cardinality ? undefined : after.presence;
  if (presence !== undefined) {
    const written = presence === 'implicit' ? 'is not written, and looks unset' : 'is written, and was not';
    addReason('binary', `Its default ${written}.`, PRESENCE);
    addReason('json', 'A default that is set is printed, one that is not is left out.', PRESENCE);
    addReason('source', `It has ${presence} presence now.`, PRESENCE);
  }
  const isDefaultLost = before.defaultValue !== after.defaultValue;
  if (isDefaultLost) {
    addReason(
      'source',
      `Its default, ${before.defaultValue}, is removed: where it is absent, code reads the default of the new type.`,
      UPDATING_RULES_URL,
    );
  }
  const binary = worstCompatibility(said?.binary, binaryVerdict(before, after, addReason), presence && 'conditional');
  const typesInJson = inJson === undefined ? jsonOfTypes(before.type, after.type) : null;
  if (typesInJson !== null) addReason('json', typesInJson.message, JSON_WIRE_SAFETY_URL);
  const json = worstCompatibility(
    inJson ?? worstCompatibility(said?.json, typesInJson?.verdict),
    presence && 'conditional',
  );
  const inCode = codeOfTypes(before.type, after.type);
  if (inCode !== null) addReason('source', inCode.message, SCALARS);
  const source = worstCompatibility(
    said?.source,
    inCode?.verdict,
    presence && 'conditional',
    isDefaultLost ? 'conditional' : undefined,
  );
  return { binary, json, source, reasons };
}

/** A reader takes lists of numbers packed and one by one. */
const readWireTypes = ({ type, cardinality }: FieldForm): readonly number[] =>
  cardinality === 'repeated' && isPackable(type) ? [wireTypeOf(type), WireType.LEN] : [wireTypeOf(type)];

const writtenWireType = (field: FieldForm): number => (isPackedRun(field) ? WireType.LEN : wireTypeOf(field.type));

/** How an old reader takes the new records. */
function readText(old: FieldForm, form: FieldForm): string {
  if (!readWireTypes(old).includes(writtenWireType(form))) {
    return 'The wire type changes: an old reader skips the field as unknown.';
  }
  if (isPackedRun(form) && isPackable(old.type) && wireTypeOf(old.type) !== wireTypeOf(form.type)) {
    return `An old reader takes a packed run of ${form.type} for one of ${old.type}: it misreads it, or refuses the message.`;
  }
  return `${old.type} and ${form.type} have one wire type: an old reader takes the bytes for another value without an error.`;
}

type AddReason = (about: Reason['about'], text: string, link: string) => void;

function binaryVerdict(old: FieldForm, form: FieldForm, addReason: AddReason): CompatibilityLevel {
  const [before, after] = [old.type, form.type];
  if (before === after) return 'safe';
  const shared = sharedFormOf(before, after);
  if (shared !== null) {
    addReason('binary', shared.message, UPDATING_RULES_URL);
    return shared.verdict;
  }
  addReason('binary', readText(old, form), UPDATING_RULES_URL);
  addReason('binary', 'Buf refuses it, too.', bufRule('FIELD_WIRE_COMPATIBLE_TYPE'));
  return 'unsafe';
}

const ORDER: readonly CompatibilityLevel[] = ['safe', 'conditional', 'unsafe'];

export const worstCompatibility = (...verdicts: readonly (CompatibilityLevel | undefined)[]): CompatibilityLevel =>
  ORDER[Math.max(0, ...verdicts.map((verdict) => (verdict === undefined ? 0 : ORDER.indexOf(verdict))))]!;
