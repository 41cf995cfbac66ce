/** Containers of captured traffic, known by their first bytes. One more is one line here. */
import { isGzip } from '../compression/inflate.ts';
import { isHar } from './har.ts';
import type { PacketReader, PacketSink } from './packets.ts';
import type { LayerTally } from './packets-layers.ts';
import type { CaptureLog } from './packets-log.ts';
import { createPcapReader, isPcap } from './pcap.ts';
import { createPcapngReader, isPcapng } from './pcapng.ts';

export interface CaptureFormat {
  readonly id: string;
  readonly label: string;
  readonly sniff: (head: Uint8Array) => boolean;
  /** null: it holds no packets, and is read whole. */
  readonly open: ((sink: PacketSink, layers: LayerTally, log: CaptureLog) => PacketReader) | null;
}

export const CAPTURE_FORMATS: readonly CaptureFormat[] = [
  { id: 'pcapng', label: 'pcapng', sniff: isPcapng, open: createPcapngReader },
  { id: 'pcap', label: 'pcap', sniff: isPcap, open: createPcapReader },
  { id: 'har', label: 'HAR', sniff: isHar, open: null },
];

/** Bytes of an input's beginning that `sniffCapture` wants, at most. */
export const CAPTURE_HEAD = 256;

/** @param head the input's first bytes; `gzip`: unzip it (`openCapture`) and look again; null: no capture */
export function sniffCapture(head: Uint8Array): string | null {
  if (isGzip(head)) return 'gzip';
  return CAPTURE_FORMATS.find((format) => format.sniff(head))?.id ?? null;
}
