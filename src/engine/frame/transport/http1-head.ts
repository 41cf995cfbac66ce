/**
 * The start line and headers of an HTTP/1.1 message (RFC 9112 §2), parsed. Connections repeat lines, so recently parsed
 * lines are cached.
 *
 *   start line CRLF │ (name: value CRLF)* │ CRLF
 */
import { ByteMemo } from '../../bytes/byte-memo.ts';
import { latin1 } from '../../bytes/latin1.ts';

/** The part of a map that lookups of headers need; names are in lower case. */
export type Headers = Pick<ReadonlyMap<string, string>, 'get' | 'has'>;

export interface HeaderLine {
  readonly name: string;
  readonly value: string;
}

interface Request {
  readonly method: string;
  readonly path: string;
  /** Offset of the path in the start line. A proxy is sent the whole address. */
  readonly pathAt: number;
}

export interface Http1Head {
  /** null: it is a response. */
  readonly request: Request | null;
  /** 0 for a request. */
  readonly status: number;
  readonly headers: HeaderLines;
}

type StartLine = Pick<Http1Head, 'request' | 'status'>;

/** null: the line is not a start line. */
const startLines = new ByteMemo<StartLine | null>(256, 512);
/** null: the line is not a header. */
const headerLines = new ByteMemo<HeaderLine | null>(1024, 512);

export class HeaderLines implements Headers {
  readonly lines: readonly HeaderLine[];

  constructor(lines: readonly HeaderLine[]) {
    this.lines = lines;
  }

  /** The values of all lines with that name, joined as in RFC 9110 §5.2. */
  get(name: string): string | undefined {
    let value: string | undefined;
    for (const line of this.lines) {
      if (line.name === name) value = value === undefined ? line.value : `${value}, ${line.value}`;
    }
    return value;
  }

  has(name: string): boolean {
    return this.lines.some((line) => line.name === name);
  }
}

/** @returns null: bytes[start, end) are not a start line and headers; their last line may be empty */
export function readHttp1Head(bytes: Uint8Array, start: number, end: number): Http1Head | null {
  let stop = lineEnd(bytes, start, end);
  const first = startLines.get(bytes, start, stop, readStartLine);
  if (first === null) return null;
  const lines: HeaderLine[] = [];
  for (let at = stop + 2; at < end; at = stop + 2) {
    stop = lineEnd(bytes, at, end);
    if (stop === at) continue;
    const line = headerLines.get(bytes, at, stop, readHeaderLine);
    if (line === null) return null;
    lines.push(line);
  }
  return { request: first.request, status: first.status, headers: new HeaderLines(lines) };
}

/** Index of the CRLF that ends a line, or `end`. */
function lineEnd(bytes: Uint8Array, start: number, end: number): number {
  for (let at = start; at + 1 < end; at++) if (bytes[at] === 13 && bytes[at + 1] === 10) return at;
  return end;
}

function readStartLine(bytes: Uint8Array): StartLine | null {
  const text = latin1(bytes, 0, bytes.length);
  const response = /^HTTP\/1\.[01] (\d{3})( |$)/.exec(text);
  if (response !== null) return { request: null, status: Number(response[1]) };
  const request = /^([A-Z-]+) (\S+) HTTP\/1\.[01]$/.exec(text);
  if (request === null) return null;
  const [, method = '', target = ''] = request;
  const path = target.replace(/^https?:\/\/[^/]*/, '');
  const pathAt = method.length + 1 + target.length - path.length;
  return { request: { method, path: path || '/', pathAt }, status: 0 };
}

function readHeaderLine(bytes: Uint8Array): HeaderLine | null {
  const text = latin1(bytes, 0, bytes.length);
  const colon = text.indexOf(':');
  if (colon <= 0) return null;
  return { name: text.slice(0, colon).trim().toLowerCase(), value: text.slice(colon + 1).trim() };
}
