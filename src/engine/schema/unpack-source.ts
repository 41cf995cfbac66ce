/**
 * Packed schemas → texts and descriptor sets. An archive is replaced by its files, compressed or base64 data by their
 * contents, JSON of a set or buf image by its bytes. It loads with the first packed schema (`plain-sources.ts`).
 */

import { isTar, tarEntries } from '../compression/archives/tar.ts';
import { type Unpacked, zipEntries } from '../compression/archives/zip.ts';
import { atOnce } from '../compression/codec.ts';
import { decodeBody } from '../compression/registry.ts';
import { isZip, sniffCodec } from '../compression/signatures.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { SYSTEM_PATHS } from '../model/folder-rules.ts';
import { isSchemaName, mayBeMessage } from '../model/schema-names.ts';
import { builtInOptionsMessage } from './built-in.ts';
import type { SchemaSource } from './compile.ts';
import { isJson, isPacked, plainSource } from './packed-schema.ts';
import { diagnosticOf } from './report.ts';
import { readDescriptorSet } from './set/descriptor-set.ts';
import { writeJsonSet } from './set/json-set.ts';

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

/** Maximum number of steps that unwrap one file. */
const MAX_STEPS = 6;

export interface PlainSources {
  readonly sources: readonly SchemaSource[];
  /** Faults of unpacking. */
  readonly diagnostics: readonly Diagnostic[];
}

/** All sources, unpacked. Yields after each file. */
export function* unpackSources(given: readonly SchemaSource[]): Generator<undefined, PlainSources> {
  const diagnostics: Diagnostic[] = [];
  const sources: SchemaSource[] = [];
  for (const { path, content } of given) {
    for (const source of unpackSource(path, content, (fault) => diagnostics.push(fault))) {
      sources.push(source);
      yield;
    }
  }
  return { sources, diagnostics };
}

export function* unpackSource(
  path: string,
  content: string | Uint8Array,
  onFault: OnFault,
  steps: number = MAX_STEPS,
): Generator<SchemaSource, void> {
  if (typeof content === 'string') yield { path, content };
  else if (isZip(content)) yield* unpackFiles(path, filesOfZip(content), onFault);
  else if (isTar(content)) yield* unpackFiles(path, filesOfTar(content), onFault);
  else if (steps > 0 && isPacked(path, content)) yield* unpackPacked(path, content, onFault, steps);
  else if (isJson(content)) {
    const bytes = readImage(path, content, onFault);
    if (bytes !== undefined) yield { path, content: bytes };
  } else yield plainSource({ path, content });
}

function* unpackPacked(
  path: string,
  packed: Uint8Array,
  onFault: OnFault,
  steps: number,
): Generator<SchemaSource, void> {
  const plain = decodeBody(packed, sniffCodec(packed) ?? 'base64', MAX_FILE);
  if (!plain.ok) {
    onFault(faultOf(path, 'schema/unreadable', `"${path}" cannot be unpacked: ${plain.detail}.`));
    return;
  }
  const name = path.replace(/\.(?:gz|zst|zstd|lz4|sz|zlib|b64|base64|txt)$/i, '').replace(/\.tgz$/i, '.tar');
  yield* unpackSource(name, plain.bytes.slice(), onFault, steps - 1);
}

interface PackedFile {
  readonly path: string;
  readonly unpack: (limit: number) => Unpacked;
}

const filesOfZip = (bytes: Uint8Array): readonly PackedFile[] | undefined =>
  zipEntries(bytes)?.map(({ path, unpack }) => ({ path, unpack: (limit) => atOnce(unpack(limit)) }));

const filesOfTar = (bytes: Uint8Array): readonly PackedFile[] =>
  tarEntries(bytes).map(({ path, start, end }) => ({
    path,
    unpack: (limit) =>
      end - start > limit
        ? { ok: false, reason: 'limit', detail: 'it is too large' }
        : { ok: true, bytes: bytes.slice(start, end) },
  }));

function* unpackFiles(
  path: string,
  entries: readonly PackedFile[] | undefined,
  onFault: OnFault,
): Generator<SchemaSource, void> {
  if (entries === undefined) {
    const message = 'This zip archive has no directory: it is cut off, or damaged.';
    onFault(faultOf(path, 'schema/not-an-archive', message));
    return;
  }
  const schemas = entries.filter((entry) => isSchemaName(entry.path) && !SYSTEM_PATHS.test(entry.path));
  let found = 0;
  let left = MAX_BYTES;
  for (const entry of schemas.slice(0, MAX_FILES)) {
    const unpacked = entry.unpack(Math.min(left, MAX_FILE));
    if (unpacked.ok) {
      left -= unpacked.bytes.length;
      for (const source of unpackSource(entry.path, unpacked.bytes, onFault, 1)) {
        if (isMessage(source)) continue;
        found++;
        yield source;
      }
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
  if (schemas.length === 0 || (found === 0 && schemas.every((entry) => mayBeMessage(entry.path)))) {
    const message = 'This archive holds no .proto file and no descriptor set.';
    onFault(faultOf(path, 'schema/not-an-archive', message));
  }
}

const isMessage = ({ path, content }: SchemaSource): boolean =>
  typeof content !== 'string' && mayBeMessage(path) && !isSet(content);

function isSet(bytes: Uint8Array): boolean {
  try {
    const first = readDescriptorSet(bytes).next();
    return first.done !== true && first.value.file.path.endsWith('.proto');
  } catch {
    return false;
  }
}

/** Larger than any buf image that a user would load as JSON. */
const MAX_JSON = 256 * 1024 * 1024;

function readImage(path: string, bytes: Uint8Array, onFault: OnFault): Uint8Array | undefined {
  try {
    if (bytes.length > MAX_JSON) throw new RangeError('too large');
    const type = builtInOptionsMessage('google.protobuf.FileDescriptorSet')!;
    const set = writeJsonSet(JSON.parse(new TextDecoder().decode(bytes)), type);
    // Names that a set does not have are left out: of other JSON nothing is left.
    if (!isSet(set)) throw new TypeError('no file of a schema');
    return set;
  } catch {
    const message = 'This JSON is neither a descriptor set nor a buf image. Write one with: buf build -o image.binpb';
    onFault(faultOf(path, 'schema/not-an-image', message));
    return undefined;
  }
}
