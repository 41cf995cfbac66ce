/** The sizes of a matrix without the costs of its fields. Figures are drawn from them, and links carry them. */
import type { CapturedWith } from '../../compression/captured-with.ts';
import type { CompressorFacts, EncodingSizes } from '../../encodings/matrix.ts';
import type { MeasuredMatrix } from './measure-matrix.ts';

export interface MatrixSizes extends Omit<MeasuredMatrix, 'rows' | 'compressors' | 'capturedWith'> {
  /** Links that were made before it was carried have none. */
  readonly capturedWith?: CapturedWith;
  readonly compressors: readonly CompressorFacts[];
  readonly rows: readonly EncodingSizes[];
}

export const sizesOf = (measured: MeasuredMatrix): MatrixSizes => {
  const { type, messages, captured, per, sampled, compressors, rows, capturedWith } = measured;
  return {
    ...{ type, messages, captured, per, sampled, capturedWith },
    compressors: compressors.map(({ id, label, library, version, parameters }) => ({
      ...{ id, label, library, version, parameters },
    })),
    rows: rows.map(({ id, label, bytes, compressed, refused, losses, errors }) => ({
      ...{ id, label, bytes, compressed, refused, losses },
      errors: sampled === null ? {} : errors,
    })),
  };
};
