/**
 * A connection's two directions → the transport that its first bytes show, and then the messages of that transport.
 * Bytes before the transport is recognised, and bytes that no transport explains, are unattributed.
 */

import { isText } from '../../bytes/text-byte.ts';
import type { LayerTally } from '../../capture/containers/packets-layers.ts';
import type { CaptureLog, LossRun } from '../../capture/containers/packets-log.ts';
import type { TrafficTally } from '../../capture/containers/packets-traffic.ts';
import { countText } from '../../model/count-text.ts';
import type { ConnectionFacts, ConnectionSide, ConnectionSink } from '../../stream/connections.ts';
import type { MessageEmitter } from './emitter.ts';
import { printFlow, printStream } from './emitter.ts';
import type { MissingTally } from './missing-bytes.ts';
import { findProtocol, type ProtocolSignature } from './protocol-signatures.ts';
import type { StreamLoss, Transport, TransportReader } from './transport.ts';
import { StreamWindow } from './window.ts';

/** Maximum bytes at the beginning that are kept while no transport is certain. */
const LONGEST_UNDECIDED = 64 * 1024;
/** Kept bytes are all examined again when they have grown by this part: at each segment, it would take quadratic time. */
const GROWTH = 1 / 8;
/** Up to this many bytes are examined at each segment. */
const SHORT = 512;
/** Maximum bytes of text that are kept: the other side may show that they are requests with an unknown method. */
const LONGEST_TEXT = 32 * 1024;
/** Maximum number of places in an unrecognised connection that are checked for a known protocol. */
const MAX_LOOKS = 16;

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
}

export function createConnectionReader(options: ConnectionOptions): ConnectionSink {
  const { facts, layers, log, traffic } = options;
  const windows: readonly [StreamWindow, StreamWindow] = [new StreamWindow(), new StreamWindow()];
  const flows = [printFlow(facts, 0), printFlow(facts, 1)] as const;
  let reader: TransportReader | null = null;
  /** By side: bytes that no transport explains, and the protocol that they seem to belong to. */
  const passed: readonly [Passed, Passed] = [nonePassed(), nonePassed()];
  let protocol: ProtocolSignature | null = null;
  let looks = 0;
  /** By side: whether the kept bytes begin neither at the start of the side nor at a segment. */
  const floats: [boolean, boolean] = [false, false];
  /** By side: how many bytes were kept when all were last examined. */
  const examined: [number, number] = [0, 0];
  /** By side: how many of the first kept bytes are text; −1: not all that were examined are. */
  const texts: [number, number] = [0, 0];
  /** By side and transport: no frame of it begins before this one of the kept bytes. */
  const sought: [Map<Transport, number> | undefined, Map<Transport, number> | undefined] = [undefined, undefined];
  const over: [boolean, boolean] = [false, false];
  /** Gaps of packets that are not in the capture. */
  const gaps = { gaps: 0, bytes: 0, flow: '' };
  /** By side: bytes that came too late, and the captureOffset of the first ones. */
  const late: readonly [Late, Late] = [
    { bytes: 0, at: 0 },
    { bytes: 0, at: 0 },
  ];
  const woken: ConnectionSide[] = [];
  let running = false;

  function open(transport: Transport): void {
    options.onTransport(transport.id);
    for (const side of [0, 1] as const) {
      const { bytes, start, end } = passed[side];
      if (bytes > 0) lose(side, BEFORE_TRANSPORT, start).add(start, end, bytes);
    }
    reader = transport.open({
      facts,
      stream: printStream(facts),
      layers,
      log,
      traffic,
      limit: options.limit,
      emit: (draft, captured) => options.emitter.emit(draft, captured, flows[draft.side]),
      lose,
      wake: (side) => woken.push(side),
      nest: (id) => createConnectionReader({ ...options, transports: within(transport, id), isNested: true }),
    });
  }

  const withText = options.transports.filter(({ isNeverText }) => !isNeverText);
  const offeredTo = (isAllText: boolean): readonly Transport[] => (isAllText ? withText : options.transports);

  const within = (outer: Transport, id: string | null): readonly Transport[] =>
    options.transports.filter((one) => one !== outer && (id === null || one.id === id));

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
      reader!.read(side, windows[side]);
    }
    running = false;
  }

  function read(side: ConnectionSide): void {
    if (reader === null) return;
    enter().read(side, windows[side]);
    rest();
  }

  const lose = (side: ConnectionSide, loss: StreamLoss, at: number): LossRun =>
    log.lose({ ...loss, stream: flows[side] }, at);

  function pass(side: ConnectionSide, count: number): void {
    const window = windows[side];
    const one = passed[side];
    for (const { start, end } of window.pieces(0, count)) {
      one.start = one.bytes === 0 ? start : Math.min(one.start, start);
      one.end = Math.max(one.end, end);
      one.bytes += end - start;
    }
    window.consume(count);
  }

  function recognise(side: ConnectionSide, newest: number, final: boolean): void {
    const window = windows[side];
    const bytes = window.peek(window.length);
    const isDue = final || bytes.length <= SHORT || bytes.length >= examined[side] * (1 + GROWTH);
    if (!isDue) {
      const rest = bytes.subarray(newest);
      if (!offeredTo(isText(rest)).some((transport) => transport.sniff(rest, false) === 'yes')) return;
    }
    const found = place(side, bytes, newest, final);
    pass(side, found.at);
    if (found.at > 0) {
      texts[side] = 0;
      sought[side] = undefined;
    }
    examined[side] = window.length;
    floats[side] = found.floats;
    if (found.transport !== null) open(found.transport);
  }

  /** Whether all kept bytes are text. Each is examined once. */
  function isKeptText(side: ConnectionSide, bytes: Uint8Array): boolean {
    if (texts[side] < 0) return false;
    const isAll = isText(bytes.subarray(texts[side]));
    texts[side] = isAll ? bytes.length : -1;
    return isAll;
  }

  /** Where a transport begins, or where more bytes may show one: at the start, anywhere, or at the newest segment. */
  function place(side: ConnectionSide, bytes: Uint8Array, newest: number, final: boolean): Place {
    const undecided: Place[] = [];
    /** Transports that may begin at the start are not searched for elsewhere. */
    const waiting = new Set<Transport>();
    for (const at of [...(floats[side] ? [] : [0]), ...(newest > 0 ? [newest] : [])]) {
      const rest = bytes.subarray(at);
      if (rest.length === 0) continue;
      const isAllText = at === 0 ? isKeptText(side, bytes) : isText(rest);
      for (const transport of offeredTo(isAllText)) {
        if (waiting.has(transport)) continue;
        const verdict = transport.sniff(rest, final);
        if (verdict === 'yes') return { at, transport, floats: false };
        if (verdict === 'more') undecided.push({ at, transport: null, floats: false });
        if (verdict === 'more' && at === 0) waiting.add(transport);
      }
      if (isAllText && rest.length <= LONGEST_TEXT) undecided.push({ at, transport: null, floats: false });
    }
    if (protocol === null && looks++ < MAX_LOOKS) protocol = findProtocol(bytes);
    for (const transport of protocol === null ? options.transports : []) {
      if (transport.seek === undefined || waiting.has(transport)) continue;
      sought[side] ??= new Map();
      const found = transport.seek(bytes, sought[side].get(transport) ?? 0, final);
      sought[side].set(transport, found?.at ?? bytes.length);
      if (found?.isSure) return { at: found.at, transport, floats: false };
      if (found !== null) undecided.push({ at: found.at, transport: null, floats: true });
    }
    undecided.sort((a, b) => a.at - b.at || Number(a.floats) - Number(b.floats));
    const kept = final ? undefined : undecided.find(({ at }) => bytes.length - at < LONGEST_UNDECIDED);
    return kept ?? { at: bytes.length, transport: null, floats: false };
  }

  function recogniseOrRead(side: ConnectionSide, newest: number, final: boolean): void {
    if (reader === null) {
      recognise(side, newest, final);
      read(side === 0 ? 1 : 0);
    }
    read(side);
  }

  function noteGap(side: ConnectionSide, size: number): void {
    if (gaps.gaps === 0) gaps.flow = flows[side];
    gaps.gaps++;
    gaps.bytes += size;
  }

  return {
    data(side, bytes, start, end, captureOffset, time) {
      const newest = windows[side].length;
      windows[side].borrow(bytes, start, end, captureOffset, time);
      recogniseOrRead(side, newest, false);
      windows[side].settle();
    },
    hole(side, size, captureOffset, _, isCut) {
      if (!options.isNested) {
        if (!isCut) noteGap(side, size);
        log.add(
          'stream/hole',
          'warning',
          `${countText(size)} bytes of ${flows[side]} were not captured; reading continues after them.`,
          captureOffset,
        );
      }
      const window = windows[side];
      if (reader === null) {
        if (window.length > 0) recogniseOrRead(side, 0, true);
        if (reader === null) {
          pass(side, window.length);
          window.gap(size);
          return;
        }
      }
      enter().hole(side, window, size);
      rest();
    },
    late(side, size, captureOffset) {
      if (late[side].bytes === 0) late[side].at = captureOffset;
      late[side].bytes += size;
    },
    end(side) {
      if (late[side].bytes > 0) {
        const what = `${countText(late[side].bytes)} bytes of ${flows[side]} were captured after bytes that follow them`;
        const text = `${what}, too late to be read. reordercap sorts a capture by time.`;
        log.add('stream/late', 'warning', text, late[side].at);
      }
      const window = windows[side];
      const other = side === 0 ? 1 : 0;
      const isUnknown = reader === null;
      if (window.length > 0 && reader === null) recogniseOrRead(side, 0, true);
      if (reader !== null) {
        // The other side was over before the transport was recognised.
        if (isUnknown && over[other]) {
          enter().end(other, windows[other]);
          rest();
        }
        enter().end(side, window);
        rest();
      }
      if (reader === null) pass(side, window.length);
      else if (window.length > 0) window.lose(lose(side, LEFT_OVER, window.captureOffset), window.length);
      over[side] = true;
      if (over[other] && reader !== null && gaps.gaps > 0) options.missing.add(gaps);
      const bytes = passed[0].bytes + passed[1].bytes;
      if (!over[other] || reader !== null || bytes === 0) return;
      const { name, isEncrypted } = protocol ?? UNKNOWN;
      const full = passed.filter((one) => one.bytes > 0);
      const start = Math.min(...full.map((one) => one.start));
      const end = Math.max(...full.map((one) => one.end));
      traffic.add({ name, unit: 'connection', bytes, isEncrypted, start, end, stream: printStream(facts) });
    },
  };
}

/** A decision about the bytes of a side: the ones before `at` are skipped. */
interface Place {
  readonly at: number;
  readonly transport: Transport | null;
  /** Whether `at` is neither the start of the side nor of a segment. */
  readonly floats: boolean;
}

interface Late {
  bytes: number;
  at: number;
}

interface Passed {
  bytes: number;
  /** captureOffsets */
  start: number;
  end: number;
}

const nonePassed = (): Passed => ({ bytes: 0, start: 0, end: 0 });

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
