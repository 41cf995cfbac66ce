/**
 * Dropped, picked or pasted data → its kind: schema text, a descriptor set, a shared analysis, a key log for TLS, or a
 * payload. The content decides; the name decides only where the content cannot.
 */
import { isKeyLog } from '#engine/frame/tls/key-log.ts';
import { isSharedFile } from '#permalink/file-head.ts';

export type Dropped = 'schema-text' | 'descriptor-set' | 'shared' | 'key-log' | 'payload';

/** As much of the beginning as classification looks at, in bytes. */
export const CLASSIFY_BYTES = 4096;

const STATEMENT =
  /(?:^|[;}\n])\s*(?:syntax\s*=\s*["']proto[23]["']|edition\s*=\s*["']\d+["']|import\s+(?:public\s+|weak\s+|option\s+)?["'][^"'\n]+["']|package\s+[\w.]+\s*;|(?:message|enum|service|extend)\s+[\w.]+\s*\{|option\s+\(?[\w.]+\)?\s*=)/;

/** A descriptor set as JSON, as buf writes it. */
const IMAGE = /^\uFEFF?\s*\{\s*"file"\s*:\s*\[/;

export function classifyDrop(name: string, head: Uint8Array): Dropped {
  if (isDescriptorSet(head) || isArchive(head)) return 'descriptor-set';
  const text = readText(head);
  if (text === null) return 'payload';
  if (isSharedFile(text)) return 'shared';
  if (isKeyLog(text)) return 'key-log';
  if (IMAGE.test(text)) return 'descriptor-set';
  if (STATEMENT.test(withoutComments(text))) return 'schema-text';
  return name.toLowerCase().endsWith('.proto') ? 'schema-text' : 'payload';
}

/** The first entry of a zip: `50 4b 03 04`. */
export const isArchive = (head: Uint8Array): boolean =>
  head[0] === 0x50 && head[1] === 0x4b && head[2] === 0x03 && head[3] === 0x04;

/** Names of files that hold schemas: in a folder or an archive, nothing else is looked at. */
const SCHEMA_NAME = /\.(proto|binpb|pb|desc|protoset|fds)$/i;
export const isSchemaName = (path: string): boolean => SCHEMA_NAME.test(path);

/** The directory's end record, 22 bytes and a comment: `50 4b 05 06`, at 12 its size, at 16 where it begins. APPNOTE.TXT 4.3.16 */
const MOST_END_BYTES = 22 + 0xffff;

/** Whether an archive is one of schemas, by the names in its directory. One whose directory cannot be read counts as such. */
export async function holdsSchemas(archive: Blob): Promise<boolean> {
  const tail = new Uint8Array(await archive.slice(-MOST_END_BYTES).arrayBuffer());
  const view = new DataView(tail.buffer);
  let at = tail.length - 22;
  while (at >= 0 && view.getUint32(at, true) !== 0x06054b50) at--;
  if (at < 0) return true;
  const [size, start] = [view.getUint32(at + 12, true), view.getUint32(at + 16, true)];
  if (start + size > archive.size) return true;
  const directory = new Uint8Array(await archive.slice(start, start + size).arrayBuffer());
  const entries = new DataView(directory.buffer);
  // signature×4 … │ 28: name length×2 extra length×2 comment length×2 … │ 46: name, extra, comment
  for (let p = 0; p + 46 <= directory.length && entries.getUint32(p, true) === 0x02014b50; ) {
    const nameEnd = p + 46 + entries.getUint16(p + 28, true);
    if (isSchemaName(new TextDecoder().decode(directory.subarray(p + 46, nameEnd)))) return true;
    p = nameEnd + entries.getUint16(p + 30, true) + entries.getUint16(p + 32, true);
  }
  return false;
}

/**
 * FileDescriptorSet: `0a` length { `0a` length name … }, the name ending in `.proto`; or the file by itself, which begins
 * with its name (google/protobuf/descriptor.proto).
 */
function isDescriptorSet(head: Uint8Array): boolean {
  if (head[0] !== 0x0a) return false;
  let at = 1;
  while (at < 6 && (head[at] ?? 0) >= 0x80) at++;
  return isNamed(head, at + 1) || isNamed(head, 0);
}

/** Whether the name of a .proto file is there: its tag, its length and itself. */
function isNamed(head: Uint8Array, at: number): boolean {
  const size = head[at + 1] ?? 0;
  if (head[at] !== 0x0a || size < 7 || size >= 0x80 || at + 2 + size > head.length) return false;
  return /^[\x21-\x7e]+\.proto$/.test(String.fromCharCode(...head.subarray(at + 2, at + 2 + size)));
}

/** null: not text. The last characters may be cut by the end of the head. */
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
