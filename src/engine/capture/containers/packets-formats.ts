/**
 * Containers of captured traffic, with their readers. To add a container, write a file with such a value, and add a row
 * here and in sniff-capture.ts, which is loaded before the readers.
 */
import type { CaptureFormat } from './capture-format.ts';
import { envoyTap } from './envoy-tap.ts';
import { grpcLog } from './grpc-log.ts';
import { har } from './har.ts';
import { mitmproxy } from './mitmproxy.ts';
import { pcap } from './pcap.ts';
import { pcapng } from './pcapng.ts';
import { saz } from './saz.ts';

export const CAPTURE_FORMATS: readonly CaptureFormat[] = [pcapng, pcap, har, mitmproxy, saz, grpcLog, envoyTap];
