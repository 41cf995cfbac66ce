/**
 * A connection's two directions → the transport that its first bytes show, and from there on that transport's messages.
 * Bytes before a transport is known, and those of none, are unattributed.
 */
import type { LayerTally } from '../../capture/containers/packets-layers.ts';
import type { CaptureLog } from '../../capture/containers/packets-log.ts';
import type { TrafficTally } from '../../capture/containers/packets-traffic.ts';
import type { ConnectionFacts, ConnectionSink, Side } from '../../stream/connections.ts';
import type { MessageEmitter } from './emitter.ts';
import { printFlow } from './emitter.ts';
import { type UnreadMark, unreadMark } from './protocol-signatures.ts';
import type { Transport, TransportReader } from './transport.ts';
import { StreamWindow } from './window.ts';

/** Longest beginning that is kept while no transport is sure. */
const LONGEST_DOUBT = 64 * 1024;
/** Places of an unknown connection that are looked at for what it may be. */
const MOST_LOOKS = 16;

export interface ConnectionOptions {
  readonly facts: ConnectionFacts;
  readonly transports: readonly Transport[];
  readonly emitter: MessageEmitter;
  readonly layers: LayerTally;
  readonly log: CaptureLog;
  readonly traffic: TrafficTally;
  /** Most bytes of one message, as captured. */
  readonly limit: number;
  /** Called once, when the transport is known. */
  readonly onTransport: (id: string) => void;
}

export function createConnectionReader(options: ConnectionOptions): ConnectionSink {
  const { facts, layers, log, traffic } = options;
  const windows: readonly [StreamWindow, StreamWindow] = [new StreamWindow(), new StreamWindow()];
  const flows = [printFlow(facts, 0), printFlow(facts, 1)] as const;
  let reader: TransportReader | null = null;
  /** What no transport explained: bytes, captureOffset of the first, what it is known by. */
  let passed = 0;
  let passedFrom = -1;
  let mark: UnreadMark | null = null;
  let looks = 0;
  let ended = 0;
  const woken: Side[] = [];
  let running = false;

  function open(transport: Transport): void {
    options.onTransport(transport.id);
    reader = transport.open({
      facts,
      layers,
      log,
      traffic,
      limit: options.limit,
      emit: (draft, wire) => options.emitter.emit(draft, wire, flows[draft.side]),
      wake: (side) => woken.push(side),
    });
  }

  /** The reader, for one call: `rest` follows it. */
  function enter(): TransportReader {
    if (running) throw new Error('A transport was entered while it was reading.');
    running = true;
    return reader!;
  }

  /** The turns of the sides that the call woke. */
  function rest(): void {
    while (woken.length > 0) {
      const side = woken.shift()!;
      reader!.read(side, windows[side]);
    }
    running = false;
  }

  function read(side: Side): void {
    if (reader === null) return;
    enter().read(side, windows[side]);
    rest();
  }

  function drop(window: StreamWindow, count: number): void {
    if (passedFrom < 0) passedFrom = window.captureOffset;
    passed += count;
    layers.unattributed += count;
    window.consume(count);
  }

  /** Looks for a transport at the window's start, then where the newest segment begins, then anywhere it can be seen. */
  function recognise(side: Side, newest: number, final: boolean): void {
    const window = windows[side];
    const places = newest > 0 ? [0, newest] : [0];
    for (const place of places) {
      const bytes = window.peek(window.length).subarray(place);
      let doubt = false;
      for (const transport of options.transports) {
        const verdict = bytes.length === 0 ? 'no' : transport.sniff(bytes, final);
        if (verdict === 'yes') {
          drop(window, place);
          open(transport);
          return;
        }
        if (verdict === 'more') doubt = true;
      }
      if (doubt && !final && window.length < LONGEST_DOUBT) {
        drop(window, place);
        return;
      }
    }
    const bytes = window.peek(window.length);
    for (const transport of options.transports) {
      const at = transport.seek?.(bytes) ?? -1;
      if (at < 0) continue;
      drop(window, at);
      open(transport);
      return;
    }
    if (mark === null && looks++ < MOST_LOOKS) mark = unreadMark(bytes);
    drop(window, window.length);
  }

  function recogniseOrRead(side: Side, newest: number, final: boolean): void {
    if (reader === null) {
      recognise(side, newest, final);
      read(side === 0 ? 1 : 0);
    }
    read(side);
  }

  return {
    data(side, bytes, start, end, captureOffset, time) {
      const newest = windows[side].length;
      windows[side].borrow(bytes, start, end, captureOffset, time);
      recogniseOrRead(side, newest, false);
      windows[side].settle();
    },
    hole(side, size, captureOffset) {
      log.add(
        'stream/hole',
        'warning',
        `${size.toLocaleString('en')} bytes of ${flows[side]} were not captured; reading goes on behind them.`,
        captureOffset,
      );
      const window = windows[side];
      if (reader === null) {
        if (window.length > 0) recogniseOrRead(side, 0, true);
        if (reader === null) {
          drop(window, window.length);
          window.gap(size);
          return;
        }
      }
      enter().hole(side, window, size);
      rest();
    },
    end(side) {
      const window = windows[side];
      if (window.length > 0 && reader === null) recogniseOrRead(side, 0, true);
      if (reader !== null) {
        enter().end(side, window);
        rest();
      }
      drop(window, window.length);
      ended++;
      if (ended < 2 || reader !== null || passed === 0) return;
      const { name, isEncrypted } = mark ?? UNKNOWN;
      traffic.add({ name, unit: 'connection', bytes: passed, isEncrypted, start: passedFrom });
    },
  };
}

const UNKNOWN: UnreadMark = { name: 'no known transport', isEncrypted: false };
