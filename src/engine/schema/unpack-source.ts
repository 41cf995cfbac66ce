/**
 * A dropped schema → text or descriptor sets. An archive is replaced by its files, compressed or base64 data by their
 * contents, JSON of a set or buf image by its bytes, and bytes of a .proto file by text.
 */
import { isText } from '../bytes/text-byte.ts';
import { SYSTEM_PATHS } from '../compression/archives/safe-path.ts';
import { isTar, tarEntries } from '../compression/archives/tar.ts';
import { isZip, type ZipEntry, zipEntries } from '../compression/archives/zip.ts';
import { decodeBody, sniffCodec } from '../compression/registry.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { builtInOptionsMessage } from './built-in.ts';
import { diagnosticOf } from './report.ts';
import { writeJsonSet } from './set/json-set.ts';

export interface UnpackedSource {
  readonly path: string;
  readonly content: string | Uint8Array;
}

/** Called with each fault of unpacking. */
type OnFault = (fault: Diagnostic) => void;

type Code = 'schema/not-an-archive' | 'schema/too-large' | 'schema/not-an-image' | 'schema/unreadable';

/** A finding about a whole file. */
const faultOf = (path: string, code: Code, message: string): Diagnostic =>
  diagnosticOf({ path, lines: undefined }, { code, message, start: 0, end: 0 });

/** Limits of one archive: plain bytes of all files and of one file, and number of files. */
const MAX_BYTES = 512 * 1024 * 1024;
const MAX_FILE = 64 * 1024 * 1024;
const MAX_FILES = 50_000;

/** Files of an archive with these names are schemas. */
const SCHEMA_FILE = /\.(proto|binpb|pb|desc|protoset|fds)(\.(gz|zst))?$/;

/** Maximum number of steps that unwrap one file. */
const MAX_STEPS = 6;

export function* unpackSource(
  path: string,
  content: string | Uint8Array,
  onFault: OnFault,
  steps: number = MAX_STEPS,
): Generator<UnpackedSource, void> {
  if (typeof content === 'string') yield { path, content };
  else if (isZip(content)) yield* unpackFiles(path, zipEntries(content), onFault);
  else if (isTar(content)) yield* unpackFiles(path, filesOfTar(content), onFault);
  else if (steps > 0 && !path.endsWith('.proto') && isPacked(content))
    yield* unpackPacked(path, content, onFault, steps);
  // A set with a single file of 123 bytes begins with a line break and `{`, as JSON may. It continues with bytes that
  // do not occur in text.
  else if (firstLetter(content) === '{' && isText(content.subarray(0, 4096))) {
    const bytes = readImage(path, content, onFault);
    if (bytes !== undefined) yield { path, content: bytes };
  } else yield { path, content: path.endsWith('.proto') ? new TextDecoder().decode(content) : content };
}

/**
 * A set begins with 0a and a length of at least 128, which is `Cg` to `Cv` in base64. The other patterns are gzip and
 * zstd.
 */
const BASE64 = /^\s*(?:C[g-v]|H4sI|KLUv\/)[\w+/\s-]+={0,2}\s*$/;
const isBase64 = (bytes: Uint8Array): boolean =>
  isText(bytes.subarray(0, 4096)) && BASE64.test(new TextDecoder().decode(bytes.subarray(0, 4096)));

/** Whether the bytes are an archive, compressed, or base64 of a set. */
export const isPackedSchema = (bytes: Uint8Array): boolean => isZip(bytes) || isTar(bytes) || isPacked(bytes);
const isPacked = (bytes: Uint8Array): boolean => sniffCodec(bytes) !== null || isBase64(bytes);

function* unpackPacked(
  path: string,
  packed: Uint8Array,
  onFault: OnFault,
  steps: number,
): Generator<UnpackedSource, void> {
  const plain = decodeBody(packed, sniffCodec(packed) ?? 'base64', MAX_FILE);
  if (!plain.ok) {
    onFault(faultOf(path, 'schema/unreadable', `"${path}" cannot be unpacked: ${plain.detail}.`));
    return;
  }
  const name = path.replace(/\.(?:gz|zst|zstd|lz4|sz|zlib|b64|base64|txt)$/i, '').replace(/\.tgz$/i, '.tar');
  yield* unpackSource(name, plain.bytes.slice(), onFault, steps - 1);
}

const filesOfTar = (bytes: Uint8Array): readonly ZipEntry[] =>
  tarEntries(bytes).map(({ path, start, end }) => ({
    path,
    unpack: (limit) =>
      end - start > limit
        ? { ok: false, reason: 'limit', detail: 'it is too large' }
        : { ok: true, bytes: bytes.slice(start, end) },
  }));

function* unpackFiles(
  path: string,
  entries: readonly ZipEntry[] | undefined,
  onFault: OnFault,
): Generator<UnpackedSource, void> {
  if (entries === undefined) {
    const message = 'This zip archive has no directory: it is cut off, or damaged.';
    onFault(faultOf(path, 'schema/not-an-archive', message));
    return;
  }
  const schemas = entries.filter((entry) => SCHEMA_FILE.test(entry.path) && !SYSTEM_PATHS.test(entry.path));
  if (schemas.length === 0) {
    const message = 'This archive holds no .proto file and no descriptor set.';
    onFault(faultOf(path, 'schema/not-an-archive', message));
  }
  let left = MAX_BYTES;
  for (const entry of schemas.slice(0, MAX_FILES)) {
    const unpacked = entry.unpack(Math.min(left, MAX_FILE));
    if (unpacked.ok) {
      left -= unpacked.bytes.length;
      yield* unpackSource(entry.path, unpacked.bytes, onFault, 1);
    } else if (unpacked.reason === 'limit') {
      const message = `"${entry.path}" unpacks to more than a schema can have.`;
      onFault(faultOf(path, 'schema/too-large', message));
      if (left <= MAX_FILE) return;
    } else {
      const message = `"${entry.path}" cannot be unpacked: ${unpacked.detail}.`;
      onFault(faultOf(path, 'schema/unreadable', message));
    }
  }
  if (schemas.length > MAX_FILES) {
    const message = `Only the first ${MAX_FILES} files of this archive are read.`;
    onFault(faultOf(path, 'schema/too-large', message));
  }
}

/** The first character that is neither white space nor a byte order mark; empty: not among the first 64 bytes. */
function firstLetter(bytes: Uint8Array): string {
  const head = new TextDecoder().decode(bytes.subarray(0, 64));
  return head.trimStart()[0] ?? '';
}

/** Larger than any buf image that a user would load as JSON. */
const MAX_JSON = 256 * 1024 * 1024;

function readImage(path: string, bytes: Uint8Array, onFault: OnFault): Uint8Array | undefined {
  try {
    if (bytes.length > MAX_JSON) throw new RangeError('too large');
    const set = builtInOptionsMessage('google.protobuf.FileDescriptorSet')!;
    return writeJsonSet(JSON.parse(new TextDecoder().decode(bytes)), set);
  } catch {
    const message = 'This JSON is neither a descriptor set nor a buf image. Write one with: buf build -o image.binpb';
    onFault(faultOf(path, 'schema/not-an-image', message));
    return undefined;
  }
}
