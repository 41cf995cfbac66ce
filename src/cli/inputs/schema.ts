/** `--schema` and `--type` → the registry, and the type that the messages are instances of. */

import type { TypeSource } from '#engine/analysis/evidence/classify-type.ts';
import { isForCaptures } from '#engine/analysis/plan/capture-schemas.ts';
import { bundledSource, type PlanCandidate, type ReadingPlan } from '#engine/analysis/plan/plan-reading.ts';
import { touchedFinding } from '#engine/analysis/plan/touched-types.ts';
import type { OpenedInput } from '#engine/analysis/read-input.ts';
import { checkNativeOptions } from '#engine/native/check-options.ts';
import { type CompiledSchema, compileSchema, openSchema, type SchemaSource } from '#engine/schema/compile.ts';
import type { MessageDescriptor, Registry } from '#engine/schema/descriptor.ts';
import { faultsIn, type SchemaFaults } from '#engine/schema/faults.ts';
import { isBuiltInFile } from '#engine/schema/names.ts';
import { plainSources } from '#engine/schema/plain-sources.ts';
import { runToEnd } from '#engine/schema/steps.ts';
import type { SchemaSymbols } from '#engine/schema/symbols.ts';
import { leftOutWords } from '#wording/type-words.ts';
import type { Options } from '../options/arguments.ts';
import { meantWords } from '../options/nearest.ts';
import { Refusal } from '../output/outcome.ts';
import { printDiagnostic } from '../output/report-text.ts';
import { plural, printPercent } from '../output/text-table.ts';
import { SCHEMAS } from '../shipped-files.ts';
import { readImported, readSchemaFiles, readSchemaFolder } from './schema-files.ts';

/** The contents of the schema files. */
export interface SchemaFiles {
  readonly registry: Registry;
  /** The source positions of its names: of the bundled schemas, once `placeNames` was called. */
  readonly symbols: SchemaSymbols;
  readonly placeNames: () => void;
  /** The files, and the imported files that ship with the tool. */
  readonly sources: readonly SchemaSource[];
  /** They are those that ship with the tool. */
  readonly isBundled: boolean;
  /** Notes about the schema. */
  readonly notes: readonly string[];
  readonly faults: SchemaFaults;
}

/** The note behind the errors of a schema. */
export const HAS_ERRORS =
  'wirecost: the schema has errors; types that they touch are not detected, but --type can choose one';

const READ_WITH_REFLECTED =
  "wirecost: read with the schema that servers sent in the capture (gRPC's server reflection); --schema gives another";

const SHOWN_ERRORS = 10;

/** @throws Refusal if no type can be read */
export async function readSchema(paths: readonly string[]): Promise<SchemaFiles> {
  return compile(paths, await readSchemaFiles(paths));
}

async function compile(paths: readonly string[], files: readonly SchemaSource[]): Promise<SchemaFiles> {
  if (files.length === 0) throw new Refusal(`No .proto file and no descriptor set in ${paths.join(', ')}`);
  const plain = await plainSources(files);
  const { registry, symbols, diagnostics, sources } = await compileWithImports(plain.sources);
  const errors = [...plain.diagnostics, ...diagnostics, ...checkNativeOptions({ registry, symbols })].filter(
    ({ severity }) => severity === 'error',
  );
  const faults = faultsIn(registry, errors, symbols);
  const read = { registry, symbols, placeNames: () => {}, sources, isBundled: false, faults };
  if (errors.length === 0) return { ...read, notes: [] };
  const shown = errors.slice(0, SHOWN_ERRORS).map(printDiagnostic);
  if (errors.length > shown.length) shown.push(`and ${plural(errors.length - shown.length, 'error')} more`);
  const hasTypes = [...registry.messages.values()].some((type) => !isBuiltInFile(type.file));
  if (!hasTypes) throw new Refusal('The schema has errors', errors.map(printDiagnostic));
  return { ...read, notes: [...shown, HAS_ERRORS] };
}

/** Adds the shipped files for imports that are not found elsewhere. */
async function compileWithImports(
  files: readonly SchemaSource[],
): Promise<CompiledSchema & Pick<SchemaFiles, 'sources'>> {
  const shelf: SchemaSource[] = [];
  for (;;) {
    const sources = [...files, ...shelf];
    const compiled = compileSchema(sources);
    const found = await readImported(compiled.missing.map(({ path }) => path));
    if (found.length === 0) return { ...compiled, sources };
    shelf.push(...found);
  }
}

/** Its types are linked on demand; tests hold that the files have no faults. */
function openBundled(sources: readonly SchemaSource[]): SchemaFiles {
  const { registry, symbols, check } = openSchema(sources, true);
  return {
    registry,
    symbols,
    placeNames: () => void runToEnd(check()),
    sources,
    isBundled: true,
    notes: [],
    faults: faultsIn(registry, [], symbols),
  };
}

type InputKind = OpenedInput['kind'];

const bundled = new Map<InputKind, Promise<SchemaFiles>>();

/** The schemas that ship with the tool, read once. */
function readBundled(kind: InputKind): Promise<SchemaFiles> {
  let reading = bundled.get(kind);
  if (reading === undefined) {
    const isNeeded = (path: string): boolean => kind === 'capture' || !isForCaptures(path);
    reading = readSchemaFolder(SCHEMAS, isNeeded).then(openBundled);
    bundled.set(kind, reading);
  }
  return reading;
}

/** The schemas that captures are read with: the given ones, else the bundled ones; a note names the bundled ones. */
export async function readCaptureSchema(paths: readonly string[]): Promise<SchemaFiles> {
  if (paths.length > 0) return readSchema(paths);
  const schema = await readBundled('capture');
  return { ...schema, notes: [...schema.notes, 'wirecost: read with the bundled schemas; --schema gives others'] };
}

/**
 * The schema of descriptors that captures hold; undefined: no type of it can be read.
 * @param sets of gRPC's server reflection, one per capture
 */
export async function readReflected(sets: readonly Uint8Array[]): Promise<SchemaFiles | undefined> {
  const files = sets.map((content, at) => ({ path: `server reflection ${at + 1}`, content }));
  const schema = await compile(['the responses'], files).catch((error: unknown) => {
    if (error instanceof Refusal) return undefined;
    throw error;
  });
  return schema && { ...schema, notes: [READ_WITH_REFLECTED, ...schema.notes] };
}

/** A type of the schema, else of the bundled ones, and the schema that has it. @throws Refusal */
export async function chooseType(
  schema: SchemaFiles,
  name: string,
): Promise<{ readonly type: MessageDescriptor; readonly schema: SchemaFiles }> {
  const own = findNamed(schema, name);
  if (own !== undefined) return { type: own, schema };
  const shipped = await readBundled('capture');
  const type = schema.isBundled ? undefined : findNamed(shipped, name);
  if (type === undefined) throw unknownType(schema, name);
  return { type, schema: shipped };
}

/** A type of this schema only. @throws Refusal */
export function findType(schema: SchemaFiles, name: string): MessageDescriptor {
  const type = findNamed(schema, name);
  if (type === undefined) throw unknownType(schema, name);
  return type;
}

/** By its full name, or by the end of it if that is unique. @throws Refusal if it is not */
export function findNamed({ registry }: SchemaFiles, name: string): MessageDescriptor | undefined {
  const wanted = name.replace(/^\./, '');
  const exact = registry.messages.get(wanted);
  if (exact !== undefined) return exact;
  const ending = [...registry.messages.values()].filter((type) => type.fullName.endsWith(`.${wanted}`));
  if (ending.length === 1) return ending[0]!;
  if (ending.length > 1) throw new Refusal(`Several types are called ${wanted}: ${listed(ending)}`);
  return undefined;
}

function unknownType({ registry, isBundled }: SchemaFiles, name: string): Refusal {
  const wanted = name.replace(/^\./, '');
  const known = [...registry.messages.values()].filter((type) => !type.isMapEntry);
  const none = `No message type ${wanted} in the`;
  const meant = meantWords(wanted, [...known.map((type) => type.fullName), ...known.map((type) => type.name)]);
  if (isBundled) return new Refusal(`${none} bundled schemas; --schema gives others${meant}`);
  return new Refusal(`${none} schema${meant === '' ? `: ${listed(known)}` : meant}`);
}

const SHOWN_TYPES = 20;

function listed(types: readonly MessageDescriptor[]): string {
  const names = types.slice(0, SHOWN_TYPES).map(({ fullName }) => fullName);
  return [...names, ...(types.length > SHOWN_TYPES ? [`and ${types.length - SHOWN_TYPES} more`] : [])].join(', ');
}

/** Types are searched in the given schema first, then in the schemas that ship with the tool. */
export async function typeSources(schema: SchemaFiles | undefined, kind: InputKind): Promise<readonly TypeSource[]> {
  const shipped = bundledSource((await readBundled(kind)).registry);
  return schema === undefined ? [shipped] : [sourceOf(schema), shipped];
}

/** The note that errors of its schema touch a type; empty: none does. */
export const touchedNotes = (type: MessageDescriptor, { faults }: Pick<SchemaFiles, 'faults'>): readonly string[] => {
  const found = touchedFinding(type, [faults]);
  return found === undefined ? [] : [printDiagnostic(found)];
};

export const sourceOf = ({ registry, faults }: SchemaFiles) => ({ registry, faults }) satisfies TypeSource;

/** The types of `--schema`, or the one of `--type`. @param only in place of `--schema` @throws Refusal */
export async function givenTypes(options: Options, only: SchemaFiles | undefined): Promise<readonly TypeSource[]> {
  if (only === undefined && options.schema.length === 0) return [];
  const schema = only ?? (await readSchema(options.schema));
  if (options.type === undefined) return [sourceOf(schema)];
  const chosen = await chooseType(schema, options.type);
  return [{ ...sourceOf(chosen.schema), isOffered: (type) => type === chosen.type }];
}

const SHOWN_CANDIDATES = 5;

interface PlanPrint {
  /** The maximum of shown candidates. */
  readonly most?: number;
  /** How messages without a type are shown, where it is neither by number nor by their own names. */
  readonly untyped?: string;
}

/** The reading of some messages and its reasons, in lines. */
export function printPlan(plan: ReadingPlan, messages: string, print: PlanPrint = {}): readonly string[] {
  return [...printReading(plan, messages, print), ...printLeftOut(plan)];
}

export function printLeftOut(plan: ReadingPlan): readonly string[] {
  const leftOut = leftOutWords(plan);
  return leftOut === undefined ? [] : [`wirecost: ${leftOut}`];
}

export function printReading(
  { type, why, twins, isBundled, candidates, compared, isText }: ReadingPlan,
  messages: string,
  { most = SHOWN_CANDIDATES, untyped }: PlanPrint,
): readonly string[] {
  const how = untyped ?? (isText ? 'fields have their own names' : 'fields are read by number');
  const [first] = candidates;
  if (why === 'chosen' || why === 'by number') return [];
  if (type !== null && first !== undefined) {
    const others = twins.length === 0 ? '' : `; ${namesOf(twins)} ${twins.length === 1 ? 'reads' : 'read'} them alike`;
    // A presumed type may be behind many bundled ones.
    const { reason = 'a field for every byte' } = candidates.find((one) => one.type === type) ?? {};
    const doubt = why === 'presumed' ? '; presumed, because messages of other types may look the same' : '';
    const unused = isBundled ? '; bundled, because no type of the schema fits as well' : '';
    return [`wirecost: ${messages} read as ${type} (${reason}${others}${doubt}${unused}); --type chooses another`];
  }
  const reasons = {
    alike: `${twins.length} types read ${messages} equally well`,
    unproven: `${first?.type} fits ${messages}, but messages of other types may look the same`,
    short: `there are too few bytes in ${messages} to detect a type`,
    none: `no type of the schemas fits ${messages}`,
    asserted: '',
    presumed: '',
  };
  if (first === undefined) return [`wirecost: ${reasons[why]}; ${how}`];
  return [
    `wirecost: ${reasons[why]}; ${how}, --type chooses a type (${plural(compared.messages, 'message')} compared):`,
    ...printCandidates(candidates.slice(0, most)),
  ];
}

const namesOf = (types: readonly string[]): string =>
  [...types.slice(0, 2), ...(types.length > 2 ? [`${types.length - 2} more`] : [])].join(' and ');

/** The best candidates, a line each, with the evidence for or against them. */
export const printCandidates = (candidates: readonly PlanCandidate[]): readonly string[] =>
  candidates
    .slice(0, SHOWN_CANDIDATES)
    .map(({ type, score, reason }) => `  ${type} explains ${printPercent(score)}: ${reason}`);
