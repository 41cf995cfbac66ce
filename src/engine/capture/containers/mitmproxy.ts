/**
 * A file of mitmproxy's flows (`mitmdump -w`) → its exchanges, WebSocket messages and TCP connections, one flow at a
 * time, each body with its place in the file. Bodies have the codings that they were sent with.
 *
 *   flow │ flow │ …       each a dictionary, written as a tnetstring (tnetstring.ts)
 *
 *   type `http`: request, response { headers, content, trailers, timestamp_start }, websocket { messages }
 *   type `tcp`, `udp`, `websocket` (before version 7 of mitmproxy): messages
 *
 * Names of keys by version: mitmproxy/io/compat.py. A flow that was changed has its earlier state in `backup`, which is
 * not read.
 */

import { latin1 } from '../../bytes/latin1.ts';
import type { CaptureFormat, CaptureReader, CaptureSink } from './capture-format.ts';
import type {
  Ends,
  Exchange,
  RecordedConnection,
  RecordedPlace,
  RecordedSide,
  RecordedSocket,
  SocketMessage,
} from './exchange.ts';
import { knownTime } from './known-time.ts';
import type { LayerTally } from './packets-layers.ts';
import type { CaptureLog } from './packets-log.ts';
import { createEntryReader } from './recorded-entries.ts';
import { type Item, isWhole, itemAt, itemHead, itemsOf, membersOf } from './tnetstring.ts';

export const mitmproxy: CaptureFormat = {
  id: 'mitmproxy',
  label: 'mitmproxy',
  open: (sink, layers, log) => createMitmproxyReader(sink, layers, log),
};

type FlowSink = Pick<CaptureSink, 'exchange' | 'socket' | 'connection' | 'other'>;

/** @param longest bytes of a flow */
export function createMitmproxyReader(
  sink: FlowSink,
  layers: LayerTally,
  log: CaptureLog,
  longest?: number,
): CaptureReader {
  return createEntryReader({
    id: mitmproxy.id,
    entry: 'a flow',
    sizeAt(bytes, start, end) {
      const head = itemHead(bytes, start, end);
      return typeof head === 'string' ? head : head.start - start + head.size + 1;
    },
    read(bytes, at) {
      const flow = parseFlow(bytes, at);
      if (flow === null) return false;
      layers.container += bytes.length - flow.contents;
      if (flow.unread !== null) {
        const name = /^[a-z0-9]{1,16}$/i.test(flow.unread) ? flow.unread.toUpperCase() : 'an unknown type';
        log.add('mitmproxy/unread', 'info', `A flow of ${name} is not read.`, at, at + bytes.length);
      }
      flow.give(sink);
      return true;
    },
    log,
    longest,
  });
}

interface Flow {
  /** Bytes of bodies and messages, which the receiver enters in the ledger. */
  readonly contents: number;
  /** Type of a flow that is not read; null: it is read. */
  readonly unread: string | null;
  readonly give: (sink: FlowSink) => void;
}

type Members = ReadonlyMap<string, Item>;

const NONE: Members = new Map();

/** Places of the values in a message, which is a list. */
interface MessageForm {
  readonly isClient: number;
  readonly content: number;
  readonly time: number;
  /** Opcode of a WebSocket; absent: TCP and UDP have none. */
  readonly opcode?: number;
}
const PLAIN: MessageForm = { isClient: 0, content: 1, time: 2 };
const SOCKET: MessageForm = { opcode: 0, isClient: 1, content: 2, time: 3 };
const MESSAGE_VALUES = 4;
const TEXT = 1;

/** A message of a flow. */
interface FlowMessage {
  readonly isClient: boolean;
  readonly isText: boolean;
  readonly content: Item;
  readonly time: number | null;
}

/** @param at captureOffset of the flow @returns null: it is not well-formed */
function parseFlow(bytes: Uint8Array, at: number): Flow | null {
  const whole = itemAt(bytes, 0, bytes.length);
  const flow = whole === null ? null : membersOf(bytes, whole);
  if (flow === null) return null;
  const reader = new FlowReader(bytes, at, flow);
  const type = reader.text(flow.get('type'));
  if (type === 'http') return reader.http();
  if (type === 'tcp' || type === 'udp') return reader.stream(type);
  if (type === 'websocket') return reader.socket();
  return { contents: 0, unread: type, give: () => undefined };
}

class FlowReader {
  readonly #bytes: Uint8Array;
  readonly #at: number;
  readonly #flow: Members;
  /** A part that is read is not well-formed. */
  #isBroken = false;

  constructor(bytes: Uint8Array, at: number, flow: Members) {
    this.#bytes = bytes;
    this.#at = at;
    this.#flow = flow;
  }

  http(): Flow | null {
    const request = this.#members(this.#flow.get('request'));
    const response = this.#members(this.#flow.get('response'));
    const socket = this.#members(this.#flow.get('websocket')).get('messages');
    const [method, path] = [this.text(request.get('method')), request.get('path')];
    const exchange: Exchange = {
      start: this.#at,
      end: this.#at + this.#bytes.length,
      transport: this.#transport(request),
      ends: this.#ends(),
      method,
      url: this.text(path),
      urlPlace: path === undefined ? null : this.#placeOf(path),
      status: this.text(response.get('status_code') ?? response.get('code')),
      request: this.#side(request),
      response: this.#side(response),
    };
    const messages = this.#socketOf(socket, exchange);
    const contents = sizeOf(exchange.request) + sizeOf(exchange.response) + this.#contentsOf(socket, SOCKET);
    if (this.#isBroken) return null;
    return {
      contents,
      unread: null,
      give(sink) {
        sink.exchange(exchange);
        if (socket !== undefined) sink.socket(messages);
      },
    };
  }

  /** A WebSocket in a flow of its own, as mitmproxy wrote it before version 7. */
  socket(): Flow | null {
    const list = this.#flow.get('messages');
    const contents = this.#contentsOf(list, SOCKET);
    const socket = this.#socketOf(list, null);
    return this.#isBroken ? null : { contents, unread: null, give: (sink) => sink.socket(socket) };
  }

  stream(type: 'tcp' | 'udp'): Flow | null {
    const list = this.#flow.get('messages');
    const contents = this.#contentsOf(list, PLAIN);
    const ends = this.#ends() ?? ['client', 'server'];
    if (this.#isBroken) return null;
    const give = (sink: FlowSink): void => {
      if (type === 'tcp') this.#giveConnection(list, sink.connection(ends));
      else for (const { content } of this.#messagesOf(list, PLAIN)) sink.other('UDP', ...this.#spanOf(content));
    };
    return { contents, unread: null, give };
  }

  #giveConnection(list: Item | undefined, connection: RecordedConnection): void {
    for (const { isClient, content, time } of this.#messagesOf(list, PLAIN)) {
      const { start, end } = content;
      connection.data(isClient ? 0 : 1, this.#bytes, start, end, this.#at + start, time);
    }
    connection.end(0);
    connection.end(1);
  }

  #socketOf(list: Item | undefined, opened: RecordedSocket['opened']): RecordedSocket {
    const messages = function* (this: FlowReader): Generator<SocketMessage> {
      for (const { isClient, isText, content, time } of this.#messagesOf(list, SOCKET))
        yield { isFromClient: isClient, isText, time, ...this.#placeOf(content), encoding: null };
    };
    return { opened, ends: this.#ends(), messages: { [Symbol.iterator]: () => messages.call(this) } };
  }

  *#messagesOf(list: Item | undefined, form: MessageForm): Generator<FlowMessage> {
    if (list?.type !== ']') return;
    for (const item of itemsOf(this.#bytes, list)) {
      const values: Item[] = [];
      for (const value of itemsOf(this.#bytes, item)) if (values.push(value) === MESSAGE_VALUES) break;
      const content = values[form.content];
      if (content?.type !== ',' && content?.type !== ';') continue;
      const opcode = form.opcode === undefined ? null : this.#number(values[form.opcode]);
      yield {
        isClient: this.text(values[form.isClient]) === 'true',
        isText: opcode === TEXT,
        content,
        time: this.#time(values[form.time]),
      };
    }
  }

  #contentsOf(list: Item | undefined, form: MessageForm): number {
    if (list?.type === ']' && !isWhole(this.#bytes, list)) this.#isBroken = true;
    let sum = 0;
    for (const { content } of this.#messagesOf(list, form)) sum += content.end - content.start;
    return sum;
  }

  #side(message: Members): RecordedSide {
    const content = message.get('content') ?? message.get('body');
    const headers = this.#headers(message.get('headers'));
    const body = content?.type === ',' ? { ...this.#placeOf(content), encoding: null } : null;
    const length = headers.get('content-length');
    const statedSize = message === NONE ? 0 : length === undefined ? null : Number(length);
    const trailers = this.#headers(message.get('trailers'));
    return { time: this.#time(message.get('timestamp_start')), headers, trailers, body, statedSize };
  }

  /** Lists of name and value. A repeated header has all its values, as in RFC 9110 §5.2. */
  #headers(list: Item | undefined): ReadonlyMap<string, string> {
    const headers = new Map<string, string>();
    if (list?.type !== ']') return headers;
    if (!isWhole(this.#bytes, list)) this.#isBroken = true;
    for (const field of itemsOf(this.#bytes, list)) {
      const [key, item] = itemsOf(this.#bytes, field);
      if (item === undefined) continue;
      const name = this.text(key).toLowerCase();
      const value = this.text(item);
      const before = headers.get(name);
      headers.set(name, before === undefined ? value : `${before}, ${value}`);
    }
    return headers;
  }

  /** `HTTP/2.0`; before version 0.14, a list of its two numbers. */
  #transport(request: Members): string {
    const version = this.text(request.get('http_version'));
    return version.startsWith('HTTP/2') ? 'http2' : version.startsWith('HTTP/3') ? 'http3' : 'http1';
  }

  /** Address of the client, and of the server as the proxy opened it. */
  #ends(): Ends | null {
    const client = this.#members(this.#flow.get('client_conn'));
    const server = this.#members(this.#flow.get('server_conn'));
    const ends = [this.#endOf(client.get('peername') ?? client.get('address')), this.#endOf(server.get('address'))];
    return ends[0] === null && ends[1] === null ? null : [ends[0] ?? 'client', ends[1] ?? 'server'];
  }

  /** `[host, port, …]`; before version 2, in a dictionary. */
  #endOf(address: Item | undefined): string | null {
    if (address?.type === '}') return this.#endOf(this.#members(address).get('address'));
    if (address?.type !== ']') return null;
    const [host, port] = itemsOf(this.#bytes, address);
    if (port === undefined) return null;
    const name = this.text(host);
    return `${name.includes(':') ? `[${name}]` : name}:${this.text(port)}`;
  }

  #members(item: Item | undefined): Members {
    if (item?.type !== '}') return NONE;
    const members = membersOf(this.#bytes, item);
    if (members === null) this.#isBroken = true;
    return members ?? NONE;
  }

  /** The data of a text, of bytes or of a number; empty: none of these. */
  text(item: Item | undefined): string {
    return item === undefined || '~]}'.includes(item.type) ? '' : latin1(this.#bytes, item.start, item.end);
  }

  #number(item: Item | undefined): number | null {
    const number = item !== undefined && '#^'.includes(item.type) ? Number(this.text(item)) : Number.NaN;
    return Number.isFinite(number) ? number : null;
  }

  /** Seconds → milliseconds. */
  #time(item: Item | undefined): number | null {
    const seconds = this.#number(item);
    return seconds === null ? null : knownTime(seconds * 1000);
  }

  #spanOf({ start, end }: Item): readonly [number, number] {
    return [this.#at + start, this.#at + end];
  }

  #placeOf({ start, end }: Item): RecordedPlace {
    return { captureOffset: this.#at + start, bytes: this.#bytes.subarray(start, end) };
  }
}

const sizeOf = ({ body }: RecordedSide): number => body?.bytes.length ?? 0;
