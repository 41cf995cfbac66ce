/**
 * Reads a capture, with several workers if it is large. Each reads all packets and takes its share of the connections
 * (frame/read-lane.ts). Messages and facts are those of one reader: where a share depends on another one, one reader
 * reads all.
 */
import { AbortError, type ReadControl, type Source } from '../../bytes/source.ts';
import type { Moment } from '../../capture/containers/capture-clock.ts';
import { CAPTURE_HEAD, sniffCapture } from '../../capture/containers/sniff-capture.ts';
import { PLAIN_LIMIT } from '../../compression/codec.ts';
import type { CaptureFacts, CaptureOptions } from '../../frame/capture-facts.ts';
import { joinLanes } from '../../frame/join-lanes.ts';
import { readCapture } from '../../frame/read-capture.ts';
import { type LaneFacts, readLane } from '../../frame/read-lane.ts';
import { LANE_BUCKETS, type Lane } from '../../stream/connections.ts';
import type { CaptureRead, OpenedCapture } from '../opened-capture.ts';
import type { TableRow } from '../store/message-table.ts';
import type { CaptureReaders } from './capture-readers.ts';
import { MessageJoin } from './join-messages.ts';
import { type LaneRows, type Reached, rowsOf } from './lane-batch.ts';

/** The worker that joins the messages of all has that much of the work of reading to do, so that it reads less. */
const JOINING = 0.2;

/**
 * @param enter called once per message, in order
 * @param pool absent: one worker reads all. Its workers are closed where sharing fails
 */
export async function readShared(
  source: Source,
  enter: (message: TableRow) => void,
  options: CaptureOptions,
  pool: CaptureReaders | undefined,
): Promise<CaptureFacts> {
  const count = pool === undefined ? 1 : await countLanes(source, options, pool);
  if (count === 1) return readCapture(source, enter, options);
  const join = new MessageJoin(count, enter);
  try {
    return await readTogether(source, join, lanesOf(count), options, pool!);
  } catch {
    pool!.close();
    if (options.signal?.aborted) throw new AbortError();
    const { entered } = join;
    return readCapture(source, (message) => message.ordinal >= entered && enter(message), options);
  }
}

/** Reads an opened capture as it was opened, with the key logs beside it. Its facts have those of opening it. */
export async function captureRead<Options extends CaptureOptions>(
  { name, size, steps, diagnostics, described, keyLogs }: OpenedCapture,
  options: Options,
  read: (options: Options) => Promise<CaptureFacts>,
): Promise<CaptureRead> {
  for (const lines of keyLogs) options.tls?.giveKeys(lines);
  const { size: bytes, ...facts } = await read(described === null ? options : { ...options, described });
  return { kind: 'capture', ...facts, name, size, bytes, steps, diagnostics: [...diagnostics, ...facts.diagnostics] };
}

/** Keys of TLS belong to all connections, so that only one reader can use them. Other workers know all transports. */
async function countLanes(source: Source, { tls, transports }: CaptureOptions, pool: CaptureReaders): Promise<number> {
  const lanes = pool.lanes(source.size);
  if (lanes === 1 || source.handle === undefined || tls?.hasKeys === true || transports !== undefined) return 1;
  const format = sniffCapture(await source.read(0, CAPTURE_HEAD));
  return format === 'pcap' || format === 'pcapng' ? lanes : 1;
}

/** Lanes of all connections. The first one is this worker's. */
export function lanesOf(count: number): readonly Lane[] {
  const share = Math.max(0, (1 - (count - 1) * JOINING) / count);
  const begin = (index: number): number => {
    if (index === 0) return 0;
    return Math.round(LANE_BUCKETS * (share + ((1 - share) * (index - 1)) / (count - 1)));
  };
  return Array.from({ length: count }, (_, index) => ({ index, from: begin(index), to: begin(index + 1) }));
}

/** A message that this worker found. */
interface Found extends Moment {
  readonly message: TableRow;
}

const rowsOfFound = (found: readonly Found[]): LaneRows => ({
  length: found.length,
  message: (row) => found[row]!.message,
  moment: (row) => found[row]!,
});

async function readTogether(
  source: Source,
  join: MessageJoin,
  [first, ...others]: readonly Lane[],
  options: CaptureOptions,
  pool: CaptureReaders,
): Promise<CaptureFacts> {
  const { name, handle, size } = source;
  const { limit = PLAIN_LIMIT, tls, signal, chunkBytes, described } = options;
  let isOver = false;
  const stop: ReadControl['signal'] = {
    get aborted() {
      return isOver || signal?.aborted === true;
    },
  };
  let abort!: (reason: unknown) => void;
  const aborted = new Promise<never>((_, reject) => {
    abort = reject;
  });
  const take = (index: number, rows: LaneRows, reached: Reached): void => {
    if (stop.aborted) {
      abort(new AbortError());
      return;
    }
    join.add(index, rows, reached);
    options.onProgress?.(join.done, size);
  };
  const shares: Promise<LaneFacts>[] = pool
    .helpers()
    .slice(0, others.length)
    .map((helper, at) => {
      const lane = others[at]!;
      const share = { name, handle, limit, chunkBytes, described, hasTls: tls !== undefined, lane };
      return helper.read(share, (batch) => {
        try {
          take(lane.index, rowsOf(batch), batch.reached);
        } catch (error) {
          // The other worker does not hear of it.
          abort(error);
        }
      });
    });
  let found: Found[] = [];
  const own = readLane(source, (message, _, { packet, rank }) => found.push({ message, packet, rank }), {
    ...options,
    signal: stop,
    onProgress: undefined,
    onReached: (packet, done) => {
      take(0, rowsOfFound(found), { packet, done });
      found = [];
    },
    lane: first!,
  });
  try {
    return joinLanes(await Promise.race([Promise.all([own, ...shares]), aborted]), size);
  } finally {
    // If it failed, this reader is not at its end.
    isOver = true;
    await own.catch(() => undefined);
  }
}
