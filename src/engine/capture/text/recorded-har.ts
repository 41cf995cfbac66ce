/**
 * Recorded requests and responses, as their heads and bodies → the HAR in which they are read. The bodies are in it as
 * base64.
 */
import { joinBytes } from '../../bytes/join.ts';
import { latin1 } from '../../bytes/latin1.ts';

export interface Side {
  head: string;
  readonly body: Uint8Array[];
  /** Bytes of the body that were not recorded. */
  missing: number;
}

/** Facts of an entry that are in neither its heads nor its bodies. */
export interface Known {
  /** With the host; absent: from the request's head. */
  readonly url?: string;
  /** ISO 8601; absent: unknown. */
  readonly startedDateTime?: string;
}

export const harOf = (entries: readonly unknown[]): Uint8Array =>
  new TextEncoder().encode(JSON.stringify({ log: { entries } }));

export const newSide = (): Side => ({ head: '', body: [], missing: 0 });

/** The last head of the response counts: interim ones and the answer of a proxy are before it. */
export function entryOf(request: Side, response: Side, { url, ...known }: Known = {}): unknown {
  const [method = '', path = '/'] = request.head.split(' ', 2);
  const headers = headersOf(request.head);
  const host = headers.find(({ name }) => name.toLowerCase() === 'host')?.value ?? 'server';
  const heads = response.head.split(/(?=^HTTP\/[\d.]+ \d{3})/m);
  const last = heads.at(-1) ?? '';
  const answer = headersOf(last);
  const [sent, got] = [bodyOf(request, headers), bodyOf(response, answer)];
  return {
    ...known,
    request: {
      method,
      // Through a proxy, the whole address is asked for.
      url: url ?? (/^[a-z][a-z\d+.-]*:\/\//i.test(path) ? path : `http://${host}${path}`),
      headers,
      bodySize: sizeOf(request),
      ...(sent === null ? {} : { postData: sent }),
    },
    response: {
      status: Number(/^HTTP\/[\d.]+ (\d{3})/.exec(last)?.[1] ?? 0),
      headers: answer,
      content: { size: sizeOf(response), ...got },
    },
  };
}

const sizeOf = ({ body, missing }: Side): number => body.reduce((sum, { length }) => sum + length, missing);

/** Behind the first line; trailers are behind the other ones. */
const headersOf = (head: string): readonly { readonly name: string; readonly value: string }[] =>
  head
    .split('\n')
    .slice(1)
    .flatMap((line) => {
      const at = line.indexOf(':');
      return at > 0 ? [{ name: line.slice(0, at), value: line.slice(at + 1).trim() }] : [];
    });

/** The body, perhaps its first bytes only; null: none of them was recorded. */
function bodyOf({ body, missing }: Side, headers: ReturnType<typeof headersOf>): RecordedContents | null {
  const bytes = joinBytes(body);
  if (bytes.length === 0) return null;
  const header = (known: string) => headers.find(({ name }) => name.toLowerCase() === known)?.value ?? '';
  const chunks = /chunked/i.test(header('transfer-encoding')) ? withoutChunks(bytes) : null;
  const isCut = missing > 0 || (chunks?.isCut ?? bytes.length < Number(header('content-length')));
  const contents = chunks?.contents ?? bytes;
  return isCut && contents.length === 0 ? null : { text: btoa(latin1(contents)), encoding: 'base64', _isCut: isCut };
}

interface RecordedContents {
  readonly text: string;
  readonly encoding: 'base64';
  /** As in `RecordedBody`. */
  readonly _isCut: boolean;
}

/** The contents of chunks (RFC 9112 §7.1); null: they are not in chunks, as newer versions trace them. */
function withoutChunks(bytes: Uint8Array): { readonly contents: Uint8Array; readonly isCut: boolean } | null {
  const parts: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; ) {
    const line = /^([0-9a-f]{1,8})(?:;[^\r\n]*)?\r\n/i.exec(latin1(bytes, at, Math.min(bytes.length, at + 64)));
    if (line === null) break;
    const size = Number.parseInt(line[1]!, 16);
    const start = at + line[0].length;
    const end = start + size;
    if (size === 0) return { contents: joinBytes(parts), isCut: false };
    if (!'\r\n'.startsWith(latin1(bytes, end, Math.min(bytes.length, end + 2)))) break;
    parts.push(bytes.subarray(start, end));
    at = end + 2;
  }
  return parts.length === 0 ? null : { contents: joinBytes(parts), isCut: true };
}
