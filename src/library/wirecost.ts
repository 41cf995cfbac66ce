/**
 * The library: `import { analyze, annotate, readSchema } from 'wirecost'`. It runs on every platform with WebAssembly
 * and Blob: browsers, workers, Node. It does no file or network access. docs/library.md has an example of each
 * function.
 */
import { type ComparisonEncoding, loadAgainst } from '../engine/analysis/against.ts';
import { analyze as analyzeSource, type SourceReport } from '../engine/analysis/analyze.ts';
import { classifyType } from '../engine/analysis/evidence/classify-type.ts';
import { touchedFinding } from '../engine/analysis/plan/touched-types.ts';
import { type AbortFlag, bytesSource } from '../engine/bytes/source.ts';
import { TEXT_ENCODINGS } from '../engine/capture/text/detect-text-encoding.ts';
import { type ProfileJson, profileJson } from '../engine/cost/profile-json.ts';
import { framingFault } from '../engine/frame/framing/described-fields.ts';
import { FRAMINGS, framingOf } from '../engine/frame/framing/framings.ts';
import { type AnnotationTable, endAt, fieldAt, parentAt, payloadStartAt, startAt } from '../engine/model/annotation.ts';
import type { Diagnostic } from '../engine/model/diagnostic.ts';
import { checkNativeOptions } from '../engine/native/check-options.ts';
import { type NativeProfile, profileById } from '../engine/native/profiles.ts';
import { compileSchema, type SchemaSource } from '../engine/schema/compile.ts';
import type { MessageDescriptor, Registry } from '../engine/schema/descriptor.ts';
import { faultsIn, type SchemaFaults } from '../engine/schema/faults.ts';
import { runToEnd } from '../engine/schema/steps.ts';
import { unpackSources } from '../engine/schema/unpack-source.ts';
import { annotate as annotateMessage } from '../engine/wire/annotate.ts';

export type { ProfileJson as Profile } from '../engine/cost/profile-json.ts';
export type { Diagnostic } from '../engine/model/diagnostic.ts';
export type { SchemaSource } from '../engine/schema/compile.ts';
export type { MessageDescriptor, Registry } from '../engine/schema/descriptor.ts';

export interface Schema {
  readonly registry: Registry;
  /** Faults of the files; the sound parts are in the registry. */
  readonly diagnostics: readonly Diagnostic[];
  /** The types that errors touch: `analyze` and `annotate` do not detect them. */
  readonly faults: SchemaFaults;
  /** Unresolved imports, by path. */
  readonly missing: readonly string[];
}

/**
 * .proto texts, descriptor sets, archives of them → a schema. `google/protobuf/*.proto` need not be given.
 * @throws TypeError if the files are not a list of these
 */
export function readSchema(files: readonly SchemaSource[]): Schema {
  const isFile = (file: SchemaSource): boolean =>
    typeof file?.path === 'string' && (typeof file.content === 'string' || isBytes(file.content));
  if (!Array.isArray(files) || !files.every(isFile))
    throw new TypeError('readSchema takes a list of files, { path, content }; content is a text or a Uint8Array.');
  const unpacked = runToEnd(unpackSources(files));
  const { registry, symbols, diagnostics: found, missing } = compileSchema(unpacked.sources);
  const diagnostics = [...unpacked.diagnostics, ...found, ...checkNativeOptions({ registry, symbols })];
  const faults = faultsIn(registry, diagnostics, symbols);
  return { registry, diagnostics, faults, missing: missing.map(({ path }) => path) };
}

/** Also those of another realm, as of a frame or a test runner. */
const isBytes = (value: unknown): boolean => Object.prototype.toString.call(value) === '[object Uint8Array]';

function checkBytes(value: Uint8Array): void {
  if (isBytes(value)) return;
  throw new TypeError(
    'The bytes are not a Uint8Array. Of an ArrayBuffer, new Uint8Array(buffer) makes one; of a text, new TextEncoder().encode(text).',
  );
}

export interface Report extends Omit<SourceReport, 'profiles'> {
  /** As docs/profile-json.md describes them. */
  readonly profiles: readonly ProfileJson[];
}

export interface AnalyzeOptions {
  readonly schema?: Schema;
  /** Full name. Default: the detected type; for captures, the types named by the transport. */
  readonly type?: string;
  /** Id of a native profile, such as `opensearch`, `avro`. Default: none; of native messages, the schema's layouts. */
  readonly nativeProfile?: string;
  /**
   * Id of an encoding instead of a native profile, such as `json`, `msgpack-named`: compared with the captured
   * encoding.
   */
  readonly encoding?: string;
  /** Id of a framing (`grpc`, `varint`, …), or the fields around each message: `le32 [1 message]`. Default: detected. */
  readonly framing?: string;
  /** Id of a text encoding: `hex`, `base64`, …. Default: detected. */
  readonly textEncoding?: string;
  readonly signal?: AbortFlag;
}

/**
 * A payload or a capture, of any format of docs/captures.md → one profile per type, most protobuf bytes first, and
 * findings. Every byte is counted once. @throws RangeError if the schema has no such type, if there is no such native
 * profile, encoding, framing or text encoding, or if one to compare with is given without a schema @throws TypeError if
 * the input is not a Uint8Array
 */
export async function analyze(input: Uint8Array, options: AnalyzeOptions = {}): Promise<Report> {
  const { schema, framing, textEncoding, signal } = options;
  checkBytes(input);
  await checkFraming(framing);
  checkId('text encoding', textEncoding, TEXT_ENCODINGS);
  for (const id of [options.nativeProfile, options.encoding])
    if (id !== undefined && schema === undefined) throw new RangeError(`To compare with ${id}, a schema is needed.`);
  const request = {
    registry: schema?.registry,
    faults: schema?.faults,
    type: options.type === undefined ? undefined : typeNamed(schema, options.type),
    nativeProfile: options.nativeProfile === undefined ? undefined : nativeProfileNamed(options.nativeProfile),
    against: options.encoding === undefined ? undefined : await encodingNamed(options.encoding),
  };
  const source = bytesSource('input', input);
  const { profiles, ...report } = await analyzeSource(source, { framing, textEncoding }, request, { signal });
  return { ...report, profiles: profiles.map(profileJson) };
}

async function checkFraming(id: string | undefined): Promise<void> {
  const framing = id === undefined ? null : await framingOf(id);
  if (typeof framing === 'string')
    throw new RangeError(
      framingFault(
        id!,
        FRAMINGS.map((one) => one.id),
        framing,
      ),
    );
}

function checkId(what: string, id: string | undefined, known: readonly { readonly id: string }[]): void {
  if (id !== undefined && !known.some((one) => one.id === id)) throw new RangeError(`There is no ${what} ${id}.`);
}

function nativeProfileNamed(id: string): NativeProfile {
  const profile = profileById(id);
  if (profile === undefined) throw new RangeError(`There is no native profile ${id}.`);
  return profile;
}

async function encodingNamed(id: string): Promise<ComparisonEncoding> {
  const against = await loadAgainst(id);
  if (against === undefined) throw new RangeError(`There is no encoding ${id}.`);
  return against;
}

/** A record of a message. Offsets count from the message's start; spans are half-open. */
export interface Row {
  /** Index of the parent row; -1: none. */
  readonly parent: number;
  /** The field's name, or its number if the schema does not know it; null: the message itself. */
  readonly field: string | number | null;
  readonly start: number;
  readonly end: number;
  /** The end of tag and length. */
  readonly payloadStart: number;
}

/**
 * One message → a row for each of its records, in their order, the message first. If the message fits no type of the
 * schema, by field numbers. @throws RangeError where the schema has no such type @throws TypeError if the message is not
 * a Uint8Array
 */
export function annotate(
  message: Uint8Array,
  { schema, type }: Pick<AnalyzeOptions, 'schema' | 'type'> = {},
): { readonly rows: readonly Row[]; readonly diagnostics: readonly Diagnostic[] } {
  checkBytes(message);
  const read = type === undefined ? schema && detectedType(schema, message) : typeNamed(schema, type);
  const { table, diagnostics } = annotateMessage(message, read);
  const touched = read && schema && touchedFinding(read, [schema.faults]);
  const rows = Array.from({ length: table.length }, (_, row) => ({
    parent: parentAt(table, row),
    field: nameAt(table, row),
    start: startAt(table, row),
    end: endAt(table, row),
    payloadStart: payloadStartAt(table, row),
  }));
  return { rows, diagnostics: touched === undefined ? diagnostics : [touched, ...diagnostics] };
}

const detectedType = ({ registry, faults }: Schema, message: Uint8Array): MessageDescriptor | undefined =>
  classifyType([{ registry, faults }], [message]).type;

function nameAt(table: AnnotationTable, row: number): Row['field'] {
  const index = fieldAt(table, row);
  if (index >= 0) return table.fields[index]!.name;
  return index === -1 ? null : -2 - index;
}

function typeNamed(schema: Schema | undefined, name: string): MessageDescriptor {
  if (schema === undefined) throw new RangeError(`To read as ${name}, a schema is needed.`);
  const type = schema.registry.messages.get(name);
  if (type === undefined) throw new RangeError(`The schema has no message type ${name}`);
  return type;
}
