/**
 * A dropped schema → text or descriptor sets. A zip archive becomes its files, the JSON of a set or of a buf image its
 * bytes, and the bytes of a .proto file text.
 */
import { isTextByte } from '../bytes/text-byte.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { builtInOptionsMessage } from './built-in.ts';
import { diagnosticOf } from './report.ts';
import { writeJsonSet } from './set/json-set.ts';
import { isZip, zipEntries } from './zip.ts';

export interface UnpackedSource {
  readonly path: string;
  readonly content: string | Uint8Array;
}

/** Hears what could not be unpacked. */
type OnFault = (fault: Diagnostic) => void;

type Code = 'schema/not-an-archive' | 'schema/too-large' | 'schema/not-an-image' | 'schema/unreadable';

/** A finding about a file as a whole. */
const faultOf = (path: string, code: Code, message: string): Diagnostic =>
  diagnosticOf({ path, lines: undefined }, { code, message, start: 0, end: 0 });

/** Limits of one archive: plain bytes of all files and of one file, and number of files. */
const MAX_BYTES = 512 * 1024 * 1024;
const MAX_FILE = 64 * 1024 * 1024;
const MAX_FILES = 50_000;

/** Files of an archive that are schemas by their names. */
const SCHEMA_FILE = /\.(proto|binpb|pb|desc|protoset|fds)$/;
/** Paths of system and tool files in archives. */
const BESIDE = /(^|\/)(__MACOSX|node_modules|\.[^/]*)(\/|$)/;

export function* unpackSource(
  path: string,
  content: string | Uint8Array,
  onFault: OnFault,
): Generator<UnpackedSource, void> {
  if (typeof content === 'string') yield { path, content };
  else if (isZip(content)) yield* unpackZip(path, content, onFault);
  else if (firstLetter(content) === '{' && isText(content)) {
    const bytes = readImage(path, content, onFault);
    if (bytes !== undefined) yield { path, content: bytes };
  } else yield { path, content: path.endsWith('.proto') ? new TextDecoder().decode(content) : content };
}

function* unpackZip(path: string, bytes: Uint8Array, onFault: OnFault): Generator<UnpackedSource, void> {
  const entries = zipEntries(bytes);
  if (entries === undefined) {
    const message = 'This zip archive has no directory: it is cut off, or damaged.';
    onFault(faultOf(path, 'schema/not-an-archive', message));
    return;
  }
  const schemas = entries.filter((entry) => SCHEMA_FILE.test(entry.path) && !BESIDE.test(entry.path));
  if (schemas.length === 0) {
    const message = 'This zip archive holds no .proto file and no descriptor set.';
    onFault(faultOf(path, 'schema/not-an-archive', message));
  }
  let left = MAX_BYTES;
  for (const entry of schemas.slice(0, MAX_FILES)) {
    const unpacked = entry.unpack(Math.min(left, MAX_FILE));
    if (unpacked.ok) {
      left -= unpacked.bytes.length;
      const isText = entry.path.endsWith('.proto');
      yield { path: entry.path, content: isText ? new TextDecoder().decode(unpacked.bytes) : unpacked.bytes };
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

/** The first character that is neither a blank nor a byte order mark; empty: the first 64 bytes have no such character. */
function firstLetter(bytes: Uint8Array): string {
  const head = new TextDecoder().decode(bytes.subarray(0, 64));
  return head.trimStart()[0] ?? '';
}

/** A set of one file of 123 bytes begins with a line break and `{`, as JSON may; it goes on with bytes that no text has. */
const isText = (bytes: Uint8Array): boolean => bytes.subarray(0, 4096).every(isTextByte);

/** More than any image has that a person would load as JSON. */
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
