/**
 * The causes of a difference in words, each with the fields that make most of it; and what other types would change.
 */

import type { ProfileCause } from '#engine/cost/compare.ts';
import { type FieldProfile, PROTOBUF, type Profile } from '#engine/cost/profile.ts';
import { plural } from '#engine/model/count-text.ts';
import { formatCount, formatPercent, formatSigned, formatSignedPercent, shareOf } from './number-text.ts';
import { sideName } from './side-words.ts';
import { sharedOf } from './verdict-words.ts';

/** Most fields that are named; a cause with more fields gives their number. */
const NAMED = 3;
/** The part of a cause that the named fields must explain. */
const TELLING = 0.8;

/** `version +90, seq_no +90`; `version`; `8 fields`; empty where no field is behind it. */
export function fieldsBehind({ bytes, fields }: ProfileCause): string {
  const [first] = fields;
  if (first === undefined) return '';
  if (fields.length === 1) return shortName(first.field, fields);
  const named = fields.slice(0, fields.length > NAMED ? NAMED - 1 : NAMED);
  // If parts cancel each other out, the largest ones do not explain the sum.
  const explained = named.reduce((sum, part) => sum + part.bytes, 0);
  const isExplained = Math.abs(explained) >= TELLING * Math.abs(bytes) && named.every((part) => part.bytes * bytes > 0);
  if (!isExplained) return `${formatCount(fields.length)} fields`;
  const list = named.map((part) => `${shortName(part.field, fields)} ${formatSigned(part.bytes)}`).join(', ');
  return fields.length > NAMED ? `${list}, …` : list;
}

/** The last segment of the path, if no other field has it. */
const shortName = ({ name, path }: FieldProfile, among: ProfileCause['fields']): string =>
  among.some(({ field }) => field.name === name && field.path !== path) ? path : name;

/** Below this part of the protobuf bytes, another type is not worth a sentence. */
const WORTH_SAYING = 0.001;

/**
 * `With sint64 for version and seq_no protobuf would take 180 bytes less, and 1.25 % less than native.` Measured on the
 * values themselves; length prefixes around them could only become shorter. null: no other type saves enough.
 */
export function otherTypes(profile: Profile): string | null {
  const { fields, pair } = profile;
  // The types are those of protobuf, so they do not apply to another pair.
  if (pair[0] !== PROTOBUF) return null;
  const [bytes, other] = sharedOf(profile).shared;
  const side = sideName(profile);
  const better = new Map<string, FieldProfile[]>();
  let saved = 0;
  for (const field of fields) {
    const [declared, ...others] = field.types;
    if (declared === undefined) continue;
    const best = others.reduce((least, type) => (type.bytes < least.bytes ? type : least), declared);
    if (declared.bytes - best.bytes < WORTH_SAYING * bytes) continue;
    saved += declared.bytes - best.bytes;
    better.set(best.type, [...(better.get(best.type) ?? []), field]);
  }
  if (saved === 0) return null;
  const changes = [...better].map(([type, changed]) => `${type} for ${list(changed.map(({ path }) => path))}`);
  const less = bytes - saved;
  const difference = shareOf(less - other, other);
  const against =
    pair[1] === null || other === 0
      ? ''
      : less < other
        ? `: ${formatPercent(-difference)} less than ${side}`
        : less > other
          ? `: ${formatSignedPercent(difference)} against ${side}`
          : `: as much as ${side}`;
  return `With ${list(changes)} protobuf would take ${plural(saved, 'byte')} less${against}.`;
}

function list(items: readonly string[]): string {
  if (items.length > NAMED) return `${items.slice(0, NAMED - 1).join(', ')} and ${items.length - NAMED + 1} more`;
  return items.length < 2 ? items.join() : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`;
}
