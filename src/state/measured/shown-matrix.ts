/** Encodings and compressors of the shown messages, once they are measured. */

import { type MatrixSizes, sizesOf } from '#engine/analysis/measure/matrix-sizes.ts';
import { firstCompressor } from '#engine/compression/captured-with.ts';
import type { MeasuredMatrix } from '#worker/matrix-api.ts';
import { shownProfile } from '../shown-profile.ts';
import type { AppState } from '../store.ts';
import type { MatrixView } from '../view-state.ts';

/** The parts of the view that the measurement depends on. */
export const askedOf = ({ per, by, level, isAll }: MatrixView): string =>
  JSON.stringify([per, level === null ? null : [by, level], isAll]);

/** undefined: to be measured. */
export function shownMatrix(state: AppState): MeasuredMatrix | null | undefined {
  const { matrix } = state.session;
  const isShown = matrix?.profile === shownProfile(state) && matrix?.asked === askedOf(state.view.matrix);
  return isShown ? matrix.measured : undefined;
}

/** The parts that figures and links carry; null: not measured. */
export interface SharedMatrix {
  readonly sizes: MatrixSizes;
  /** Id of the shown compressor. */
  readonly by: string | null;
}

/** Id of the compressor that sorts; null: none. */
export function matrixByOf({ view: { matrix }, session }: AppState): string | null {
  if (matrix.by !== undefined) return matrix.by;
  return session.sharedFrom?.matrix
    ? session.sharedFrom.matrix.by
    : firstCompressor(session.matrix?.measured?.capturedWith);
}

export const sharedMatrix = (measured: MeasuredMatrix | null | undefined, by: string | null): SharedMatrix | null =>
  measured == null ? null : { sizes: sizesOf(measured), by };
