/**
 * JSON texts, each of them a message: a single text, several in sequence (NDJSON), or the objects of one list. White
 * space between them and the list's brackets and commas are framing. An incomplete text at the end is a message too.
 */
import type { Judgement } from '../../capture/text/text-encoding.ts';
import type { MessageSink } from '../message.ts';
import type { Framer, Framing } from './framing.ts';
import { otherContent } from './other-content.ts';

export const json: Framing = { id: 'json', label: 'JSON, one text or several', sniff, create };

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** May follow a byte order mark. */
const OBJECTS = /^(?:\xef\xbb\xbf)?\s*(?:\[\s*)?\{/;

function sniff(head: Uint8Array, size: number): Judgement {
  const content = otherContent(head, size);
  const isJson = content?.kind === 'json' && OBJECTS.test(String.fromCharCode(...head.subarray(0, 256)));
  return isJson ? { score: 1, reason: `it is ${content.what}` } : { score: 0, reason: 'no JSON objects' };
}

const isBlank = (byte: number): boolean =>
  byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09 || byte === 0xef || byte === 0xbb || byte === 0xbf;

function create(size: number): Framer {
  let messages = 0;
  let payload = 0;
  let read = 0;
  /**
   * Captured bytes of the incomplete text before the chunk; and the offset where it begins, −1: no text is incomplete.
   */
  let held: Uint8Array[] = [];
  let start = -1;
  let depth = 0;
  let isInText = false;
  let isEscaped = false;
  /** The bracket of a possible list of messages, until the next bytes decide; −1: there is no such bracket. */
  let bracket = -1;
  let isList = false;

  const emit = (part: Uint8Array, end: number, sink: MessageSink): void => {
    const bytes = end - start;
    let text = part;
    if (held.length > 0) {
      text = new Uint8Array(bytes);
      let at = 0;
      for (const one of [...held, part]) {
        text.set(one, at);
        at += one.length;
      }
    }
    const ordinal = messages++;
    payload += bytes;
    const body = { pieces: [{ start, end }], compression: null };
    const unknown = { time: null, flow: null, direction: null, method: null, status: null, typeHint: null };
    sink({ ordinal, body, bytes, capturedBytes: bytes, transport: json.id, format: 'json', ...unknown }, text);
    held = [];
    start = -1;
    depth = 0;
    isInText = false;
  };

  return {
    push(chunk, atEnd, sink) {
      let from = 0;
      for (let at = 0; at < chunk.length; at++) {
        const byte = chunk[at]!;
        if (isInText) {
          if (isEscaped) isEscaped = false;
          else if (byte === BACKSLASH) isEscaped = true;
          else if (byte === QUOTE) isInText = false;
          continue;
        }
        if (start < 0) {
          if (isBlank(byte)) continue;
          if (bracket >= 0) {
            isList = byte === OPEN_OBJECT;
            if (!isList) {
              // The bracket begins a value of its own.
              start = bracket;
              from = Math.max(0, bracket - read);
              depth = 1;
            } else held = [];
            bracket = -1;
            if (!isList) {
              at--;
              continue;
            }
          } else if (isList && (byte === COMMA || byte === CLOSE_LIST)) {
            if (byte === CLOSE_LIST) isList = false;
            continue;
          } else if (byte === OPEN_LIST && messages === 0) {
            bracket = read + at;
            continue;
          }
          start = read + at;
          from = at;
        }
        if (byte === QUOTE) isInText = true;
        else if (byte === OPEN_OBJECT || byte === OPEN_LIST) depth++;
        else if ((byte === CLOSE_OBJECT || byte === CLOSE_LIST) && depth > 0) {
          if (--depth === 0) emit(chunk.subarray(from, at + 1), read + at + 1, sink);
        } else if (depth === 0 && isBlank(byte)) emit(chunk.subarray(from, at), read + at, sink);
      }
      if (start >= 0) {
        if (atEnd) emit(chunk.subarray(from), read + chunk.length, sink);
        else held.push(chunk.slice(from));
      } else if (bracket >= 0) held.push(chunk.slice(Math.max(0, bracket - read)));
      read += chunk.length;
    },
    facts: () => ({
      messages,
      payloadBytes: payload,
      capturedBytes: payload,
      framingBytes: size - payload,
      unattributedBytes: 0,
      diagnostics: [],
    }),
  };
}
