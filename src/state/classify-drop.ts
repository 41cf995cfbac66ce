/**
 * Dropped, picked or pasted data → its kind: schema text, a descriptor set, a shared analysis, a key log for TLS, or a
 * payload. The content decides; the name decides only where the content cannot.
 */
import { latin1 } from '#engine/bytes/latin1.ts';
import { isDescriptorSet } from '#engine/capture/schema-signs.ts';
import { isTar } from '#engine/compression/archives/tar.ts';
import { isZip, sniffCodec } from '#engine/compression/signatures.ts';
import { isKeyLog } from '#engine/frame/tls/key-log.ts';
import { isSharedFile } from '#permalink/file-head.ts';

export type Dropped = 'schema-text' | 'descriptor-set' | 'shared' | 'key-log' | 'payload';

/** Bytes at the beginning that classification reads. */
export const CLASSIFY_BYTES = 4096;

const STATEMENT =
  /(?:^|[;}\n])\s*(?:syntax\s*=\s*["']proto[23]["']|edition\s*=\s*["']\d+["']|import\s+(?:public\s+|weak\s+|option\s+)?["'][^"'\n]+["']|package\s+[\w.]+\s*;|(?:message|enum|service|extend)\s+[\w.]+\s*\{|option\s+\(?[\w.]+\)?\s*=)/;

/** A descriptor set as JSON, as buf writes it. */
const IMAGE = /^\uFEFF?\s*\{\s*"file"\s*:\s*\[/;

export function classifyDrop(name: string, head: Uint8Array): Dropped {
  if (isDescriptorSet(head)) return 'descriptor-set';
  const text = readText(head);
  if (text === null) return 'payload';
  if (isSharedFile(text)) return 'shared';
  if (isKeyLog(text)) return 'key-log';
  if (IMAGE.test(text)) return 'descriptor-set';
  if (STATEMENT.test(withoutComments(text))) return 'schema-text';
  return name.toLowerCase().endsWith('.proto') ? 'schema-text' : 'payload';
}

/**
 * Whether a file may be an archive, compressed, or base64 of one or of a descriptor set, by its first bytes. The worker
 * says what is in it.
 */
export function isWrapped(head: Uint8Array): boolean {
  const codec = sniffCodec(head);
  // Texts begin like other zlib: only the usual window, without a dictionary.
  const isCompressed = codec !== null && (codec !== 'deflate' || (head[0] === 0x78 && (head[1]! & 0x20) === 0));
  return isCompressed || isZip(head) || isTar(head) || /^\s*(?:C[g-v]|H4sI|KLUv)/.test(latin1(head, 0, 64));
}

/** Names of packet captures, wrapped or not. */
const CAPTURE_NAME = /\.(pcap|pcapng|cap|har)(\.\w+)?$/i;
export const isNamedAsCapture = (path: string): boolean => CAPTURE_NAME.test(path);

export const isText = (head: Uint8Array): boolean => readText(head) !== null;

/** null: not text. The read beginning may end within a character. */
function readText(head: Uint8Array): string | null {
  if (head.includes(0)) return null;
  for (let cut = 0; cut < 4 && cut <= head.length; cut++) {
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(head.subarray(0, head.length - cut));
    } catch {
      if (head.length < CLASSIFY_BYTES) return null;
    }
  }
  return null;
}

const withoutComments = (text: string): string =>
  text.replace(/\/\*[\s\S]*?(?:\*\/|$)/g, ' ').replace(/(^|[^:])\/\/.*$/gm, '$1');
