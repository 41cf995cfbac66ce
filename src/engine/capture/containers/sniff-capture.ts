/** Recognises captures by their first bytes, without loading their readers. */
import { latin1 } from '../../bytes/latin1.ts';
import { varintEnd } from '../../bytes/varint.ts';
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
export const isHar = (bytes: Uint8Array): boolean =>
  /^\uFEFF?\s*\{\s*"log"\s*:/.test(new TextDecoder().decode(bytes.subarray(0, CAPTURE_HEAD)));

/** Whether the first bytes are those of a flow: `4582:9:websocket;0:~…`, a dictionary and its first key. */
export function isMitmproxy(bytes: Uint8Array): boolean {
  const [, size, key] = /^\d{1,12}:(\d\d?):([a-z_]+)[,;]\d{1,12}:/.exec(latin1(bytes, 0, 64)) ?? [];
  return key !== undefined && key.length === Number(size);
}

/** Whether they begin Fiddler's archive as `zipOfSessions` writes it. Other writers of ZIP have a date. */
export const isSaz = (bytes: Uint8Array): boolean =>
  latin1(bytes, 0, 18) === `PK\x03\x04\n${'\0'.repeat(13)}` && latin1(bytes, 30, 34) === 'raw/';

/**
 * Whether they begin gRPC's binary log: a size, four bytes or a varint, and the first fields of a GrpcLogEntry, which all
 * entries have: `0a size 08…` timestamp, `10` call, `18` sequence, `20` type 1 to 7, `28` logger 1 or 2.
 */
export function isGrpcLog(bytes: Uint8Array): boolean {
  const at = bytes[0] === 0 ? 4 : varintEnd(bytes, 0, 4);
  const call = at + 2 + bytes[at + 1]!;
  const sequence = varintEnd(bytes, call + 1, bytes.length);
  const type = varintEnd(bytes, sequence + 1, bytes.length);
  const tags = [at, at + 2, call, sequence, type, type + 2].map((place) => bytes[place]);
  const [kind, logger] = [bytes[type + 1]!, bytes[type + 3]!];
  return tags.join() === '10,8,16,24,32,40' && kind > 0 && kind < 8 && logger > 0 && logger < 3;
}

/** @param head the input's first bytes @returns `gzip`: unzip it (`openCapture`) and try again; null: not a capture */
export function sniffCapture(
  head: Uint8Array,
): 'gzip' | 'pcapng' | 'pcap' | 'har' | 'mitmproxy' | 'saz' | 'grpc-log' | null {
  if (isGzip(head)) return 'gzip';
  if (isPcapng(head)) return 'pcapng';
  if (isPcap(head)) return 'pcap';
  if (isHar(head)) return 'har';
  if (isMitmproxy(head)) return 'mitmproxy';
  return isSaz(head) ? 'saz' : isGrpcLog(head) ? 'grpc-log' : null;
}
