/** In another worker: a share of a capture → its messages in batches, and what else it holds. */
import type { Source } from '../../bytes/source.ts';
import { type LaneFacts, readLane } from '../../frame/read-lane.ts';
import { needed } from '../../model/needed-file.ts';
import type { CaptureShare } from './capture-readers.ts';
import { type LaneBatch, LaneBatches } from './lane-batch.ts';

export async function readShare(
  { name, handle, limit, chunkBytes, described, hasTls, lane }: CaptureShare,
  openHandle: (handle: unknown, name: string) => Source,
  take: (batch: LaneBatch) => void,
): Promise<LaneFacts> {
  const batches = new LaneBatches(take);
  const tls = hasTls ? new (await needed(() => import('../../frame/tls/tls-decoder.ts'))).TlsDecoder('') : undefined;
  return readLane(openHandle(handle, name), (message, _, at) => batches.add(message, at), {
    ...{ limit, tls, described, lane },
    ...(chunkBytes === undefined ? {} : { chunkBytes }),
    onReached: (packet, done) => batches.reach(packet, done),
  });
}
