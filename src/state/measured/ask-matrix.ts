/** The page's question about encodings and compressors. */
import type { Client } from '#worker/connect.ts';
import type { CallResult, Progress } from '#worker/protocol.ts';
import { shownMessages, shownProfile } from '../shown-profile.ts';
import type { AppState } from '../store.ts';
import type { MatrixAnswer } from './measured.ts';
import { askedOf } from './shown-matrix.ts';

export async function askMatrix(
  state: AppState,
  client: Client,
  options: { readonly signal: AbortSignal; readonly onProgress: (progress: Progress) => void },
): Promise<CallResult<MatrixAnswer>> {
  const { matrix: asked } = state.view;
  const { by, level, per, isAll } = asked;
  const profile = shownProfile(state);
  const outcome = await client.call(
    'matrix',
    {
      ...shownMessages(state),
      per,
      encodings: isAll ? 'all' : 'common',
      compressors: 'all',
      levels: by == null || level === null ? {} : { [by]: level },
    },
    options,
  );
  if (!outcome.ok) return outcome;
  return { ok: true, value: { profile, asked: askedOf(asked), measured: outcome.value } };
}
