/**
 * A trace by curl (`--trace`) → its requests and responses as a HAR, which is read like any other. `--trace-ascii` does not
 * have all bytes.
 *
 *   == Info: Connected to 127.0.0.1 …
 *   23:55:50.532235 => Send header, 132 bytes (0x84)      the time by --trace-time
 *   0000: 50 4f 53 54 20 2f 61 20 48 54 54 50 2f 31 2e 31 POST /a HTTP/1.1
 *   => Send data, 7 bytes (0x7)
 *   <= Recv header, 17 bytes (0x11)                        one for each line of the response's head
 *   <= Recv data, 7 bytes (0x7)                            with the chunks of HTTP/1.1
 */
import { joinBytes } from '../../bytes/join.ts';
import { latin1 } from '../../bytes/latin1.ts';
import type { DecodedText, Judgement, TextEncoding } from './text-encoding.ts';
import { TEXT_LABELS } from './text-labels.ts';

export const curlTrace: TextEncoding = { id: 'curl-trace', label: TEXT_LABELS['curl-trace'], sniff, read };

/** A block: its direction, its kind, its bytes. */
const BLOCK = /^(?:[\d:.]{8,20} )?(?:\[[^\]]*\] )?(=> Send|<= Recv) (header|data|SSL data), (\d+) bytes?\b/;
const ROW = /^[0-9a-f]{4,}: ((?:[0-9a-f]{2} ){1,16})/;
const FIRST = /^(?:[\d:.]{8,20} )?(?:\[[^\]]*\] )?(?:== Info: |=> Send |<= Recv )/;
const SENT = /=> Send header, \d+ bytes \(0x[0-9a-f]+\)\r?\n0000: (?:[0-9a-f]{2} ){16}/;

function sniff(head: Uint8Array): Judgement {
  const text = latin1(head);
  return FIRST.test(text) && SENT.test(text)
    ? { score: 0.995, reason: 'a trace by curl, with the bytes of a request' }
    : { score: 0, reason: 'no trace by curl' };
}

interface Side {
  head: string;
  readonly body: Uint8Array[];
  /** Bytes of the body that the trace does not have. */
  missing: number;
}

interface Block {
  readonly isSent: boolean;
  readonly isHead: boolean;
  size: number;
  readonly rows: Uint8Array[];
}

function read(input: Uint8Array): DecodedText {
  const exchanges: (readonly [Side, Side])[] = [];
  let block: Block | null = null;
  const close = (): void => {
    if (block === null) return;
    if (block.isSent && block.isHead) exchanges.push([newSide(), newSide()]);
    const side = exchanges.at(-1)?.[block.isSent ? 0 : 1];
    const bytes = joinBytes(block.rows);
    if (side === undefined) return;
    if (block.isHead) side.head += latin1(bytes);
    else side.body.push(bytes);
    if (!block.isHead) side.missing += block.size;
  };
  for (const line of latin1(input).split('\n')) {
    const [, way, kind, size] = BLOCK.exec(line) ?? [];
    if (way !== undefined) {
      close();
      // Records of TLS are around what follows them.
      const isRecord = kind === 'SSL data';
      block = isRecord ? null : { isSent: way === '=> Send', isHead: kind === 'header', size: Number(size), rows: [] };
    } else if (block !== null) {
      const digits = ROW.exec(line)?.[1]?.trimEnd().split(' ').slice(0, block.size) ?? [];
      block.rows.push(Uint8Array.from(digits, (pair) => Number.parseInt(pair, 16)));
      block.size -= digits.length;
    }
  }
  close();
  const har = { log: { entries: exchanges.map(([request, response]) => entryOf(request, response)) } };
  return { bytes: new TextEncoder().encode(JSON.stringify(har)), diagnostics: [] };
}

const newSide = (): Side => ({ head: '', body: [], missing: 0 });

function entryOf(request: Side, response: Side): unknown {
  const [method = '', path = '/'] = request.head.split(' ', 2);
  const headers = headersOf(request.head);
  const host = headers.find(({ name }) => name.toLowerCase() === 'host')?.value ?? 'server';
  const heads = response.head.split(/(?=^HTTP\/[\d.]+ \d{3})/m);
  // Interim responses and the answer of a proxy are before the last head.
  const last = heads.at(-1) ?? '';
  const answer = headersOf(last);
  const [sent, got] = [bodyOf(request, headers), bodyOf(response, answer)];
  return {
    request: {
      method,
      // Through a proxy, the whole address is asked for.
      url: /^[a-z][a-z\d+.-]*:\/\//i.test(path) ? path : `http://${host}${path}`,
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

/** The body, perhaps its first bytes only; null: the trace has none of them. */
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
