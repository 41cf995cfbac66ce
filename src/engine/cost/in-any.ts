/**
 * A profile → the bytes of messages in an Any. Encodings keep them as protobuf, except JSON and text format: between two
 * encodings that keep them they decide nothing.
 */
import { ANY } from '../schema/names.ts';
import { bytesIn, cellsIn, type FieldProfile, PROTOBUF, type Profile } from './profile.ts';

/** In protobuf. */
export const bytesInAny = (profile: Profile): number =>
  fieldsInAny(profile).reduce((sum, field) => sum + bytesIn(field, PROTOBUF), 0);

/** Bytes that are protobuf in both encodings of the pair. */
export function keptInAny(profile: Profile): number {
  const [first, second] = profile.pair;
  if (second === null || first !== PROTOBUF) return 0;
  const held = fieldsInAny(profile);
  // JSON and text format write a key for each field.
  if (held.some((field) => (cellsIn(field, second).key ?? 0) > 0)) return 0;
  // A native side has nothing of a value that a later one replaces.
  return held.reduce((sum, field) => sum + (bytesIn(field, second) > 0 ? bytesIn(field, PROTOBUF) : 0), 0);
}

/** In protobuf: contents whose type no schema has. */
export function unreadInAny(profile: Profile): number {
  const anys = anysOf(profile);
  return profile.fields.reduce((sum, field) => {
    const isUnread = field.name === 'value' && anys.has(field.parent);
    return sum + (isUnread ? (cellsIn(field, PROTOBUF).value ?? 0) : 0);
  }, 0);
}

/** Paths. */
const anysOf = ({ type, fields }: Profile): ReadonlySet<string> =>
  new Set([
    ...(type === ANY ? [''] : []),
    ...fields.filter(({ declared }) => declared?.type === ANY).map(({ path }) => path),
  ]);

function fieldsInAny(profile: Profile): readonly FieldProfile[] {
  const anys = anysOf(profile);
  /** Paths of the messages in them, and of all that is in these. */
  const held = new Set<string>();
  return profile.fields.filter(({ path, parent, name }) => {
    const isHeld = held.has(parent);
    if (isHeld || (anys.has(parent) && name.startsWith('['))) held.add(path);
    return isHeld;
  });
}
