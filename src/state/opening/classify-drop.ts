/**
 * Dropped, picked or pasted data → its kind: schema text, a descriptor set, a shared analysis, a key log for TLS, or a
 * payload. The content decides; the name decides only where the content cannot.
 */
import { latin1 } from '#engine/bytes/latin1.ts';
import { isDescriptorSet } from '#engine/capture/schema-signs.ts';
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
 * Whether a file may be an archive, compressed, or base64 of one or of a descriptor set, by its first bytes: those of
 * `compression/signatures.ts`, which the page would load for this alone. The worker says what is in it.
 */
export function isWrapped(head: Uint8Array): boolean {
  const hex = [...head.subarray(0, 4)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return (
    /^(?:504b0304|504b0506|1f8b|28b52ffd|04224d18|02214c18|5.2a4d18|ff060000|78(?:01|5e|9c|da))/.test(hex) ||
    /^\s*(?:C[g-v]|H4sI|KLUv)/.test(latin1(head, 0, 64)) ||
    latin1(head, 257, 262) === 'ustar'
  );
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
