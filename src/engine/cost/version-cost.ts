/**
 * The cost of a profile's messages in another version of their schema: for each changed field, its bytes before and
 * after, computed from the counts. Length prefixes of enclosing messages are assumed unchanged.
 */

import type { FieldChange } from '../schema/compare/compare-fields.ts';
import type { SymbolChange } from '../schema/compare/compare-schemas.ts';
import type { FieldType } from '../schema/descriptor.ts';
import { tagWidth } from '../wire/encoding-facts.ts';
import { bytesIn, type FieldProfile, PROTOBUF, type Profile, totalIn } from './profile.ts';

export interface ChangeCost {
  /** Path in the profile. */
  readonly path: string;
  /** Full name of the message, and the name of the field, in the first version. */
  readonly message: string;
  readonly field: string;
  /** Protobuf bytes of the field. For a removed field, including all that is nested in it. */
  readonly before: number;
  /** undefined: the counts do not determine it. */
  readonly after: number | undefined;
}

export interface VersionCost {
  readonly changes: readonly ChangeCost[];
  /** Protobuf bytes of all messages in the first version, and the known change in the second one. */
  readonly bytes: number;
  readonly difference: number;
  /** Number of fields whose cost in the second version is unknown. */
  readonly unknown: number;
}

export function versionCost(profile: Profile, changes: readonly SymbolChange[]): VersionCost {
  const byField = new Map<string, FieldChange>();
  for (const { before, fields } of changes) {
    for (const change of fields) if (before && change.before) byField.set(`${before}\n${change.before.name}`, change);
  }
  const types = new Map(profile.fields.map(({ path, declared }) => [path, declared?.type ?? '']));
  const costs: ChangeCost[] = [];
  const removed: string[] = [];
  for (const field of profile.fields) {
    if (field.declared === null || field.occurrences === 0) continue;
    const message = field.parent === '' ? profile.type : (types.get(field.parent) ?? '');
    const change = byField.get(`${message}\n${field.name}`);
    if (change === undefined || removed.some((path) => field.path.startsWith(`${path}.`))) continue;
    if (change.kind === 'removed') removed.push(field.path);
    const before = change.kind === 'removed' ? bytesBelow(profile, field.path) : bytesOf(field);
    const after = change.kind === 'removed' ? 0 : bytesAfter(field, change);
    costs.push({ path: field.path, message, field: field.name, before, after });
  }
  return {
    changes: costs,
    bytes: totalIn(profile, PROTOBUF),
    difference: costs.reduce((sum, { before, after }) => sum + (after === undefined ? 0 : after - before), 0),
    unknown: costs.filter(({ after }) => after === undefined).length,
  };
}

function bytesAfter(field: FieldProfile, { before, after }: FieldChange): number | undefined {
  if (before === undefined || after === undefined) return undefined;
  const isGroup = field.declared?.kind === 'group';
  const tags = field.occurrences * (tagWidth(after.number) - tagWidth(before.number)) * (isGroup ? 2 : 1);
  const [old, now] = [withoutLabel(before.type), withoutLabel(after.type)];
  if (old === now) return bytesOf(field) + tags;
  const known = field.types.find(({ type }) => type === (now as FieldType));
  return known && known.bytes + tags;
}

/** The encoding of a value depends on whether the field is repeated, but not on whether it is required or optional. */
const withoutLabel = (type: string): string => type.replace(/^(optional|required) /, '');

const bytesOf = (field: FieldProfile): number => bytesIn(field, PROTOBUF);

const bytesBelow = ({ fields }: Profile, path: string): number =>
  fields
    .filter((field) => field.path === path || field.path.startsWith(`${path}.`))
    .reduce((sum, field) => sum + bytesOf(field), 0);
