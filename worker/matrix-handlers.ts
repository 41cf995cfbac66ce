/** Messages in every encoding, before and after every compressor. */
import { measureMatrix } from '#engine/analysis/measure/measure-matrix.ts';
import { COMPRESSORS } from '#engine/compression/compressors.ts';
import type { EncodingRow } from '#engine/encodings/encoding-row.ts';
import { ENCODINGS } from '#engine/encodings/encodings.ts';
import { loadCompressors } from './load-compressors.ts';
import type { MatrixApi, ShownMessages } from './matrix-api.ts';
import type { Context, HandlersOf } from './protocol.ts';
import { encodingOf, pauses, sampleShown } from './sample-messages.ts';
import type { Session } from './session-state.ts';

/** The maximum of measured protobuf bytes, 2 MiB, because every encoding and compressor runs on them. */
const MAX_BYTES = 2 << 20;

type Params = Parameters<MatrixApi['matrix']>[0];

export const matrixHandlers = (session: Session): HandlersOf<MatrixApi> => ({
  matrix: (params, context) => matrix(session, params, context),
});

async function matrix(
  session: Session,
  { encodings: ids, compressors, levels = {}, per, ...shown }: Params,
  context: Context<ReturnType<MatrixApi['matrix']>>,
): Promise<ReturnType<MatrixApi['matrix']>> {
  const sampled = await sampleShown(session, shown, { most: MAX_BYTES, per }, context);
  if (sampled === null) return null;
  const compressorIds = compressors === 'all' ? COMPRESSORS.map(({ id }) => id) : compressors;
  return measureMatrix(
    {
      ...sampled,
      encodings: rowsOf(session, ids, shown, sampled.captured).filter((row) => row !== sampled.captured),
      per: per ?? undefined,
      compressors: await loadCompressors(compressorIds.map((id) => ({ id, level: levels[id] ?? null }))),
    },
    pauses(context),
  );
}

/** A profile with overrides is a row beside the unchanged ones. */
function rowsOf(
  session: Session,
  ids: Params['encodings'],
  shown: ShownMessages,
  captured: EncodingRow | undefined,
): readonly EncodingRow[] {
  if (typeof ids === 'string') {
    const rows = ENCODINGS.filter(({ isCommon }) => isCommon || ids === 'all');
    const isOwn = Object.keys(shown.overrides).length > 0;
    return isOwn ? [...rows, ...rowsOf(session, ['native'], shown, captured)] : rows;
  }
  return ids
    .map((id) => encodingOf(session, id, shown, captured))
    .filter((row): row is EncodingRow => row !== undefined);
}
