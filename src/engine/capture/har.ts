/**
 * HAR (http://www.softwareishard.com/blog/har-12-spec/) → its exchanges, each body with its place in the file.
 *
 *   { "log": { "entries": [ { "startedDateTime", "request": { "postData": { "text" } }, "response": { "content": { "text" } } } ] } }
 *
 * A body stands between the quotes of a JSON string, as text or as base64; content codings are already taken off responses.
 */

/** Half-open, in captureOffsets: what stands between the quotes. */
export interface HarBody {
  readonly start: number;
  readonly end: number;
  readonly encoding: 'base64' | 'json-string';
}

export interface HarSide {
  /** Lower-case names. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: HarBody | null;
}

export interface HarExchange {
  /** Milliseconds since the epoch; null if the entry has none. */
  readonly time: number | null;
  readonly method: string;
  readonly url: string;
  readonly status: string;
  readonly request: HarSide;
  readonly response: HarSide;
}

/** Does it look like a HAR from its first bytes? */
export const isHar = (bytes: Uint8Array): boolean =>
  /^\uFEFF?\s*\{\s*"log"\s*:/.test(new TextDecoder().decode(bytes.subarray(0, 256)));

/** @returns null if it is not a HAR after all */
export function readHar(bytes: Uint8Array): readonly HarExchange[] | null {
  let root: unknown;
  try {
    root = JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return null;
  }
  const entries = at(at(root, 'log'), 'entries');
  if (!Array.isArray(entries)) return null;
  const spans = bodySpans(bytes);
  return entries.map((entry: unknown, index): HarExchange => {
    const request = at(entry, 'request');
    const response = at(entry, 'response');
    const time = Date.parse(text(at(entry, 'startedDateTime')));
    return {
      time: Number.isNaN(time) ? null : time,
      method: text(at(request, 'method')),
      url: text(at(request, 'url')),
      status: String(at(response, 'status') ?? ''),
      request: readSide(request, 'postData', spans.get(`${index}.request`)),
      response: readSide(response, 'content', spans.get(`${index}.response`)),
    };
  });
}

interface Span {
  readonly start: number;
  readonly end: number;
}

function readSide(side: unknown, holder: string, span: Span | undefined): HarSide {
  const headers = new Map<string, string>();
  const list = at(side, 'headers');
  for (const header of Array.isArray(list) ? list : []) {
    headers.set(text(at(header, 'name')).toLowerCase(), text(at(header, 'value')));
  }
  const body = at(side, holder);
  const mimeType = text(at(body, 'mimeType'));
  if (!headers.has('content-type') && mimeType !== '') headers.set('content-type', mimeType);
  const encoding = [at(body, 'encoding'), at(body, '_encoding')].includes('base64') ? 'base64' : 'json-string';
  return { headers, body: span === undefined ? null : { ...span, encoding } };
}

const at = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[key] : undefined;

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Walks sound JSON once and notes where the bodies' strings stand: `3.request` → between which quotes. */
function bodySpans(bytes: Uint8Array): ReadonlyMap<string, Span> {
  const spans = new Map<string, Span>();
  /** Keys of the objects and indices of the arrays that are open. */
  const path: (string | number)[] = [];
  let atKey = false;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]!;
    if (byte === 0x7b) {
      path.push('');
      atKey = true;
    } else if (byte === 0x5b) {
      path.push(0);
      atKey = false;
    } else if (byte === 0x7d || byte === 0x5d) {
      path.pop();
      atKey = false;
    } else if (byte === 0x2c) {
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
      } else if (path.length === 6) {
        const [log, entries, index, side, holder, key] = path;
        const isBody =
          log === 'log' &&
          entries === 'entries' &&
          key === 'text' &&
          ((side === 'request' && holder === 'postData') || (side === 'response' && holder === 'content'));
        if (isBody) spans.set(`${index}.${side}`, { start, end: i });
      }
    }
  }
  return spans;
}
