/**
 * HAR (http://www.softwareishard.com/blog/har-12-spec/) → its exchanges, one entry at a time, each body with its place
 * in the file.
 *
 *   { "log": { "entries": [ { "startedDateTime", "request": { "postData": { "text" } }, "response": { "content": { "text" } } } ] } }
 *   depth 1      2            3 4
 *
 * A body is the contents of a JSON string, as text or as base64. Content codings are already removed from responses.
 * Chrome and Playwright add the messages of a WebSocket connection to the entry that opened it:
 *
 *   "_webSocketMessages": [ { "type": "send" or "receive", "time", "opcode": 1 or 2, "data": text, or base64 if binary } ]
 */

import { ByteWindow } from '../../bytes/byte-window.ts';
import { countText } from '../../model/count-text.ts';
import { at, list, text } from '../json-members.ts';
import type { CaptureFormat, CaptureReader, CaptureSink } from './capture-format.ts';
import type { Exchange, RecordedPlace, RecordedSide, SocketMessage } from './exchange.ts';
import { knownTime } from './known-time.ts';
import type { LayerTally } from './packets-layers.ts';
import type { CaptureLog, LossRun } from './packets-log.ts';

/** An entry is parsed as a whole; a longer one is skipped. */
const LONGEST_ENTRY = 256 * 1024 * 1024;
/** Known keys are shorter. */
const LONGEST_KEY = 16;
const ENTRY_DEPTH = 4;

const SOCKET = '_webSocketMessages';
const IS_FROM_CLIENT: Readonly<Record<string, boolean>> = { send: true, receive: false };

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

export const har: CaptureFormat = {
  id: 'har',
  label: 'HAR',
  open: createHarReader,
};

/** @param longestEntry in bytes */
export function createHarReader(
  sink: Pick<CaptureSink, 'exchange' | 'socket'>,
  layers: LayerTally,
  log: CaptureLog,
  longestEntry = LONGEST_ENTRY,
): CaptureReader {
  const window = new ByteWindow();
  let consumed = 0;
  /** Number of bytes of the window that were already scanned. */
  let walked = 0;
  let depth = 0;
  /** The current key in each of the two outermost objects. */
  const keys = ['', ''];
  let atKey = false;
  let inString = false;
  let isEscaped = false;
  let isInEntries = false;
  let hasEntries = false;
  let isInEntry = false;
  /** The loss of the current entry, which is too long; null: the entry is kept. */
  let passing: LossRun | null = null;
  /** Number of bytes before the entries. They count as container if entries follow. */
  let before = 0;

  const take = (count: number): void => {
    window.consume(count);
    consumed += count;
    walked -= count;
  };

  function enterAround(count: number): void {
    if (hasEntries) layers.container += count;
    else before += count;
    take(count);
  }

  function passOver(count: number): void {
    const reason = `An entry is not read: at most ${countText(longestEntry)} bytes of one are held.`;
    passing ??= lose('har/too-large', 'error', reason);
    passing.add(consumed, consumed + count);
    take(count);
  }

  const lose = (code: string, severity: 'error' | 'warning', reason: string): LossRun =>
    log.lose({ code, severity, layer: 'unattributed', stream: null, reason }, consumed);

  function readEntry(): void {
    const size = walked;
    const bytes = window.bytes.subarray(window.start, window.start + size);
    const entry = parseEntry(bytes, consumed);
    if (entry === null) {
      const reason = 'This entry is not valid JSON; reading continues after it.';
      lose('har/malformed', 'error', reason).add(consumed, consumed + size);
    } else {
      const { exchange, messages } = entry;
      const bodies = [exchange.request.body, exchange.response.body, ...messages];
      layers.container += bodies.reduce((left, body) => left - (body?.bytes.length ?? 0), size);
      sink.exchange(exchange);
      if (messages.length > 0) sink.socket({ opened: exchange, ends: null, messages });
    }
    take(size);
  }

  function endEntry(): void {
    isInEntry = false;
    if (passing === null && walked <= longestEntry) {
      readEntry();
      return;
    }
    passOver(walked);
    passing = null;
  }

  function open(byte: number): void {
    depth++;
    atKey = byte === OPEN_OBJECT;
    if (depth === ENTRY_DEPTH - 1) {
      isInEntries = byte === OPEN_LIST && keys[0] === 'log' && keys[1] === 'entries';
      if (!isInEntries || hasEntries) return;
      hasEntries = true;
      layers.container += before;
    } else if (depth === ENTRY_DEPTH && isInEntries && byte === OPEN_OBJECT) {
      enterAround(walked);
      isInEntry = true;
    }
  }

  /** Scans to the end of the string, or to the end of the available bytes. */
  function walkString(): void {
    const { bytes, end } = window;
    const start = window.start + walked;
    let at = start;
    if (isEscaped) at++;
    isEscaped = false;
    while (at < end && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
    isEscaped = at > end;
    const stop = Math.min(at, end);
    if (atKey && depth <= keys.length && keys[depth - 1]!.length < LONGEST_KEY) {
      keys[depth - 1] += String.fromCharCode(...bytes.subarray(start, Math.min(stop, start + LONGEST_KEY)));
    }
    walked = stop - window.start;
    if (at >= end) return;
    walked++;
    inString = false;
    atKey = false;
  }

  function walk(): void {
    while (walked < window.length) {
      if (inString) {
        walkString();
        continue;
      }
      const byte = window.bytes[window.start + walked]!;
      if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
        open(byte);
        walked++;
        continue;
      }
      walked++;
      if (byte === QUOTE) {
        inString = true;
        if (atKey && depth <= keys.length && depth > 0) keys[depth - 1] = '';
      } else if (byte === COMMA) {
        // Deeper keys are not read.
        atKey = depth > 0 && depth <= keys.length;
      } else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
        depth = Math.max(0, depth - 1);
        atKey = false;
        if (depth === ENTRY_DEPTH - 1 && isInEntry) endEntry();
        else if (depth < ENTRY_DEPTH - 1) isInEntries = false;
      }
    }
    if (!isInEntry) enterAround(walked);
    else if (passing !== null || window.length > longestEntry) passOver(walked);
  }

  return {
    push(chunk) {
      window.borrow(chunk);
      walk();
      window.settle();
    },
    end() {
      const size = consumed + window.length;
      if (!hasEntries) {
        const reason = 'This file begins like a HAR, but it has no entries.';
        lose('har/malformed', 'error', reason).add(0, size, before + window.length);
      } else if (depth > 0 || window.length > 0) {
        const where = isInEntry ? 'within an entry' : 'before its JSON does';
        lose('capture/ends-early', 'warning', `The file ends ${where}.`).add(consumed, size);
      }
      take(window.length);
    },
  };
}

interface Entry {
  readonly exchange: Exchange;
  /** Messages of the WebSocket connection that it opened. */
  readonly messages: readonly SocketMessage[];
}

/** @returns null: not valid JSON */
function parseEntry(bytes: Uint8Array, captureOffset: number): Entry | null {
  let entry: unknown;
  try {
    entry = JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return null;
  }
  const request = at(entry, 'request');
  const response = at(entry, 'response');
  const spans = bodySpans(bytes);
  const time = knownTime(Date.parse(text(at(entry, 'startedDateTime'))));
  const placeOf = ({ start, end }: Span) => ({
    captureOffset: captureOffset + start,
    bytes: bytes.subarray(start, end),
  });
  const readSide = (side: unknown, name: 'request' | 'response'): RecordedSide => {
    const isRequest = name === 'request';
    const body = at(side, isRequest ? 'postData' : 'content');
    const headers = readHeaders(side, body);
    const span = spans.get(name);
    // As traces by curl are written.
    const isCut = at(body, '_isCut') === true;
    const encoding = [at(body, 'encoding'), at(body, '_encoding')].includes('base64') ? 'base64' : 'json-string';
    const stated = isRequest ? [headers.get('content-length'), at(side, 'bodySize')] : [sizeOf(side, body)];
    const statedSize = stated.map((size) => Number.parseInt(String(size), 10)).find((size) => size >= 0) ?? null;
    return { time, headers, body: span === undefined ? null : { ...placeOf(span), encoding, isCut }, statedSize };
  };
  const url = spans.get('url');
  const exchange: Exchange = {
    start: captureOffset,
    end: captureOffset + bytes.length,
    transport: 'har',
    ends: null,
    method: text(at(request, 'method')),
    url: text(at(request, 'url')),
    status: String(at(response, 'status') ?? ''),
    urlPlace: url === undefined ? null : placeOf(url),
    request: readSide(request, 'request'),
    response: readSide(response, 'response'),
  };
  return { exchange, messages: readSocket(at(entry, SOCKET), spans, placeOf) };
}

/** The decoded size of a response. mitmproxy states the size that was sent, with what decoding adds as `compression`. */
function sizeOf(response: unknown, content: unknown): unknown {
  const [size, saved] = [at(content, 'size'), at(content, 'compression')];
  const isSentSize = typeof size === 'number' && typeof saved === 'number' && size === at(response, 'bodySize');
  return isSentSize ? size + saved : size;
}

/** Times from here on are milliseconds, as Playwright writes them; Chrome writes seconds. */
const FIRST_MILLISECONDS = 1e11;
const [TEXT, BINARY] = [1, 2];

function readSocket(
  socket: unknown,
  spans: ReadonlyMap<string, Span>,
  placeOf: (span: Span) => RecordedPlace,
): readonly SocketMessage[] {
  const messages: SocketMessage[] = [];
  for (const [index, message] of list(socket).entries()) {
    const span = spans.get(`${SOCKET}.${index}.data`);
    const isFromClient = IS_FROM_CLIENT[text(at(message, 'type'))];
    const opcode = at(message, 'opcode');
    const time = at(message, 'time');
    if (span === undefined || isFromClient === undefined || (opcode !== TEXT && opcode !== BINARY)) continue;
    const isText = opcode === TEXT;
    messages.push({
      isFromClient,
      time: typeof time === 'number' && time > 0 ? knownTime(time < FIRST_MILLISECONDS ? time * 1000 : time) : null,
      isText,
      ...placeOf(span),
      encoding: isText ? 'json-string' : 'base64',
    });
  }
  return messages;
}

function readHeaders(side: unknown, body: unknown): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  for (const header of list(at(side, 'headers'))) {
    headers.set(text(at(header, 'name')).toLowerCase(), text(at(header, 'value')));
  }
  const mimeType = text(at(body, 'mimeType'));
  if (!headers.has('content-type') && mimeType !== '') headers.set('content-type', mimeType);
  return headers;
}

/** Offsets of a string's contents in the entry. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * Scans a valid entry once and notes the spans of the address, of the bodies, and of WebSocket messages. The last of
 * duplicate keys counts, as in JSON.parse.
 */
function bodySpans(bytes: Uint8Array): ReadonlyMap<string, Span> {
  const spans = new Map<string, Span>();
  /** Keys of the open objects and indices of the open arrays. */
  const path: (string | number)[] = [];
  let atKey = false;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]!;
    if (byte === OPEN_OBJECT) {
      path.push('');
      atKey = true;
    } else if (byte === OPEN_LIST) {
      path.push(0);
      atKey = false;
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
      path.pop();
      atKey = false;
    } else if (byte === COMMA) {
      const last = path.at(-1);
      atKey = typeof last === 'string';
      if (typeof last === 'number') path[path.length - 1] = last + 1;
    } else if (byte === QUOTE) {
      const start = i + 1;
      i++;
      while (i < bytes.length && bytes[i] !== QUOTE) i += bytes[i] === BACKSLASH ? 2 : 1;
      if (atKey) {
        path[path.length - 1] = new TextDecoder().decode(bytes.subarray(start, i));
        atKey = false;
      } else if (path.length <= 3) {
        const where = path.join('.');
        if (where === 'request.url') spans.set('url', { start, end: i });
        else if (where === 'request.postData.text') spans.set('request', { start, end: i });
        else if (where === 'response.content.text') spans.set('response', { start, end: i });
        else if (path[0] === SOCKET && path[2] === 'data') spans.set(where, { start, end: i });
      }
    }
  }
  return spans;
}
