/** Whether a schema is packed, judged by its first bytes. The code that unpacks loads only then. */
import { isText } from '../bytes/text-byte.ts';
import { isTar } from '../compression/archives/tar.ts';
import { isZip, sniffCodec } from '../compression/signatures.ts';
import type { SchemaSource } from './compile.ts';

/**
 * A set begins with 0a and a length of at least 128, which is `Cg` to `Cv` in base64. The other patterns are gzip and
 * zstd.
 */
const BASE64 = /^\s*(?:C[g-v]|H4sI|KLUv\/)[\w+/\s-]+={0,2}\s*$/;
const isBase64 = (bytes: Uint8Array): boolean =>
  isText(bytes.subarray(0, 4096)) && BASE64.test(new TextDecoder().decode(bytes.subarray(0, 4096)));

/** Whether the bytes are an archive, compressed, or base64 of a set. */
export const isPackedSchema = (path: string, bytes: Uint8Array): boolean =>
  isZip(bytes) || isTar(bytes) || isPacked(path, bytes);

export const isPacked = (path: string, bytes: Uint8Array): boolean =>
  !path.endsWith('.proto') && (sniffCodec(bytes) !== null || isBase64(bytes));

/**
 * Whether the bytes may be JSON of a set. A set with a single file of 123 bytes begins with a line break and `{` too. It
 * continues with bytes that do not occur in text.
 */
export const isJson = (bytes: Uint8Array): boolean => firstLetter(bytes) === '{' && isText(bytes.subarray(0, 4096));

/** The first character that is neither white space nor a byte order mark; empty: not among the first 64 bytes. */
function firstLetter(bytes: Uint8Array): string {
  const head = new TextDecoder().decode(bytes.subarray(0, 64));
  return head.trimStart()[0] ?? '';
}

export const needsUnpacking = ({ path, content }: SchemaSource): boolean =>
  typeof content !== 'string' && (isPackedSchema(path, content) || isJson(content));

/** A source that is not packed. Bytes of a .proto file become text. */
export const plainSource = (source: SchemaSource): SchemaSource =>
  typeof source.content === 'string' || !source.path.endsWith('.proto')
    ? source
    : { path: source.path, content: new TextDecoder().decode(source.content) };
