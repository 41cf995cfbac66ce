/**
 * Traces that Envoy's tap wrote as JSON (JSON_BODY_AS_BYTES, JSON_BODY_AS_STRING), one after another → the same traces as
 * protobuf, which are read like any other (`containers/envoy-tap.ts`). Only the fields that are read there are kept.
 */
import { joinBytes } from '../../bytes/join.ts';
import { setVarint } from '../../bytes/varint.ts';
import { decodeBase64 } from '../../compression/text-bodies.ts';

/** A field's number, and the kind of its value; an object: the fields of a message. */
type Kind = 'text' | 'base64' | 'number' | 'time' | Fields;
type Fields = { readonly [name: string]: readonly [number: number, kind: Kind] };

const BODY: Fields = { as_bytes: [1, 'base64'], as_string: [2, 'text'], truncated: [3, 'number'] };
const HEADER: Fields = { key: [1, 'text'], value: [2, 'text'], raw_value: [3, 'base64'] };
const HEADERS: Fields = { headers: [1, HEADER] };
const ADDRESS: Fields = {
  socket_address: [1, { address: [2, 'text'], port_value: [3, 'number'] }],
  pipe: [2, { path: [1, 'text'] }],
};
const CONNECTION: Fields = { local_address: [1, ADDRESS], remote_address: [2, ADDRESS] };
const MESSAGE: Fields = {
  ...HEADERS,
  body: [2, BODY],
  trailers: [3, HEADER],
  headers_received_time: [4, 'time'],
};
const EVENT: Fields = {
  timestamp: [1, 'time'],
  read: [2, { data: [1, BODY] }],
  write: [3, { data: [1, BODY] }],
  closed: [4, {}],
  connection: [5, CONNECTION],
};
const TRACE: Fields = {
  http_buffered_trace: [1, { request: [1, MESSAGE], response: [2, MESSAGE], downstream_connection: [3, CONNECTION] }],
  http_streamed_trace_segment: [
    2,
    {
      trace_id: [1, 'number'],
      request_headers: [2, HEADERS],
      request_body_chunk: [3, BODY],
      request_trailers: [4, HEADERS],
      response_headers: [5, HEADERS],
      response_body_chunk: [6, BODY],
      response_trailers: [7, HEADERS],
    },
  ],
  socket_buffered_trace: [3, { trace_id: [1, 'number'], connection: [2, CONNECTION], events: [3, EVENT] }],
  socket_streamed_trace_segment: [
    4,
    { trace_id: [1, 'number'], connection: [2, CONNECTION], event: [3, EVENT], events: [4, { events: [1, EVENT] }] },
  ],
};

/** Bytes in place of a trace's fields, of which they are none: the reader of traces reports them. */
export const brokenTrace = (bytes: Uint8Array): Uint8Array => record(1, bytes);

export function envoyTracesOfJson(json: Uint8Array): Uint8Array {
  return joinBytes(
    objectsIn(json).map((object) => {
      try {
        return fieldsOf(JSON.parse(new TextDecoder().decode(object)), TRACE);
      } catch {
        return brokenTrace(object);
      }
    }),
  );
}

const [QUOTE, BACKSLASH, OPEN, CLOSE] = [0x22, 0x5c, 0x7b, 0x7d];

/** The outermost objects of texts in JSON, and what is left behind the last one. */
function objectsIn(json: Uint8Array): readonly Uint8Array[] {
  const objects: Uint8Array[] = [];
  let start = json.indexOf(OPEN);
  let depth = 0;
  for (let at = Math.max(start, 0); at < json.length; at++) {
    const byte = json[at];
    if (byte === QUOTE) {
      at++;
      while (at < json.length && json[at] !== QUOTE) at += json[at] === BACKSLASH ? 2 : 1;
    } else if (byte === OPEN) depth++;
    else if (byte === CLOSE && --depth === 0) {
      objects.push(json.subarray(start, at + 1));
      start = json.indexOf(OPEN, at + 1);
      if (start < 0) return objects;
      at = start - 1;
    }
  }
  return start < 0 ? objects : [...objects, json.subarray(start)];
}

function fieldsOf(value: unknown, fields: Fields): Uint8Array {
  if (typeof value !== 'object' || value === null) return new Uint8Array();
  return joinBytes(
    Object.entries(value).flatMap(([name, one]) => {
      const known = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
      const field = Object.hasOwn(fields, known) ? fields[known] : undefined;
      if (field === undefined || one === null) return [];
      return (Array.isArray(one) ? one : [one]).map((item: unknown) => fieldOf(item, ...field));
    }),
  );
}

function fieldOf(value: unknown, number: number, kind: Kind): Uint8Array {
  if (typeof kind === 'object') return record(number, fieldsOf(value, kind));
  // A trace's id has 64 bits.
  if (kind === 'number') return integer(number, BigInt(value as string));
  if (kind === 'time') {
    const [, seconds = '', fraction = ''] = /^(.*?)(?:\.(\d{1,9}))?Z$/.exec(String(value)) ?? [];
    const time = Date.parse(`${seconds}Z`) / 1000;
    const parts =
      Number.isFinite(time) && time > 0
        ? [integer(1, BigInt(Math.floor(time))), integer(2, BigInt(fraction.padEnd(9, '0')))]
        : [];
    return record(number, joinBytes(parts));
  }
  const text = new TextEncoder().encode(String(value));
  const plain = kind === 'base64' ? decodeBase64(text, text.length) : null;
  return record(number, plain?.ok ? plain.bytes : text);
}

/** A record with a length. */
function record(number: number, contents: Uint8Array): Uint8Array {
  return joinBytes([Uint8Array.of(number * 8 + 2), varint(BigInt(contents.length)), contents]);
}

const integer = (number: number, value: bigint): Uint8Array => joinBytes([Uint8Array.of(number * 8), varint(value)]);

function varint(value: bigint): Uint8Array {
  const bytes = new Uint8Array(10);
  const [low, high] = [Number(BigInt.asIntN(32, value)), Number(BigInt.asIntN(32, value >> 32n))];
  return bytes.subarray(0, setVarint(bytes, 0, low, high));
}
