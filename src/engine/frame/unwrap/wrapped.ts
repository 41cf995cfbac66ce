/** The wrapper that an input may have, judged by its first bytes. The code that unwraps is loaded only then. */

import { latin1 } from '../../bytes/latin1.ts';
import { textStart } from '../../capture/text/ascii.ts';
import { isTar } from '../../compression/archives/tar.ts';
import { isZip, maySnappy, sniffCodec } from '../../compression/signatures.ts';
import { isKubernetes } from './kubernetes.ts';

/** `{` or `[`, possibly after a byte order mark and white space. */
export const mayBeJson = (head: Uint8Array): boolean => [0x7b, 0x5b].includes(head[textStart(head)] ?? 0);

/** Whether the first two lines may be base64 or hex, perhaps in quotes. */
export const mayBeLines = (head: Uint8Array): boolean =>
  /^\s*("?[\w+/-]{4,}={0,2}"?[^\S\n]*(\n\s*|$)){2}/.test(latin1(head, 0, Math.min(head.length, 1 << 14)));

/** Whether it is Wireshark's export of packets with their bytes, which are the first value of each. */
const isWiresharkJson = (head: Uint8Array): boolean =>
  latin1(head, 0, Math.min(head.length, 512)).includes('"frame_raw"');

/** Whether it is a trace of Envoy's tap as JSON: Envoy writes names with underscores, printers of protobuf camel case. */
const isEnvoyJson = (head: Uint8Array): boolean =>
  /^\s*\{\s*"(?:http|socket)_?(?:buffered_?trace|streamed_?trace_?segment)"/i.test(
    latin1(head, 0, Math.min(head.length, 512)),
  );

/** The wrapper whose signature the bytes have; null: no signature. */
export function signedWrapper(name: string, head: Uint8Array): string | null {
  if (isTar(head)) return 'tar';
  if (isZip(head)) return 'zip';
  if (isKubernetes(head)) return 'kubernetes';
  if (mayBeJson(head) && isWiresharkJson(head)) return 'wireshark';
  if (isEnvoyJson(head)) return 'envoy';
  const found = sniffCodec(head);
  if (found !== null && found !== 'deflate') return found;
  return name.endsWith('.br') ? 'brotli' : null;
}

export const mayBeWrapped = (name: string, head: Uint8Array, size: number): boolean =>
  signedWrapper(name, head) !== null ||
  sniffCodec(head) !== null ||
  mayBeJson(head) ||
  mayBeLines(head) ||
  maySnappy(head, size);
