/** A matrix → the values that its encodings do not carry, as sentences and for a search of the messages. */
import { lossKind } from '../../encodings/losses.ts';
import type { EncodingSizes } from '../../encodings/matrix.ts';
import type { LostValues } from '../../model/diagnostic.ts';

export interface MatrixFinding {
  readonly words: string;
  readonly lost: LostValues;
}

/** Losses first, then the reasons why an encoding has no bytes. */
export function matrixFindings({
  type,
  rows,
}: {
  readonly type: string;
  readonly rows: readonly Pick<EncodingSizes, 'id' | 'label' | 'losses' | 'refused'>[];
}): readonly MatrixFinding[] {
  return [
    ...rows.flatMap(({ id, label, losses }) =>
      losses.map((loss) => ({ words: `${label}: ${loss}.`, lost: { encoding: id, kind: lossKind(loss), type } })),
    ),
    ...rows.flatMap(({ id, label, refused }) =>
      refused === null
        ? []
        : [{ words: `${label}: ${refused.replace(/\.?$/, '.')}`, lost: { encoding: id, kind: null, type } }],
    ),
  ];
}
