/**
 * Traces of Envoy's tap (https://www.envoyproxy.io/docs/envoy/latest/operations/traffic_tapping) → their exchanges and
 * connections, each body with its place in the file.
 *
 *   PROTO_BINARY                    TraceWrapper
 *   PROTO_BINARY_LENGTH_DELIMITED   size as a varint │ TraceWrapper │ size │ TraceWrapper │ …
 *
 *   TraceWrapper { 1 http_buffered_trace, 2 http_streamed_trace_segment, 3 socket_buffered_trace,
 *     4 socket_streamed_trace_segment }, one of them
 *
 * The fields: envoy/data/tap/v3/{wrapper,http,transport,common}.proto. A trace without a size ends where the record of the
 * next one begins, so that files with one trace can be joined. Traces in JSON become such a file (`text/envoy-json.ts`).
 */
import { joinBytes } from '../../bytes/join.ts';
import { latin1 } from '../../bytes/latin1.ts';
import { varintEnd, varintNumber } from '../../bytes/varint.ts';
import type { CaptureFormat, CaptureReader, CaptureSink } from './capture-format.ts';
import type { Ends, RecordedBody, RecordedConnection, RecordedSide } from './exchange.ts';
import { knownTime } from './known-time.ts';
import { type Keyed, OpenByKey } from './open-by-key.ts';
import type { LayerTally } from './packets-layers.ts';
import type { CaptureLog } from './packets-log.ts';
import { ProtoFields, type ProtoRecord } from './proto-records.ts';
import { createEntryReader } from './recorded-entries.ts';
import { CAPTURE_HEAD, isEnvoyTap, isEnvoyTrace } from './sniff-capture.ts';

export const envoyTap: CaptureFormat = {
  id: 'envoy-tap',
  label: 'Envoy tap',
  open: (sink, layers, log) => createEnvoyTapReader(sink, layers, log),
};

const LENGTH_DELIMITED = 2;
/** Bytes of bodies in segments that wait for the rest of their trace. */
const LONGEST_HELD = 64 * 1024 * 1024;
/** Open traces and connections. */
const MAX_OPEN = 4096;

/** Bytes of a body, in order. */
interface Chunk {
  readonly start: number;
  readonly bytes: Uint8Array;
}

/** One side of an exchange, as its segments come. */
interface Side {
  headers: ReadonlyMap<string, string>;
  trailers: ReadonlyMap<string, string>;
  time: number | null;
  readonly chunks: Chunk[];
  isCut: boolean;
}

interface Trace extends Keyed<Trace> {
  readonly sides: readonly [Side, Side];
  readonly start: number;
  end: number;
  ends: Ends | null;
}

interface Socket extends Keyed<Socket> {
  local: string;
  remote: string;
  /** null: no bytes yet. */
  connection: RecordedConnection | null;
  /** Whether Envoy opened it: who sends first is the client. */
  isByEnvoy: boolean;
  /** By who sent them: Envoy, the other end. */
  readonly isCut: [boolean, boolean];
}

type TapSink = Pick<CaptureSink, 'exchange' | 'connection'>;

export function createEnvoyTapReader(sink: TapSink, layers: LayerTally, log: CaptureLog): CaptureReader {
  const traces = new OpenByKey<Trace>();
  const sockets = new OpenByKey<Socket>();
  let hasSizes: boolean | null = null;
  let held = 0;

  function sizeAt(bytes: Uint8Array, start: number, end: number): number | 'more' | 'no' {
    if (hasSizes === null) {
      const head = bytes.subarray(start, end);
      if (!isEnvoyTap(head)) return head.length < CAPTURE_HEAD ? 'more' : 'no';
      hasSizes = !isEnvoyTrace(head, 0);
    }
    const tag = hasSizes ? start : varintEnd(bytes, start, end);
    const body = tag < 0 ? tag : varintEnd(bytes, tag, end);
    if (body < 0) return end - start < 10 ? 'more' : 'no';
    if (!hasSizes && bytes[start]! % 8 !== LENGTH_DELIMITED) return 'no';
    return body - start + varintNumber(bytes, tag, body);
  }

  function read(bytes: Uint8Array, at: number): boolean {
    const body = hasSizes ? varintEnd(bytes, 0, bytes.length) : 0;
    const reader = new TraceReader(bytes, at);
    const wrapper = reader.fields({ start: body, end: bytes.length });
    const [http, segment, socket, event] = [1, 2, 3, 4].map((field) => wrapper.message(field));
    if (![wrapper, http, segment, socket, event].every((one) => one!.isWhole)) return false;
    if (wrapper.one(1) !== undefined) giveBuffered(reader, http!);
    if (wrapper.one(2) !== undefined) giveSegment(reader, segment!);
    if (wrapper.one(3) !== undefined) giveSocket(reader, socket!);
    if (wrapper.one(4) !== undefined) giveEvent(reader, event!);
    layers.container += bytes.length - reader.given;
    if (reader.mayBeReplaced) log.add('envoy-tap/as-string', 'warning', AS_STRING, at, at + bytes.length);
    if (reader.isBroken) log.add('envoy-tap/malformed', 'warning', BROKEN, at, at + bytes.length);
    return true;
  }

  function giveBuffered(reader: TraceReader, http: ProtoFields): void {
    const sides = [1, 2].map((field) => {
      const message = http.message(field);
      const side = newSide();
      side.headers = reader.headers(message.all(1));
      side.trailers = reader.headers(message.all(3));
      side.time = timeOf(message.message(4));
      reader.addBody(side, message.one(2));
      return side;
    });
    const { at, end } = reader;
    giveTrace({ ...newTrace('', [sides[0]!, sides[1]!], at), end, ends: reader.downstream(http.message(3)) });
  }

  function giveSegment(reader: TraceReader, segment: ProtoFields): void {
    const id = String(segment.whole(1));
    const [asked, answered] = [segment.one(2), segment.one(5)];
    const before = traces.use(id);
    if (asked !== undefined && before !== undefined) closeTrace(before);
    const isKnown = asked === undefined && before !== undefined;
    const trace = isKnown ? before : traces.add(newTrace(id, [newSide(), newSide()], reader.at));
    trace.end = reader.end;
    const [request, response] = trace.sides;
    if (asked !== undefined) request.headers = reader.headers(segment.message(2).all(1));
    if (answered !== undefined) response.headers = reader.headers(segment.message(5).all(1));
    for (const [side, chunk] of [
      [request, segment.one(3)],
      [response, segment.one(6)],
    ] as const) {
      // Bytes behind those that are missing have no place.
      const hasBeginning = side.headers.size > 0;
      if (side.isCut || !hasBeginning) reader.loseBody(log, chunk, hasBeginning ? NOT_RECORDED : NO_BEGINNING);
      else held += reader.addBody(side, chunk, true);
    }
    if (segment.one(4) !== undefined) request.trailers = reader.headers(segment.message(4).all(1));
    if (segment.one(7) !== undefined) {
      response.trailers = reader.headers(segment.message(7).all(1));
      closeTrace(trace);
    }
    // Only trailers show that a trace has ended. Many have none, so those that were idle for long are taken as whole.
    if (traces.size > MAX_OPEN) closeTrace(traces.idlest!);
    while (held > LONGEST_HELD) {
      const idlest = traces.idlest!;
      for (const side of idlest.sides) side.isCut ||= side.chunks.length > 0 && !hasStatedSize(side);
      closeTrace(idlest);
    }
  }

  function closeTrace(trace: Trace): void {
    traces.remove(trace);
    for (const side of trace.sides) held -= sizeOf(side);
    giveTrace(trace);
  }

  function giveTrace({ sides, start, end, ends }: Trace): void {
    const [request, response] = sides;
    sink.exchange({
      start,
      end,
      transport: envoyTap.id,
      ends,
      method: request.headers.get(':method') ?? '',
      url: request.headers.get(':path') ?? '',
      urlPlace: null,
      status: response.headers.get(':status') ?? '',
      request: recordedSide(request),
      response: recordedSide(response),
    });
  }

  function giveSocket(reader: TraceReader, trace: ProtoFields): void {
    const socket = newSocket('');
    reader.meet(socket, trace.message(2));
    for (const event of trace.all(3)) give(reader, socket, event);
    endSocket(socket);
  }

  function giveEvent(reader: TraceReader, segment: ProtoFields): void {
    const id = String(segment.whole(1));
    const socket = sockets.use(id) ?? sockets.add(newSocket(id));
    reader.meet(socket, segment.message(2));
    let isClosed = false;
    for (const event of [...segment.all(3), ...segment.message(4).all(1)]) {
      give(reader, socket, event);
      reader.meet(socket, reader.fields(event).message(5));
      isClosed ||= reader.fields(event).one(4) !== undefined;
    }
    // Events of a segment may be in any order.
    if (isClosed) closeSocket(socket);
    if (sockets.size > MAX_OPEN) closeSocket(sockets.idlest!);
  }

  function give(reader: TraceReader, socket: Socket, event: ProtoRecord): void {
    const fields = reader.fields(event);
    const [got, sent] = [fields.message(2), fields.message(3)];
    for (const [from, data] of [
      [1, got.one(1)],
      [0, sent.one(1)],
    ] as const) {
      const body = reader.bodyOf(data);
      if (body === null) continue;
      if (socket.isCut[from]) reader.loseBody(log, data, NOT_RECORDED);
      else if (body.bytes.length > 0) {
        const { bytes, start } = body;
        if (socket.connection === null) {
          socket.isByEnvoy = from === 0;
          const { local, remote } = socket;
          socket.connection = sink.connection(socket.isByEnvoy ? [local, remote] : [remote, local]);
        }
        reader.given += bytes.length;
        const side = (from === 0) === socket.isByEnvoy ? 0 : 1;
        socket.connection.data(side, bytes, 0, bytes.length, start, timeOf(fields.message(1)));
      }
      if (body.isCut && !socket.isCut[from]) {
        socket.isCut[from] = true;
        const [source, target] = from === 0 ? [socket.local, socket.remote] : [socket.remote, socket.local];
        const text = `Bytes of ${source} → ${target} were recorded in part; what follows is not read. ${RAISE}`;
        log.add('envoy-tap/cut', 'warning', text, reader.at, reader.end);
      }
    }
  }

  function endSocket({ connection }: Socket): void {
    connection?.end(0);
    connection?.end(1);
  }

  function closeSocket(socket: Socket): void {
    sockets.remove(socket);
    endSocket(socket);
  }

  const onEnd = (): void => {
    for (const trace of traces.all) closeTrace(trace);
    for (const socket of sockets.all) closeSocket(socket);
  };
  return createEntryReader({ id: envoyTap.id, entry: 'a trace', sizeAt, read, log, onEnd });
}

const AS_STRING =
  'A body of this trace was recorded as a string, in which Envoy writes a space for each byte that is not UTF-8: what is read may differ from what was sent. JSON_BODY_AS_BYTES keeps all bytes.';
const BROKEN = 'A part of this trace is not well-formed and is not read, the rest of it is.';
const RAISE = 'max_buffered_rx_bytes and max_buffered_tx_bytes of the tap say how much is recorded.';
const NOT_RECORDED = 'Bytes before these were not recorded.';
const NO_BEGINNING = 'The headers before these bytes were not recorded, or are no longer held.';

const newTrace = (key: string, sides: Trace['sides'], at: number): Trace => ({
  ...{ key, before: null, after: null },
  ...{ sides, start: at, end: at, ends: null },
});

const newSide = (): Side => ({
  headers: new Map(),
  trailers: new Map(),
  time: null,
  chunks: [],
  isCut: false,
});

const sizeOf = ({ chunks }: Side): number => chunks.reduce((sum, { bytes }) => sum + bytes.length, 0);
const hasStatedSize = (side: Side): boolean => side.headers.get('content-length') === String(sizeOf(side));

const newSocket = (key: string): Socket => ({
  ...{ key, before: null, after: null },
  local: 'envoy',
  remote: 'peer',
  connection: null,
  isByEnvoy: false,
  isCut: [false, false],
});

function recordedSide({ headers, trailers, time, chunks, isCut }: Side): RecordedSide {
  const [first] = chunks;
  // A body of which nothing was recorded has a size that is not known.
  if (first === undefined) return { time, headers, trailers, body: null, statedSize: isCut ? null : 0 };
  const body: RecordedBody = {
    captureOffset: first.start,
    bytes: chunks.length === 1 ? first.bytes : joinBytes(chunks.map(({ bytes }) => bytes)),
    pieces: chunks.map(({ start, bytes }) => ({ start, end: start + bytes.length })),
    encoding: null,
    isCut,
  };
  return { time, headers, trailers, body, statedSize: null };
}

const timeOf = (timestamp: ProtoFields): number | null => {
  const [seconds, nanoseconds] = [timestamp.number(1), timestamp.number(2)];
  return seconds === 0 ? null : knownTime(seconds * 1000 + nanoseconds / 1e6);
};

/** Reads one trace or segment. */
class TraceReader {
  readonly #bytes: Uint8Array;
  readonly at: number;
  /** Bytes that are not of the container. */
  given = 0;
  /** Whether a body that is not text was recorded as a string, with spaces. */
  mayBeReplaced = false;
  /** Whether a message in it is not well-formed. */
  isBroken = false;

  /** @param at its captureOffset */
  constructor(bytes: Uint8Array, at: number) {
    this.#bytes = bytes;
    this.at = at;
  }

  get end(): number {
    return this.at + this.#bytes.length;
  }

  fields(record: Pick<ProtoRecord, 'start' | 'end'> | undefined): ProtoFields {
    return new ProtoFields(this.#bytes, record, () => {
      this.isBroken = true;
    });
  }

  /** Names and values. A repeated header has all its values, as in RFC 9110 §5.2. */
  headers(list: readonly ProtoRecord[]): ReadonlyMap<string, string> {
    const headers = new Map<string, string>();
    for (const record of list) {
      const field = this.fields(record);
      const name = field.text(1).toLowerCase();
      const value = field.text(2) || field.text(3);
      const before = headers.get(name);
      headers.set(name, before === undefined ? value : `${before}, ${value}`);
    }
    return headers;
  }

  /** @param record a Body { 1 as_bytes, 2 as_string, 3 truncated } @returns null: no body was recorded */
  bodyOf(record: ProtoRecord | undefined): (Chunk & { readonly isCut: boolean }) | null {
    if (record === undefined) return null;
    const body = this.fields(record);
    const text = body.one(2);
    const { start, end } = body.one(1) ?? text ?? { start: record.end, end: record.end };
    const string = text === undefined ? '' : latin1(this.#bytes, start, end);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they show that it is not text
    if (string.includes(' ') && /[\0-\x08\x0e-\x1f]/.test(string)) this.mayBeReplaced = true;
    return {
      start: this.at + start,
      bytes: this.#bytes.subarray(start, end),
      isCut: body.number(3) === 1 || !body.isWhole,
    };
  }

  /** @param isKept whether it waits for further ones @returns its bytes */
  addBody(side: Side, record: ProtoRecord | undefined, isKept = false): number {
    const body = this.bodyOf(record);
    if (body === null) return 0;
    const { start, bytes, isCut } = body;
    side.isCut = isCut;
    if (bytes.length === 0) return 0;
    side.chunks.push({ start, bytes: isKept ? bytes.slice() : bytes });
    this.given += bytes.length;
    return bytes.length;
  }

  loseBody(log: CaptureLog, record: ProtoRecord | undefined, reason: string): void {
    const body = this.bodyOf(record);
    if (body === null || body.bytes.length === 0) return;
    const { start, bytes } = body;
    this.given += bytes.length;
    log
      .lose({ code: 'envoy-tap/cut', severity: 'warning', layer: 'incomplete', stream: null, reason }, start)
      .add(start, start + bytes.length);
  }

  /** @param connection { 1 local_address, 2 remote_address } of Envoy */
  meet(socket: Socket, connection: ProtoFields): void {
    socket.local = addressOf(connection.message(1)) ?? socket.local;
    socket.remote = addressOf(connection.message(2)) ?? socket.remote;
  }

  downstream(connection: ProtoFields): Ends | null {
    const [server, client] = [addressOf(connection.message(1)), addressOf(connection.message(2))];
    return server === null && client === null ? null : [client ?? 'client', server ?? 'envoy'];
  }
}

/** @param address { 1 socket_address { 2 address, 3 port_value }, 2 pipe { 1 path } } @returns null: not recorded */
function addressOf(address: ProtoFields): string | null {
  const [socket, pipe] = [address.message(1), address.message(2).text(1)];
  const host = socket.text(2);
  if (host !== '') return `${host.includes(':') ? `[${host}]` : host}:${socket.number(3)}`;
  return pipe === '' ? null : `unix:${pipe}`;
}
