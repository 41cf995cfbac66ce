/** Containers of captured traffic, known by their first bytes. One more is a file with such a value, and one line here. */
import { isGzip } from '../../compression/inflate.ts';
import type { CaptureFormat } from './capture-format.ts';
import { har } from './har.ts';
import { pcap } from './pcap.ts';
import { pcapng } from './pcapng.ts';

export const CAPTURE_FORMATS: readonly CaptureFormat[] = [pcapng, pcap, har];

/** Bytes of an input's beginning that `sniffCapture` wants, at most. */
export const CAPTURE_HEAD = 256;

/** @param head the input's first bytes; `gzip`: unzip it (`openCapture`) and look again; null: no capture */
export function sniffCapture(head: Uint8Array): string | null {
  if (isGzip(head)) return 'gzip';
  return CAPTURE_FORMATS.find((format) => format.sniff(head))?.id ?? null;
}
