/** Whether an input may be wrapped, judged by its first bytes. The code that unwraps is loaded only then. */

import { varintEnd, varintNumber } from '../../bytes/varint.ts';
import { textStart } from '../../capture/text/ascii.ts';
import { isTar } from '../../compression/archives/tar.ts';
import { isZip, sniffCodec } from '../../compression/signatures.ts';

/** Maximum size of snappy's output for an input: https://github.com/google/snappy, MaxCompressedLength. */
const mostSnappy = (plain: number): number => 32 + plain + plain / 6;
/** Maximum number of plain bytes for each compressed byte: 64 from 3. */
const MAX_PLAIN_PER_BYTE = 22;
/** Shorter streams may decode by chance. */
const MIN_SNAPPY = 12;

/** A snappy block begins with the length of its plain bytes. */
export function maySnappy(head: Uint8Array, size: number): boolean {
  const end = varintEnd(head, 0, Math.min(head.length, 5));
  const plain = end < 0 ? 0 : varintNumber(head, 0, end);
  return (
    size >= MIN_SNAPPY &&
    plain > 0 &&
    plain < 2 ** 32 &&
    size <= mostSnappy(plain) &&
    plain <= size * MAX_PLAIN_PER_BYTE
  );
}

/** `{` or `[`, possibly after a byte order mark and white space. */
export const mayBeJson = (head: Uint8Array): boolean => [0x7b, 0x5b].includes(head[textStart(head)] ?? 0);

export const mayBeWrapped = (name: string, head: Uint8Array, size: number): boolean =>
  sniffCodec(head) !== null ||
  isZip(head) ||
  isTar(head) ||
  name.endsWith('.br') ||
  mayBeJson(head) ||
  maySnappy(head, size);
