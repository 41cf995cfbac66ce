/**
 * INPUT… and options → the stored inputs and the reading of their messages. Every command about messages begins with
 * it.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { libraryOf } from '#engine/analysis/analyze.ts';
import type { ReadingRequest } from '#engine/analysis/message-reading.ts';
import type { Selected } from '#engine/analysis/messages-run.ts';
import { AskedGroups, askedIn, askFor } from '#engine/analysis/plan/asked-messages.ts';
import { type GroupReading, readingOfGroup, typeNamed } from '#engine/analysis/plan/group-readings.ts';
import { contradictedBy, type GroupPlans } from '#engine/analysis/plan/plan-groups.ts';
import { planMessages } from '#engine/analysis/plan/plan-messages.ts';
import { planChosen, type ReadingPlan, type UnlikeFiles } from '#engine/analysis/plan/plan-reading.ts';
import { type InputRead, type OpenedInput, openInput } from '#engine/analysis/read-input.ts';
import { reflectedSchema } from '#engine/analysis/reflected-schema.ts';
import { lacksRequest, type MessageGroup } from '#engine/analysis/store/message-groups.ts';
import { allMessages, storeMessages } from '#engine/analysis/store/message-store.ts';
import type { TableRow } from '#engine/analysis/store/message-table.ts';
import type { Pool } from '#engine/analysis/workers/pool.ts';
import type { Source } from '#engine/bytes/source.ts';
import { native } from '#engine/frame/framing/native.ts';
import type { InputChoice } from '#engine/frame/payload.ts';
import { keyLogIn } from '#engine/frame/unwrap/key-logs-inside.ts';
import type { MessageDescriptor } from '#engine/schema/descriptor.ts';
import { ofDifferentTypes, typesOfFiles } from '#wording/type-words.ts';
import { withPool } from '../node-pool.ts';
import { BadArguments, type Options } from '../options/arguments.ts';
import { captureOptions } from '../options/capture-options.ts';
import { checkChoice } from '../options/input-choice.ts';
import { groupNotes } from '../output/group-notes.ts';
import { Refusal } from '../output/outcome.ts';
import { progressOf } from '../output/progress.ts';
import { plural } from '../output/text-table.ts';
import { expandInputs } from './expand-inputs.ts';
import { withSource } from './file-source.ts';
import { type Batches, withBatches } from './input-batches.ts';
import {
  chooseType,
  givenTypes,
  printPlan,
  readCaptureSchema,
  readReflected,
  readSchema,
  type SchemaFiles,
  sourceOf,
  typeSources,
} from './schema.ts';
import { findSchema } from './schema-inside.ts';

/** The plan: how messages are read, and why. */
export interface MeasurePlan {
  /** The reading of payloads; null: captures, whose groups have readings of their own. */
  readonly reading: ReadingPlan | null;
  /** Readings of the selected groups of captures, by key. */
  readonly groups: Readonly<Record<string, GroupReading>>;
  /** Plans of the groups of captures that name no type. */
  readonly evidence: GroupPlans;
}

/** How the messages of all inputs are read. */
export interface Settled {
  readonly isCapture: boolean;
  /** How messages are read. */
  readonly request: ReadingRequest;
  readonly plan: MeasurePlan;
  /** Notes that are printed beside the figures. */
  readonly notes: string[];
  /** Notes among them that change the meaning of figures; the others are about how inputs are read. */
  readonly caveats: string[];
  /** Whether a single message was requested. */
  readonly isAsked: (message: TableRow) => boolean;
  /** The groups of the requested messages; one may be listed several times. */
  readonly groups: readonly MessageGroup[];
  /** The type of `--type`. */
  readonly chosen: MessageDescriptor | undefined;
  /** The schema that captures are read with. */
  readonly schema: SchemaFiles | undefined;
  /** Workers that share large inputs. */
  readonly pool: Pool;
  /** Paths of the inputs, without schemas and key logs among them, and of the key logs. */
  readonly paths: Paths;
}

export type Paths = Pick<Options, 'inputs' | 'keys'>;

export interface Planned extends Settled {
  /** The requested messages, one per input. */
  readonly selected: readonly Selected[];
  readonly inputs: readonly InputRead[];
}

/** An input and the requested messages of it. */
export interface PlannedInput {
  readonly selected: Selected;
  readonly input: InputRead;
}

interface PlanNeeds {
  /**
   * The only schema in which types are searched; default: the schema of the options, then the shipped ones. Descriptors
   * in a capture replace the bundled ones.
   */
  readonly schema?: SchemaFiles;
  /** `annotate takes one INPUT`: a folder or a pattern of several files is refused, unless the others are key logs. */
  readonly takesOne?: string;
}

/**
 * Opens all inputs and settles how their messages are read. They can be read while `use` runs.
 * @throws BadArguments, Refusal
 */
export const withPlan = <T>(given: Options, use: (planned: Planned) => Promise<T>, needs: PlanNeeds = {}): Promise<T> =>
  withPlanOfMany(
    given,
    Number.POSITIVE_INFINITY,
    async (settled, batches) => {
      const planned: PlannedInput[] = [];
      for await (const one of batches.each()) planned.push(one);
      const [selected, inputs] = [planned.map((one) => one.selected), planned.map(({ input }) => input)];
      return use({ ...settled, selected, inputs });
    },
    needs,
  );

/**
 * The same for inputs of which a limited number is in memory: the plan is that of all.
 * @param atOnce if there are more inputs, they are read several times
 */
export async function withPlanOfMany<T>(
  given: Options,
  atOnce: number,
  use: (settled: Settled, batches: Batches<PlannedInput>) => Promise<T>,
  { schema, takesOne }: PlanNeeds = {},
): Promise<T> {
  if (given.inputs.length === 0) throw new BadArguments('It takes at least one INPUT');
  const choice = checkChoice(given);
  const found = schema === undefined ? await findSchema(given) : await filesOf(given);
  const files = found.inputs.length;
  if (takesOne !== undefined && files > 1 && !(await isOneBesideKeys(found.inputs)))
    throw new BadArguments(`${takesOne}; ${given.inputs.join(', ')} has ${files} files`);
  let loaded: ReturnType<typeof givenTypes> | undefined;
  const planned = (options: Options, notes: readonly string[]): Promise<T> => {
    const { inputs } = options;
    const types = () => (loaded ??= givenTypes(options, schema));
    return withBatches(inputs, atOnce, async (sources) => {
      const opened = sources.map((source) => openInput(source, choice, {}, types));
      const captures: string[] = [];
      const others: string[] = [];
      for await (const { kind } of opened.each())
        (kind === 'capture' ? captures : others).push(inputs[captures.length + others.length]!);
      const isCapture = captures.length > 0;
      if (isCapture && others.length > 0) {
        for (const path of others) {
          if (await withSource(path, holdsKeys)) continue;
          throw new Refusal(`Captures and payloads are analysed apart; the captures are ${captures.join(', ')}`);
        }
        const more = others.map((path) => `wirecost: ${path} is a key log: TLS is read with its secrets`);
        return planned({ ...options, inputs: captures, keys: [...options.keys, ...others] }, [...notes, ...more]);
      }
      return withPool(options, async (pool) => {
        const [settled, batches] = isCapture
          ? await ofCaptures(opened, options, pool, schema)
          : await ofPayloads(opened, choice, options, pool, schema);
        settled.notes.push(...notes);
        return use(settled, batches);
      });
    });
  };
  const { notes, ...among } = found;
  return planned({ ...given, ...among }, notes);
}

async function filesOf({ inputs, schema }: Options): ReturnType<typeof findSchema> {
  const { paths, notes } = await expandInputs(inputs);
  return { schema, inputs: paths, notes };
}

async function isOneBesideKeys(paths: readonly string[]): Promise<boolean> {
  let others = 0;
  for (const path of paths) {
    if (!(await withSource(path, holdsKeys))) others++;
    if (others > 1) return false;
  }
  return others === 1;
}

const holdsKeys = async (source: Source): Promise<boolean> => (await keyLogIn(source, {})) !== null;

/** @throws BadArguments */
export function refuseOptionsOfCaptures(options: Options): void {
  if (options.method !== undefined) throw new BadArguments('--method is for captures; payloads have no methods');
  if (options.direction !== undefined) throw new BadArguments('--direction is for captures; payloads have none');
  if (options.keys.length > 0) throw new BadArguments('--keys is for captures; payloads are not encrypted');
}

async function ofPayloads(
  opened: Batches<OpenedInput>,
  choice: InputChoice,
  options: Options,
  pool: Pool,
  only: SchemaFiles | undefined,
): Promise<readonly [Settled, Batches<PlannedInput>]> {
  refuseOptionsOfCaptures(options);
  const isNativeFile = choice.framing === native.id;
  if (isNativeFile && options.type === undefined)
    throw new BadArguments('--framing native needs a --type: native bytes do not say what they are');
  if (options.type !== undefined && options.byNumber)
    throw new BadArguments('--type and --by-number exclude each other');
  const isBundled = options.schema.length === 0 && options.type !== undefined;
  const given = options.schema.length === 0 ? undefined : await readSchema(options.schema);
  const schema = only ?? (isBundled ? await readCaptureSchema([]) : given);
  const notes = [...(schema?.notes ?? [])];
  const chosen =
    schema === undefined || options.type === undefined ? undefined : await chooseType(schema, options.type);
  const batches = opened.map(async (one): Promise<PlannedInput> => {
    const onProgress = progressOf(`Reading ${one.name}`);
    const { store, input } = await storeMessages(one, choice, { limit: options.limit, nextTurn, onProgress });
    return { selected: { store, ordinals: allMessages(store) }, input };
  });
  let messages = 0;
  const eachSelected = {
    async *[Symbol.asyncIterator]() {
      messages = 0;
      for await (const { selected, input } of batches.each()) {
        messages += input.messages;
        yield selected;
      }
    },
  };
  const isChosen = chosen !== undefined || options.byNumber;
  const sources = isChosen ? [] : only === undefined ? await typeSources(schema, 'payloads') : [sourceOf(only)];
  const reading = isChosen ? planChosen(chosen?.type ?? null) : await planMessages(eachSelected, sources);
  if (reading.unlike !== undefined) throw refuseUnlike(reading.unlike);
  notes.push(...printPlan(reading, plural(messages, 'message')));
  const library = libraryOf(chosen === undefined ? sources : [chosen.schema]);
  const type = chosen?.type ?? (reading.type === null ? null : (typeNamed(library, reading.type) ?? null));
  const request = { library, type, types: {}, evidence: {}, guesses: new Map() };
  const plan = { reading, groups: {}, evidence: new Map() };
  const common = {
    request,
    plan,
    notes,
    caveats: faultNotes(schema),
    schema,
    pool,
    paths: options,
    chosen: chosen?.type,
  };
  return [{ ...common, isCapture: false, isAsked: () => true, groups: [] }, batches];
}

/** Read together, as one type or by number, the figures would mix them. */
function refuseUnlike(unlike: UnlikeFiles): Refusal {
  return new Refusal(
    `${ofDifferentTypes(unlike)}. Give those of one type, or read all as one with --type, or with --by-number`,
    typesOfFiles(unlike).map((line) => `wirecost: ${line}`),
  );
}

async function ofCaptures(
  opened: Batches<OpenedInput>,
  options: Options,
  pool: Pool,
  only: SchemaFiles | undefined,
): Promise<readonly [Settled, Batches<PlannedInput>]> {
  const given = only ?? (await readCaptureSchema(options.schema));
  let refused: unknown = null;
  const choosing = chosenOf(options, given).catch((refusal: unknown) => {
    // The capture may hold its descriptor.
    if (!given.isBundled) throw refusal;
    refused = refusal;
    return undefined;
  });
  let means = await meansOf(given, await choosing, options, only);
  // With a single schema, it stays the one that has the chosen type.
  const mayReflect = given.isBundled && (only === undefined || means.type === undefined);
  let read = opened.map(async (one) => {
    const { asking } = means;
    const withoutLayout = new Map<string, number>();
    const onMessage = (message: TableRow): void => {
      if (asking.isWithoutLayout(message)) countMore(withoutLayout, printReason(message));
    };
    const onProgress = progressOf(`Reading ${one.name}`);
    const control = { ...(await captureOptions(options)), nextTurn, onMessage, onProgress, pool };
    const { store, input } = await storeMessages(one, {}, control);
    return { store, input, asked: askedIn(store, asking), withoutLayout };
  });
  const withoutLayout = new Map<string, number>();
  let seen = new AskedGroups();
  const sets: Uint8Array[] = [];
  for await (const { store, asked, withoutLayout: more } of read.each()) {
    for (const [reason, count] of more) countMore(withoutLayout, reason, count);
    seen.enter(store, asked);
    const set = mayReflect ? await reflectedSchema(store) : null;
    if (set !== null) sets.push(set);
  }
  const own = sets.length === 0 ? undefined : await readReflected(sets);
  if (own === undefined && refused !== null) throw refused;
  if (own !== undefined) {
    means = await meansOf(own, await chosenOf(options, own), options, only);
    const { asking } = means;
    read = read.map(async (one) => ({ ...one, asked: askedIn(one.store, asking) }));
    seen = new AskedGroups();
    for await (const { store, asked } of read.each()) seen.enter(store, asked);
  }
  const { schema, type, sources, library, asking } = means;
  const eachStore = async function* () {
    for await (const { store } of read.each()) yield store;
  };
  const compared = options.byNumber ? undefined : sources;
  const { types, evidence, plans, groups, ordinalsIn } = await seen.decide(type, library, eachStore(), compared);
  const batches = read.map(
    async ({ store, input, asked }): Promise<PlannedInput> => ({
      selected: { store, ordinals: ordinalsIn(store, asked) },
      input,
    }),
  );
  const readings = Object.fromEntries(
    groups.map((group) => [group.key, readingOfGroup(library, group, types, evidence, contradictedBy(plans))]),
  );
  const leftOut = [...withoutLayout].map(
    ([reason, messages]) => `wirecost: ${plural(messages, 'message')} of ${reason}`,
  );
  const notes = [...schema.notes, ...leftOut];
  const caveats = [...faultNotes(schema), ...leftOut];
  const request = { library, type: null, types, evidence, guesses: new Map() };
  const undecided = new Map([...plans].filter(([key]) => types[key] === undefined));
  const plan = { reading: null, groups: readings, evidence: undecided };
  const isAsked = (message: TableRow) => asking.isNamed(message) || asking.isOpen(message);
  const common = { request, plan, notes, caveats, schema, pool, paths: options, chosen: type };
  return [{ ...common, isCapture: true, isAsked, groups }, batches];
}

/** The type of `--type`. @throws Refusal */
const chosenOf = async ({ type }: Options, schema: SchemaFiles): Promise<MessageDescriptor | undefined> =>
  type === undefined ? undefined : (await chooseType(schema, type)).type;

/** With which types messages of captures are read, and which of them are asked for. */
async function meansOf(
  schema: SchemaFiles,
  type: MessageDescriptor | undefined,
  { method, direction }: Options,
  only: SchemaFiles | undefined,
) {
  const given = schema.isBundled ? undefined : schema;
  const sources = only === undefined ? await typeSources(given, 'capture') : [sourceOf(schema)];
  const library = libraryOf(sources);
  return { schema, type, sources, library, asking: askFor(library, { method, direction, type }) };
}

/** The only note about the bundled schemas names them. */
const faultNotes = (schema: SchemaFiles | undefined): string[] =>
  schema === undefined || schema.isBundled ? [] : [...schema.notes];

const countMore = (counts: Map<string, number>, key: string, count = 1): void =>
  void counts.set(key, (counts.get(key) ?? 0) + count);

/** Figures of a capture: its groups without a named type are listed with their evidence. */
export function noteGroups({ isCapture, plan, schema, groups, notes }: Settled): void {
  if (isCapture && schema !== undefined) notes.splice(schema.notes.length, 0, ...groupNotes(groups, plan.evidence));
}

/** Why a native message has no layout, in words that follow the number of such messages. */
const printReason = (message: TableRow): string =>
  lacksRequest(message)
    ? `${message.transport}, native without a request in the capture: only that names the action, and so the layout of a response`
    : `${message.transport}, native without a layout: as protobuf the bytes would mean nothing`;
