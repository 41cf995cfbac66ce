/**
 * A connection's two directions → the transport that its first bytes show, and from there on that transport's messages.
 * Bytes before a transport is known, and those of none, are unattributed.
 */
import type { LayerTally } from '../capture/packets-layers.ts';
import type { CaptureLog } from '../capture/packets-log.ts';
import type { ConnectionFacts, ConnectionSink, Side } from '../stream/connections.ts';
import type { Transport, TransportReader } from './transport.ts';
import type { MessageEmitter } from './transport-emitter.ts';
import { printFlow } from './transport-emitter.ts';
import { StreamWindow } from './transport-window.ts';

/** Longest beginning that is kept while no transport is sure. */
const LONGEST_DOUBT = 64 * 1024;

export interface ConnectionOptions {
  readonly facts: ConnectionFacts;
  readonly transports: readonly Transport[];
  readonly emitter: MessageEmitter;
  readonly layers: LayerTally;
  readonly log: CaptureLog;
  /** Most bytes of one message, as captured. */
  readonly limit: number;
  /** Called once, when the transport is known. */
  readonly onTransport: (id: string) => void;
}

export function createConnectionReader(options: ConnectionOptions): ConnectionSink {
  const { facts, layers, log } = options;
  const windows: readonly [StreamWindow, StreamWindow] = [new StreamWindow(), new StreamWindow()];
  const flows = [printFlow(facts, 0), printFlow(facts, 1)] as const;
  let reader: TransportReader | null = null;
  let encrypted = false;
  const woken: Side[] = [];
  let running = false;

  function open(transport: Transport): void {
    options.onTransport(transport.id);
    reader = transport.open({
      facts,
      layers,
      log,
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
    if (!encrypted && bytes[0] === 0x16 && bytes[1] === 3) {
      encrypted = true;
      const text = `The connection ${flows[side]} is encrypted: its messages cannot be read.`;
      log.add('frame/encrypted', 'info', text, window.captureOffset);
    }
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
    },
  };
}
