/**
 * A connection's two directions → the transport that its first bytes show, and then the messages of that transport.
 * Bytes before the transport is recognised, and bytes that no transport explains, are unattributed.
 */

import type { LayerTally } from '../../capture/containers/packets-layers.ts';
import type { CaptureLog, LossRun } from '../../capture/containers/packets-log.ts';
import type { TrafficTally } from '../../capture/containers/packets-traffic.ts';
import { plural } from '../../model/count-text.ts';
import type { ConnectionFacts, ConnectionSide, ConnectionSink } from '../../stream/connection-sink.ts';
import type { MessageEmitter } from './emitter.ts';
import { printFlow, printStream } from './emitter.ts';
import type { MissingTally } from './missing-bytes.ts';
import type { ProtocolSignature } from './protocol-signatures.ts';
import { Recogniser } from './recogniser.ts';
import type { StreamLoss, Transport, TransportReader } from './transport.ts';
import { StreamWindow } from './window.ts';

export interface ConnectionOptions {
  readonly facts: ConnectionFacts;
  readonly transports: readonly Transport[];
  readonly emitter: MessageEmitter;
  readonly layers: LayerTally;
  readonly log: CaptureLog;
  readonly traffic: TrafficTally;
  /** Maximum captured bytes of one message. */
  readonly limit: number;
  /** Called once, when the transport is recognised. */
  readonly onTransport: (id: string) => void;
  /** Counts the bytes of this connection whose packets are not in the capture, if it has messages. */
  readonly missing: MissingTally;
  /** The connection is nested in another one, which reports the missing bytes. */
  readonly isNested?: boolean;
  /** Around the connection; absent: none. */
  readonly tunnels?: Tunnels;
}

interface Tunnels {
  readonly count: number;
  /** Transports that a connection in a tunnel may have. */
  readonly transports: readonly Transport[];
}

/** Tunnels in tunnels, each of which needs room on the stack. */
const MAX_TUNNELS = 4;

/** One side of the connection. */
interface Side {
  readonly window: StreamWindow;
  readonly flow: string;
  /** Bytes that no transport explains, from captureOffset `start` to `end`. */
  readonly passed: { bytes: number; start: number; end: number };
  /** Bytes that came too late, and the captureOffset of the first ones. */
  readonly late: { bytes: number; at: number };
  isOver: boolean;
}

const newSide = (flow: string): Side => ({
  window: new StreamWindow(),
  flow,
  passed: { bytes: 0, start: 0, end: 0 },
  late: { bytes: 0, at: 0 },
  isOver: false,
});

export function createConnectionReader(options: ConnectionOptions): ConnectionSink {
  const { facts, layers, log, traffic, tunnels = { count: 0, transports: options.transports } } = options;
  const sides: readonly [Side, Side] = [newSide(printFlow(facts, 0)), newSide(printFlow(facts, 1))];
  const recogniser = new Recogniser(options.transports, facts.whole);
  let reader: TransportReader | null = null;
  /** Gaps of packets that are not in the capture. */
  const gaps = { gaps: 0, bytes: 0, flow: '' };
  const woken: ConnectionSide[] = [];
  let running = false;

  function open(transport: Transport): void {
    options.onTransport(transport.id);
    for (const side of [0, 1] as const) {
      const { bytes, start, end } = sides[side].passed;
      if (bytes > 0) lose(side, BEFORE_TRANSPORT, start).add(start, end, bytes);
    }
    reader = transport.open({
      facts,
      isFromStart: [isFromStart(0), isFromStart(1)],
      stream: printStream(facts),
      layers,
      log,
      traffic,
      limit: options.limit,
      emit: (draft, captured) => options.emitter.emit(draft, captured, sides[draft.side].flow),
      lose,
      wake: (side) => woken.push(side),
      nest: (id) => createConnectionReader({ ...options, transports: within(transport, id), isNested: true, tunnels }),
      tunnel: () => (tunnels.count < MAX_TUNNELS ? inTunnel() : null),
    });
  }

  const isFromStart = (side: ConnectionSide): boolean => facts.whole && sides[side].window.position === 0;

  const within = (outer: Transport, id: string | null): readonly Transport[] =>
    options.transports.filter((one) => one !== outer && (id === null || one.id === id));

  const inTunnel = (): ConnectionSink =>
    createConnectionReader({
      ...{ ...options, facts: { ...facts, whole: true }, transports: tunnels.transports, isNested: true },
      tunnels: { ...tunnels, count: tunnels.count + 1 },
    });

  /** Returns the reader for one call. `rest` has to follow the call. */
  function enter(): TransportReader {
    if (running) throw new Error('A transport was entered while it was reading.');
    running = true;
    return reader!;
  }

  /** Calls the reader for the sides that the call woke. */
  function rest(): void {
    while (woken.length > 0) {
      const side = woken.shift()!;
      reader!.read(side, sides[side].window);
    }
    running = false;
  }

  function read(side: ConnectionSide): void {
    if (reader === null) return;
    enter().read(side, sides[side].window);
    rest();
  }

  const lose = (side: ConnectionSide, loss: StreamLoss, at: number): LossRun =>
    log.lose({ ...loss, stream: sides[side].flow }, at);

  function pass(side: ConnectionSide, count: number): void {
    const { window, passed } = sides[side];
    for (const { start, end } of window.pieces(0, count)) {
      passed.start = passed.bytes === 0 ? start : Math.min(passed.start, start);
      passed.end = Math.max(passed.end, end);
      passed.bytes += end - start;
    }
    window.consume(count);
  }

  function recognise(side: ConnectionSide, newest: number, final: boolean): void {
    const { window } = sides[side];
    const found = recogniser.look(side, window.peek(window.length), newest, final);
    if (found === null) return;
    pass(side, found.at);
    if (found.transport !== null) open(found.transport);
  }

  function recogniseOrRead(side: ConnectionSide, newest: number, final: boolean): void {
    if (reader === null) {
      recognise(side, newest, final);
      read(side === 0 ? 1 : 0);
    }
    read(side);
  }

  function noteGap(side: ConnectionSide, size: number): void {
    if (gaps.gaps === 0) gaps.flow = sides[side].flow;
    gaps.gaps++;
    gaps.bytes += size;
  }

  return {
    data(side, bytes, start, end, captureOffset, time) {
      const { window } = sides[side];
      const newest = window.length;
      window.borrow(bytes, start, end, captureOffset, time);
      recogniseOrRead(side, newest, false);
      window.settle();
    },
    hole(side, size, captureOffset, _, isCut) {
      const { window, flow } = sides[side];
      if (!options.isNested) {
        if (!isCut) noteGap(side, size);
        log.add(
          'stream/hole',
          'warning',
          `${plural(size, 'byte')} of ${flow} ${size === 1 ? 'was not captured; reading continues after it' : 'were not captured; reading continues after them'}.`,
          captureOffset,
        );
      }
      if (reader === null) {
        if (window.length > 0) recogniseOrRead(side, 0, true);
        if (reader === null) {
          recogniser.miss();
          pass(side, window.length);
          window.gap(size);
          return;
        }
      }
      enter().hole(side, window, size);
      rest();
    },
    late(side, size, captureOffset) {
      const { late } = sides[side];
      if (late.bytes === 0) late.at = captureOffset;
      late.bytes += size;
    },
    end(side) {
      const one = sides[side];
      const { window, late } = one;
      if (late.bytes > 0) {
        const what = `${plural(late.bytes, 'byte')} of ${one.flow} ${late.bytes === 1 ? 'was captured after bytes that follow it' : 'were captured after bytes that follow them'}`;
        const text = `${what}, too late to be read. reordercap sorts a capture by time.`;
        log.add('stream/late', 'warning', text, late.at);
      }
      const otherSide = side === 0 ? 1 : 0;
      const other = sides[otherSide];
      const isUnknown = reader === null;
      if (window.length > 0 && reader === null) recogniseOrRead(side, 0, true);
      if (reader !== null) {
        // The other side was over before the transport was recognised.
        if (isUnknown && other.isOver) {
          enter().end(otherSide, other.window);
          rest();
        }
        enter().end(side, window);
        rest();
      }
      if (reader === null) pass(side, window.length);
      else if (window.length > 0) window.lose(lose(side, LEFT_OVER, window.captureOffset), window.length);
      one.isOver = true;
      if (other.isOver && reader !== null && gaps.gaps > 0) options.missing.add(gaps);
      const bytes = one.passed.bytes + other.passed.bytes;
      if (!other.isOver || reader !== null || bytes === 0) return;
      const { name, isEncrypted } = recogniser.protocol ?? UNKNOWN;
      const full = sides.map(({ passed }) => passed).filter((passed) => passed.bytes > 0);
      const start = Math.min(...full.map((passed) => passed.start));
      const end = Math.max(...full.map((passed) => passed.end));
      traffic.add({ name, unit: 'connection', bytes, isEncrypted, start, end, stream: printStream(facts) });
    },
  };
}

const BEFORE_TRANSPORT: StreamLoss = {
  code: 'frame/before-transport',
  severity: 'warning',
  layer: 'unattributed',
  reason: 'No transport explains the bytes before the first frame that is recognised.',
};

const LEFT_OVER: StreamLoss = {
  code: 'frame/left-over',
  severity: 'warning',
  layer: 'unattributed',
  reason: 'The stream ends with bytes that are not a frame.',
};

const UNKNOWN: ProtocolSignature = { name: 'no known transport', isEncrypted: false };
