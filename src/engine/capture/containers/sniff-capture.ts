/** Captures are known by their first bytes, without their readers. */
import { isGzip } from '../../compression/inflate.ts';

/** Bytes of an input's beginning that `sniffCapture` wants, at most. */
export const CAPTURE_HEAD = 256;

/** Magics of pcap, in the byte order of the writer: fractions of a second are in µs, in ns, in µs with longer records. */
export const PCAP_MAGIC = { MICROSECONDS: 0xa1b2c3d4, NANOSECONDS: 0xa1b23c4d, PATCHED: 0xa1b2cd34 } as const;
const PCAP_MAGICS: readonly number[] = Object.values(PCAP_MAGIC);

export function isPcap(bytes: Uint8Array): boolean {
  if (bytes.length < 4) return false;
  const magic = new DataView(bytes.buffer, bytes.byteOffset, 4);
  return PCAP_MAGICS.includes(magic.getUint32(0)) || PCAP_MAGICS.includes(magic.getUint32(0, true));
}

export const isPcapng = (bytes: Uint8Array): boolean =>
  bytes[0] === 0x0a && bytes[1] === 0x0d && bytes[2] === 0x0d && bytes[3] === 0x0a;

/** Does it look like a HAR from its first bytes? */
export const isHar = (bytes: Uint8Array): boolean =>
  /^\uFEFF?\s*\{\s*"log"\s*:/.test(new TextDecoder().decode(bytes.subarray(0, CAPTURE_HEAD)));

/** @param head the input's first bytes; `gzip`: unzip it (`openCapture`) and look again; null: no capture */
export function sniffCapture(head: Uint8Array): 'gzip' | 'pcapng' | 'pcap' | 'har' | null {
  if (isGzip(head)) return 'gzip';
  return isPcapng(head) ? 'pcapng' : isPcap(head) ? 'pcap' : isHar(head) ? 'har' : null;
}
