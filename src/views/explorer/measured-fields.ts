/** The measured cost of one message type: the bytes of its fields at all places of the type, by field number. */
import { bytesIn, type Profile } from '#engine/cost/profile.ts';

export interface MeasuredField {
  /** Records on the wire. */
  readonly occurrences: number;
  /** All bytes, without the fields below. */
  readonly protobuf: number;
  /** null: nothing was measured natively. */
  readonly native: number | null;
  /** The number of message instances, and the number of those that contain the field. */
  readonly parents: number;
  readonly presence: number;
}

/** Empty where the type does not occur. */
export function measuredFields(profile: Profile, fullName: string): ReadonlyMap<number, MeasuredField> {
  const types = new Map(profile.fields.map(({ path, declared }) => [path, declared?.type ?? '']));
  const measured = new Map<number, MeasuredField>();
  const [first, second] = profile.pair;
  for (const field of profile.fields) {
    const { parent, number, declared, occurrences, parents, presence } = field;
    if (declared === null) continue;
    if ((parent === '' ? profile.type : types.get(parent)) !== fullName) continue;
    const known = measured.get(number);
    measured.set(number, {
      occurrences: occurrences + (known?.occurrences ?? 0),
      protobuf: bytesIn(field, first) + (known?.protobuf ?? 0),
      native: second === null ? null : bytesIn(field, second) + (known?.native ?? 0),
      parents: parents + (known?.parents ?? 0),
      presence: presence + (known?.presence ?? 0),
    });
  }
  return measured;
}
