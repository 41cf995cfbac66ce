/** Messages in every encoding, before and after every compressor. */
import { measureMatrix } from '#engine/analysis/measure-matrix.ts';
import type { EncodingRow } from '#engine/encodings/encoding-row.ts';
import { ENCODINGS } from '#engine/encodings/encodings.ts';
import { loadCompressors } from './load-compressors.ts';
import type { MatrixApi } from './matrix-api.ts';
import type { Context, HandlersOf } from './protocol.ts';
import { encodingOf, pauses, sampleShown } from './sample-messages.ts';
import type { Session } from './session-state.ts';

/** Bytes of protobuf that are measured, 2 MiB: every encoding and compressor takes its turn on them. */
const MOST_BYTES = 2 << 20;

type Params = Parameters<MatrixApi['matrix']>[0];

export const matrixHandlers = (session: Session): HandlersOf<MatrixApi> => ({
  matrix: (params, context) => matrix(session, params, context),
});

async function matrix(
  session: Session,
  { encodings: ids, compressors, per, ...shown }: Params,
  context: Context<ReturnType<MatrixApi['matrix']>>,
): Promise<ReturnType<MatrixApi['matrix']>> {
  const sampled = await sampleShown(session, shown, { most: MOST_BYTES, per }, context);
  if (sampled === null) return null;
  const encodings =
    ids === null
      ? ENCODINGS.filter(({ isCommon }) => isCommon)
      : ids.map((id) => encodingOf(id, shown, sampled.captured)).filter((row): row is EncodingRow => row !== undefined);
  return measureMatrix(
    {
      ...sampled,
      encodings: encodings.filter((row) => row !== sampled.captured),
      per: per ?? undefined,
      compressors: await loadCompressors(compressors),
    },
    pauses(context),
  );
}
