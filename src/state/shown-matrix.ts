/** Encodings and compressors of the messages that are looked at, once they are measured. */
import { type MatrixSizes, sizesOf } from '#engine/analysis/matrix-sizes.ts';
import type { Client } from '#worker/connect.ts';
import type { MeasuredMatrix } from '#worker/matrix-api.ts';
import type { CallResult, Progress } from '#worker/protocol.ts';
import type { MatrixAnswer } from './measured.ts';
import { shownProfile } from './shown-profile.ts';
import type { AppState } from './store.ts';
import { FIRST_MATRIX, type MatrixView } from './view-state.ts';

/** The parts of the view that the measurement depends on. */
const askedOf = ({ per, by, level, isAll }: MatrixView): string =>
  JSON.stringify([per, level === null ? null : [by, level], isAll]);

/** undefined: to be measured. */
export function shownMatrix(state: AppState): MeasuredMatrix | null | undefined {
  const { matrix, analysis } = state.session;
  if (matrix === null || matrix.analysis !== analysis) return undefined;
  if (matrix.type !== shownProfile(state)?.type) return undefined;
  return matrix.asked === askedOf(state.view.matrix ?? FIRST_MATRIX) ? matrix.measured : undefined;
}

/** The parts that figures and links carry; null: not measured. */
export interface SharedMatrix {
  readonly sizes: MatrixSizes;
  /** Id of the compressor that is looked at. */
  readonly by: string | null;
}

export const matrixByOf = ({ view }: AppState): string | null => (view.matrix ?? FIRST_MATRIX).by;

export const sharedMatrix = (measured: MeasuredMatrix | null | undefined, by: string | null): SharedMatrix | null =>
  measured == null ? null : { sizes: sizesOf(measured), by };

export async function askMatrix(
  { session, view }: AppState,
  client: Client,
  options: { readonly signal: AbortSignal; readonly onProgress: (progress: Progress) => void },
): Promise<CallResult<MatrixAnswer>> {
  const { type, types, scope, nativeProfile, overrides } = view;
  const asked = view.matrix ?? FIRST_MATRIX;
  const { by, level, per, isAll } = asked;
  const shown = shownProfile({ session, view })?.type ?? '';
  const outcome = await client.call(
    'matrix',
    {
      ...{ type, types, scope, nativeProfile, overrides, shown, per },
      encodings: isAll ? 'all' : 'common',
      compressors: 'all',
      levels: by === null || level === null ? {} : { [by]: level },
    },
    options,
  );
  if (!outcome.ok) return outcome;
  return {
    ok: true,
    value: { analysis: session.analysis, type: shown, asked: askedOf(asked), measured: outcome.value },
  };
}
