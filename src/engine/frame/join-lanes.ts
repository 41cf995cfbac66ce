/** Facts of several readers of a capture, each with some of its connections → the facts of the capture. */
import { CaptureClock, compareMoments } from '../capture/containers/capture-clock.ts';
import { emptyLayers, LAYERS } from '../capture/containers/packets-layers.ts';
import { CaptureLog, type LostBytes } from '../capture/containers/packets-log.ts';
import { printTraffic, TrafficTally } from '../capture/containers/packets-traffic.ts';
import { countText } from '../model/count-text.ts';
import { MAX_CONNECTIONS } from '../stream/connections.ts';
import type { CaptureFacts } from './capture-facts.ts';
import { type LaneFacts, MAX_SUMMARIES } from './read-lane.ts';
import type { LeftPacked, TransportCount } from './transport/emitter.ts';
import { joinMissing } from './transport/missing-bytes.ts';

/**
 * @param lanes of all readers, in the order of their numbers. All read all packets: the first one counts them
 * @param size of the capture
 */
export function joinLanes(lanes: readonly LaneFacts[], size: number): CaptureFacts {
  const { format, packets, cut, firstTime, lastTime, secrets } = lanes[0]!;
  const layers = emptyLayers();
  for (const layer of LAYERS) layers[layer] = sumOf(lanes, (lane) => lane.layers[layer]);
  const clock = new CaptureClock();
  clock.end();
  clock.finish();
  const log = new CaptureLog(
    layers,
    clock,
    lanes.map((lane) => lane.log),
  );
  const traffic = new TrafficTally(
    clock,
    lanes.map((lane) => lane.traffic),
  );
  const [{ closedEarly, leftPacked, unpackedBytes }] = lanes as readonly [LaneFacts];
  reportClosedEarly(closedEarly, size, log);
  if (leftPacked !== null) reportLeftPacked(leftPacked, unpackedBytes, log);
  reportUnread(traffic, log);
  const missing = joinMissing(lanes.map((lane) => lane.missing));
  return {
    format,
    size,
    layers,
    packets,
    cut,
    missing: missing && withoutMoment(missing),
    connections: lanes
      .flatMap(({ connections }) => connections)
      .sort((a, b) => compareMoments(a.first, b.first))
      .slice(0, MAX_SUMMARIES)
      .map(withoutMoment),
    connectionCount: sumOf(lanes, (lane) => lane.connectionCount),
    messages: sumOf(lanes, (lane) => lane.messages),
    plainBytes: sumOf(lanes, (lane) => lane.plainBytes),
    transports: joinTransports(lanes.map((lane) => lane.transports)),
    firstTime,
    lastTime,
    secrets,
    traffic: traffic.list(),
    diagnostics: log.finish(),
  };
}

const sumOf = (lanes: readonly LaneFacts[], of: (lane: LaneFacts) => number): number =>
  lanes.reduce((sum, lane) => sum + of(lane), 0);

const withoutMoment = <T extends { readonly first: unknown }>({ first: _, ...rest }: T): Omit<T, 'first'> => rest;

function joinTransports(counts: readonly ReadonlyMap<string, TransportCount>[]): Readonly<Record<string, number>> {
  const all = counts.flatMap((one) => [...one]).sort(([, a], [, b]) => compareMoments(a.first, b.first));
  const sums: Record<string, number> = {};
  for (const [id, { count }] of all) sums[id] = (sums[id] ?? 0) + count;
  return sums;
}

function reportClosedEarly(count: number, size: number, log: CaptureLog): void {
  if (count === 0) return;
  const most = countText(MAX_CONNECTIONS);
  const which = count === 1 ? 'the one that was idle longest' : `the ${countText(count)} that were idle longest`;
  const message = `More than ${most} connections were open at once: ${which} were closed. What they sent later is read as a new connection.`;
  log.add('stream/too-many-connections', 'warning', message, 0, size);
}

function reportLeftPacked({ count, bytes, start, end }: LeftPacked, unpacked: number, log: CaptureLog): void {
  const bodies = count === 1 ? 'One compressed body was' : `${countText(count)} compressed bodies were`;
  const message = `${bodies} not unpacked (${countText(bytes)} bytes as captured): those before took ${countText(unpacked)} bytes, as much as is unpacked of one capture. A larger --limit of the command line unpacks more; a part of the capture takes less.`;
  log.add('frame/unpacked-budget', 'warning', message, start, end);
}

/** Reports bytes of connections that no transport explains: one diagnostic for each kind. */
function reportUnread(traffic: TrafficTally, log: CaptureLog): void {
  for (const kind of traffic.list()) {
    if (kind.unit !== 'connection') continue;
    const { count, streams, start, end, bytes } = kind;
    const more = count > streams.length ? ` and ${countText(count - streams.length)} more` : '';
    const loss: LostBytes = {
      code: kind.isEncrypted ? 'frame/encrypted' : 'frame/unread',
      severity: 'info',
      layer: 'unattributed',
      stream: `${streams.join(', ')}${more}`,
      reason: `${printTraffic(kind)}: no messages are read from ${count === 1 ? 'it' : 'them'}.`,
    };
    log.lose(loss, start).add(start, end, bytes);
  }
}
