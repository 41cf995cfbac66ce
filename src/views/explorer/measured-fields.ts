/** The measured cost of one message type: the bytes of its fields at all places of the type, by field number. */
import { bytesIn, type Profile } from '#engine/cost/profile.ts';

export interface MeasuredField {
  /** Records on the wire. */
  readonly occurrences: number;
  /** All bytes as captured, without the fields below. */
  readonly captured: number;
  /** null: some of its messages were not measured natively. */
  readonly native: number | null;
  /** The number of message instances, and the number of those that contain the field. */
  readonly parents: number;
  readonly presence: number;
}

const NOTHING: MeasuredField = { occurrences: 0, captured: 0, native: 0, parents: 0, presence: 0 };

/** Empty where the type does not occur. */
export function measuredFields(profiles: readonly Profile[], fullName: string): ReadonlyMap<number, MeasuredField> {
  const measured = new Map<number, MeasuredField>();
  for (const { type, fields, pair } of profiles) {
    const types = new Map(fields.map(({ path, declared }) => [path, declared?.type ?? '']));
    const [first, second] = pair;
    for (const field of fields) {
      const { parent, number, declared, occurrences, parents, presence } = field;
      if (declared === null || (parent === '' ? type : types.get(parent)) !== fullName) continue;
      const known = measured.get(number) ?? NOTHING;
      measured.set(number, {
        occurrences: occurrences + known.occurrences,
        captured: bytesIn(field, first) + known.captured,
        native: second === null || known.native === null ? null : bytesIn(field, second) + known.native,
        parents: parents + known.parents,
        presence: presence + known.presence,
      });
    }
  }
  return measured;
}
