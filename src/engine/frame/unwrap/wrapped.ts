/** Whether an input may be wrapped, judged by its first bytes. The code that unwraps is loaded only then. */

import { textStart } from '../../capture/text/ascii.ts';
import { isTar } from '../../compression/archives/tar.ts';
import { isZip, maySnappy, sniffCodec } from '../../compression/signatures.ts';
import { isKubernetes } from './kubernetes.ts';

/** `{` or `[`, possibly after a byte order mark and white space. */
export const mayBeJson = (head: Uint8Array): boolean => [0x7b, 0x5b].includes(head[textStart(head)] ?? 0);

export const mayBeWrapped = (name: string, head: Uint8Array, size: number): boolean =>
  sniffCodec(head) !== null ||
  isZip(head) ||
  isTar(head) ||
  isKubernetes(head) ||
  name.endsWith('.br') ||
  mayBeJson(head) ||
  maySnappy(head, size);
