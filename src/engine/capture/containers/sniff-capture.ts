/** Recognises captures by their first bytes, without loading their readers. */
import { latin1 } from '../../bytes/latin1.ts';
import { varintEnd, varintNumber } from '../../bytes/varint.ts';
import { isGzip } from '../../compression/signatures.ts';

/** Maximum number of an input's first bytes that `sniffCapture` needs. */
export const CAPTURE_HEAD = 256;

/** Magic numbers of pcap, in the writer's byte order: fractions in µs, in ns, and in µs with longer records. */
export const PCAP_MAGIC = { MICROSECONDS: 0xa1b2c3d4, NANOSECONDS: 0xa1b23c4d, PATCHED: 0xa1b2cd34 } as const;
const PCAP_MAGICS: readonly number[] = Object.values(PCAP_MAGIC);

export function isPcap(bytes: Uint8Array): boolean {
  if (bytes.length < 4) return false;
  const magic = new DataView(bytes.buffer, bytes.byteOffset, 4);
  return PCAP_MAGICS.includes(magic.getUint32(0)) || PCAP_MAGICS.includes(magic.getUint32(0, true));
}

export const isPcapng = (bytes: Uint8Array): boolean =>
  bytes[0] === 0x0a && bytes[1] === 0x0d && bytes[2] === 0x0d && bytes[3] === 0x0a;

/** Whether the first bytes look like a HAR. */
const isHar = (bytes: Uint8Array): boolean =>
  /^\uFEFF?\s*\{\s*"log"\s*:/.test(new TextDecoder().decode(bytes.subarray(0, CAPTURE_HEAD)));

/** Whether the first bytes are those of a flow: `4582:9:websocket;0:~…`, a dictionary and its first key. */
function isMitmproxy(bytes: Uint8Array): boolean {
  const [, size, key] = /^\d{1,12}:(\d\d?):([a-z_]+)[,;]\d{1,12}:/.exec(latin1(bytes, 0, 64)) ?? [];
  return key !== undefined && key.length === Number(size);
}

/** Whether they begin Fiddler's archive as `zipOfSessions` writes it. Other writers of ZIP have a date. */
const isSaz = (bytes: Uint8Array): boolean =>
  latin1(bytes, 0, 18) === `PK\x03\x04\n${'\0'.repeat(13)}` && latin1(bytes, 30, 34) === 'raw/';

/**
 * Whether they begin gRPC's binary log: a size, four bytes or a varint, and the first fields of a GrpcLogEntry, which all
 * entries have: `0a size 08…` timestamp, `10` call, `18` sequence, `20` type 1 to 7, `28` logger 1 or 2.
 */
function isGrpcLog(bytes: Uint8Array): boolean {
  const at = bytes[0] === 0 ? 4 : varintEnd(bytes, 0, 4);
  const call = at + 2 + bytes[at + 1]!;
  const sequence = varintEnd(bytes, call + 1, bytes.length);
  const type = varintEnd(bytes, sequence + 1, bytes.length);
  const tags = [at, at + 2, call, sequence, type, type + 2].map((place) => bytes[place]);
  const [kind, logger] = [bytes[type + 1]!, bytes[type + 3]!];
  return tags.join() === '10,8,16,24,32,40' && kind > 0 && kind < 8 && logger > 0 && logger < 3;
}

type Span = readonly [start: number, end: number];

/** The contents of a record with such a tag that begins at `at` and fits before `limit`; [−1, −1]: none does. */
function within(bytes: Uint8Array, [at, limit]: Span, tags: readonly number[]): Span {
  const start = tags.includes(bytes[at]!) ? varintEnd(bytes, at + 1, bytes.length) : -1;
  const end = start + varintNumber(bytes, at + 1, start);
  return start < 0 || end > limit ? [-1, -1] : [start, end];
}

const [FIRST, SECOND] = [0x0a, 0x12];

/**
 * Whether a TraceWrapper of Envoy's tap begins here, and ends before `limit`: with the first header of a request, `:path`,
 * and its value, or with an address.
 *
 *   0a size 0a size      0a size 0a size `:path` 12    http_buffered_trace { request { headers { key, value or raw_value, 1a
 *   12 size 08 id 12 size 0a size 0a size `:path` 12   http_streamed_trace_segment { id, request_headers { headers { …
 *   1a size 08 id 12 size 0a size 0a size 12 size `::1`   socket_buffered_trace { id, connection { address { socket { …
 *   1a size 08 id 12 size 0a size 12 size 0a size `/run`  … { pipe { path
 *   22 …                                               socket_streamed_trace_segment, as well
 */
export function isEnvoyTrace(bytes: Uint8Array, at: number, limit = Number.POSITIVE_INFINITY): boolean {
  const kind = bytes[at]!;
  let [start, end] = within(bytes, [at, limit], [0x0a, 0x12, 0x1a, 0x22]);
  if (bytes[start] === 0x08) start = varintEnd(bytes, start + 1, bytes.length);
  const isSocket = kind > SECOND;
  const outer = within(bytes, [start, end], [kind === FIRST ? FIRST : SECOND]);
  const inner = within(bytes, outer, isSocket ? [FIRST, SECOND] : [FIRST]);
  const isPipe = bytes[inner[0]] === SECOND;
  const place = isSocket ? within(bytes, inner, [FIRST, SECOND]) : inner;
  [start, end] = within(bytes, place, [isSocket && !isPipe ? SECOND : FIRST]);
  const text = latin1(bytes, start, Math.min(end, start + CAPTURE_HEAD));
  if (isSocket) return (isPipe ? /^[/@]/ : /^[\da-f]*[.:][\da-f.:]*(%\w+)?$/).test(text);
  return /^:[a-z]+$/.test(text) && [SECOND, 0x1a].includes(bytes[end]!);
}

export function isEnvoyTap(bytes: Uint8Array): boolean {
  const start = varintEnd(bytes, 0, bytes.length);
  return isEnvoyTrace(bytes, 0) || isEnvoyTrace(bytes, start, start + varintNumber(bytes, 0, start));
}

/** In the order in which they are tried. */
const SIGNATURES = {
  gzip: isGzip,
  pcapng: isPcapng,
  pcap: isPcap,
  har: isHar,
  mitmproxy: isMitmproxy,
  saz: isSaz,
  'grpc-log': isGrpcLog,
  'envoy-tap': isEnvoyTap,
} as const;
export type CaptureSignature = keyof typeof SIGNATURES;

/** @param head the input's first bytes @returns `gzip`: unzip it (`openCapture`) and try again; null: not a capture */
export const sniffCapture = (head: Uint8Array): CaptureSignature | null =>
  (Object.keys(SIGNATURES) as CaptureSignature[]).find((id) => SIGNATURES[id](head)) ?? null;
