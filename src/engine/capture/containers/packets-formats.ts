/**
 * Containers of captured traffic, with their readers. One more is a file with such a value, a line here, and a line of
 * sniff-capture.ts, which is there before the readers are.
 */
import type { CaptureFormat } from './capture-format.ts';
import { har } from './har.ts';
import { pcap } from './pcap.ts';
import { pcapng } from './pcapng.ts';

export const CAPTURE_FORMATS: readonly CaptureFormat[] = [pcapng, pcap, har];
