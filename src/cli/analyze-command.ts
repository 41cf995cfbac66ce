/** `analyze`: inputs and a schema → one profile over all payloads, one for each type in captures, as text or JSON. */
import { type AnalyzeRequest, analyze, type Report } from '#engine/analysis/analyze.ts';
import { assignTypes } from '#engine/analysis/assign-type.ts';
import { TypeClassifier } from '#engine/analysis/classify-type.ts';
import { isNative, NativeLayouts } from '#engine/analysis/native-reading.ts';
import { guessFrom, guessSample, planChosen, planReading, type ReadingPlan } from '#engine/analysis/plan-reading.ts';
import { openInput } from '#engine/analysis/read-input.ts';
import { mergeProfiles } from '#engine/cost/merge-profiles.ts';
import type { Profile } from '#engine/cost/profile.ts';
import type { Message } from '#engine/frame/message.ts';
import { type InputChoice, readPayloads } from '#engine/frame/payload.ts';
import type { Diagnostic } from '#engine/model/diagnostic.ts';
import { LAID_OUT, NATIVE_PROFILES, type NativeProfile } from '#engine/native/profiles.ts';
import type { MessageDescriptor } from '#engine/schema/descriptor.ts';
import { isGuessed } from '#engine/wire/guessed.ts';
import { BadArguments, LIMIT_USAGE, type Options, parseOptions } from './arguments.ts';
import { CompressedSizes, printCompressed } from './compressed-sizes.ts';
import { withSource } from './file-source.ts';
import { CHOICES_USAGE, checkChoice } from './input-choice.ts';
import { printInput } from './input-text.ts';
import { whyNoMessage } from './no-message.ts';
import { type Outcome, Refusal, success } from './outcome.ts';
import { planJson, printWholePlan } from './plan-text.ts';
import { printJson } from './profile-json.ts';
import { printDiagnostic, printProfile } from './report-text.ts';
import { checkSound, findType, printPlan, readCaptureSchema, readSchema, typeSources } from './schema.ts';
import { plural, printPercent } from './text-table.ts';
import { UntypedGroups } from './untyped-groups.ts';

/** Of every command that measures. */
export const MEASURE_USAGE = `  -s, --schema PATH     a .proto file, a folder of them, or a descriptor set; may be repeated
  -t, --type NAME       the message type; without it, the one that the messages show to be theirs, of the schema or of
                        the bundled ones. Of a capture, only messages of this type, and those selected that name none
      --by-number       payloads are read by field numbers, whatever types would fit
      --method TEXT     of a capture, only messages whose method contains it
      --direction WAY   of a capture, only requests, or only responses: request, response
${LIMIT_USAGE}
      --native PROFILE  how the native side is written: ${NATIVE_PROFILES.map(({ id }) => id).join(', ')}
${CHOICES_USAGE}
`;

export const ANALYZE_USAGE = `usage: wirecost analyze INPUT... [options]

INPUT is a file, or - for the standard input. All payloads are added up into one profile; where no type
is shown to be theirs, by field numbers. Packet captures (pcap, pcapng,
HAR, gzipped or not) give one for each type; they are read with the bundled schemas where no --schema is given. Native
messages are read by the layout that their action has in the schema; those without one are left out.

${MEASURE_USAGE}      --compressed      what both encodings take after gzip, snappy and zstd, each message compressed alone
      --explain         how the inputs are read, and why, in place of the figures
      --json            the profile as JSON (docs/profile-json.md)
`;

const SHOWN_DIAGNOSTICS = 20;

export async function analyzeCommand(args: readonly string[]): Promise<Outcome> {
  const options = parseOptions(args, [...MEASURE_OPTIONS, 'compressed', 'explain', 'json']);
  const compressed = options.compressed ? await CompressedSizes.load() : null;
  const measured = await measure(options, compressed?.add);
  const { profiles, reports, nativeProfile, notes } = measured;
  if (options.explain) return success(options.json ? planJson(measured) : printWholePlan(measured), notes);
  await compressed?.settled();
  return options.json
    ? success(printJson(profiles, reports, compressed), notes)
    : success(printReport(profiles, reports, nativeProfile, compressed), notes);
}

export const MEASURE_OPTIONS = [
  'schema',
  'type',
  'by-number',
  'method',
  'direction',
  'native',
  'limit',
  'framing',
  'text-encoding',
] as const;

export interface Measured {
  /** Most protobuf bytes first. */
  readonly profiles: readonly Profile[];
  /** One an input. */
  readonly reports: readonly Report[];
  readonly nativeProfile: NativeProfile;
  /** How messages were read: which of them, and as what. */
  readonly request: AnalyzeRequest;
  /** What payloads are read as, and why; null: a capture, whose transports name types. */
  readonly plan: ReadingPlan | null;
  /** What is to be said beside the figures. */
  readonly notes: readonly string[];
}

/** Reads all inputs and adds them up, as every command does that is about figures. @throws BadArguments, Refusal */
export async function measure(options: Options, both?: AnalyzeRequest['both']): Promise<Measured> {
  if (options.inputs.length === 0) throw new BadArguments('It takes at least one INPUT');
  const choice = checkChoice(options);
  const captures: string[] = [];
  for (const input of options.inputs) {
    const { kind } = await withSource(input, (source) => openInput(source, choice));
    if (kind === 'capture') captures.push(input);
  }
  if (captures.length > 0 && captures.length < options.inputs.length) {
    throw new Refusal(`Captures and payloads are analysed apart; the captures are ${captures.join(', ')}`);
  }
  // What was captured natively is as its schema lays it out.
  const byDefault = captures.length > 0 ? LAID_OUT : NATIVE_PROFILES[0]!;
  const nativeProfile = options.native === undefined ? byDefault : nativeProfileOf(options.native);
  const {
    request: asked,
    plan = null,
    notes,
    afterwards,
  } = captures.length > 0
    ? await captureRequest(options, nativeProfile)
    : await payloadsRequest(options, choice, nativeProfile);
  const read = async (request: AnalyzeRequest): Promise<readonly Report[]> => {
    const reports: Report[] = [];
    for (const input of options.inputs) {
      reports.push(await withSource(input, (source) => analyze(source, choice, request, { limit: options.limit })));
    }
    return reports;
  };
  let request: AnalyzeRequest = { ...asked, both };
  let reports = await read(request);
  if (isGuessed(asked.type) && unattributedIn(reports) > 0) {
    // The sample did not show all: by field numbers alone, more may be explained.
    const flat = { ...request, type: undefined };
    const again = await read(flat);
    if (unattributedIn(again) < unattributedIn(reports)) [request, reports] = [flat, again];
  }
  const without = reports.flatMap(({ input }) => whyNoMessage(input) ?? []);
  if (without.length === reports.length) throw new Refusal(without.join('\n'), readingNotes(reports));
  if (captures.length === 0) notes.push(...without.map((why) => `wirecost: ${why}`));
  const profiles = mergeByType(reports.flatMap((report) => report.profiles));
  notes.push(...(afterwards?.() ?? []));
  if (captures.length > 0 && profiles.every(({ messages }) => messages === 0)) {
    throw noneSelected(reports, options, notes);
  }
  const left = reports.reduce((sum, { leftOut }) => sum + leftOut.messages, 0);
  if (left > 0) notes.push(`wirecost: ${plural(left, 'message')} left out; --method and --type select others`);
  notes.push(...nativeCoverage(reports));
  return { profiles, reports, nativeProfile, request, plan, notes };
}

const unattributedIn = (reports: readonly Report[]): number =>
  reports.reduce((sum, { profiles }) => sum + profiles.reduce((bytes, { unattributed }) => bytes + unattributed, 0), 0);

/** How far layouts explain the native messages that were asked for. */
function nativeCoverage(reports: readonly Report[]): readonly string[] {
  const sum = (of: keyof Report['native']) => reports.reduce((total, { native }) => total + native[of], 0);
  const [messages, bytes] = [sum('messages'), sum('bytes')];
  if (messages === 0) return [];
  const share = bytes === 0 ? 1 : sum('explained') / bytes;
  return [
    `wirecost: layouts explain ${sum('whole')} of ${plural(messages, 'native message')} to the last byte, ${printPercent(share)} of their ${plural(bytes, 'byte')}`,
  ];
}

interface Planned {
  readonly request: AnalyzeRequest;
  /** Of payloads. */
  readonly plan?: ReadingPlan;
  readonly notes: string[];
  /** What is to be said once all is read. */
  readonly afterwards?: () => readonly string[];
}

async function payloadsRequest(options: Options, choice: InputChoice, nativeProfile: NativeProfile): Promise<Planned> {
  if (options.method !== undefined) throw new BadArguments('--method is for captures; payloads have no methods');
  if (options.direction !== undefined) throw new BadArguments('--direction is for captures; payloads have none');
  if (options.schema.length === 0 && options.type !== undefined) throw new BadArguments('--type needs a --schema');
  if (options.type !== undefined && options.byNumber)
    throw new BadArguments('--type and --by-number exclude each other');
  const schema = options.schema.length === 0 ? undefined : await readSchema(options.schema);
  const notes = [...(schema?.notes ?? [])];
  if (schema !== undefined && options.type !== undefined) {
    const type = findType(schema, options.type);
    return { request: { type, nativeProfile }, notes, plan: planChosen(type) };
  }
  const classifier = options.byNumber ? undefined : new TypeClassifier(await typeSources(schema));
  const guess = guessSample();
  await eachPayload(options.inputs, choice, (payload) => {
    classifier?.sample.add(payload);
    guess.add(payload);
  });
  const plan = classifier === undefined ? planChosen(null) : planReading(classifier);
  notes.push(...printPlan(plan, plural(guess.seen, 'message')));
  const type = plan.type === null ? guessFrom(guess) : classifier?.typeNamed(plan.type);
  return { request: { type, nativeProfile }, notes, plan };
}

async function captureRequest(options: Options, nativeProfile: NativeProfile): Promise<Planned> {
  const { method, direction } = options;
  const schema = await readCaptureSchema(options.schema);
  const type: MessageDescriptor | undefined = options.type === undefined ? undefined : findType(schema, options.type);
  const assign = assignTypes(schema.registry, { method, direction, type });
  const unknown = new UntypedGroups(schema);
  const native = new NativeLayouts(schema.registry);
  const natively = new Map<string, number>();
  const assigns = (message: Message) => {
    const assigned = assign(message);
    const isUnread = assigned === 'left out' && isNative(message) && native.typesOf(message).length === 0;
    if (isUnread && (message.method ?? '').includes(method ?? '')) {
      natively.set(message.transport, (natively.get(message.transport) ?? 0) + 1);
    }
    return typeof assigned === 'string' ? assigned : checkSound(schema, assigned);
  };
  return {
    request: { type, nativeProfile, assigns, untyped: unknown.add, native },
    notes: [...schema.notes],
    afterwards: () => [...unknown.notes(), ...[...natively].map(printNatively)],
  };
}

const printNatively = ([transport, messages]: readonly [string, number]): string =>
  `wirecost: ${plural(messages, 'message')} of ${transport} ${messages === 1 ? 'is' : 'are'} native without a layout; as protobuf they would mean nothing`;

function noneSelected(
  reports: readonly Report[],
  { method, direction, type }: Options,
  notes: readonly string[],
): Refusal {
  const asked = [
    method === undefined ? '' : `of a method with ${method}`,
    direction === undefined ? '' : `that is a ${direction}`,
    type === undefined ? '' : `of type ${type}`,
  ];
  const what = asked.filter((part) => part !== '').join(' and ') || 'of a type that the schemas know';
  const held = reports.reduce((sum, { input }) => sum + input.messages, 0);
  return new Refusal(
    `No message ${what} among the ${plural(held, 'message')}; "wirecost messages" lists them, --method and --type select`,
    [...readingNotes(reports), ...notes],
  );
}

/** What was found while reading, in place of figures. */
function readingNotes(reports: readonly Report[]): readonly string[] {
  const found = reports.flatMap(({ input, diagnostics }) => [...input.diagnostics, ...diagnostics]);
  return found
    .filter(({ code }) => code !== 'frame/no-message')
    .map(printDiagnostic)
    .slice(0, SHOWN_DIAGNOSTICS);
}

/** Most protobuf bytes first. A capture that gave no message has an empty profile, which counts only where all are. */
function mergeByType(profiles: readonly Profile[]): readonly Profile[] {
  const merged = new Map<string, Profile>();
  const full = profiles.filter(({ messages }) => messages > 0);
  for (const profile of full.length > 0 ? full : profiles) {
    const known = merged.get(profile.type);
    merged.set(profile.type, known === undefined ? profile : mergeProfiles(known, profile));
  }
  return [...merged.values()].sort((a, b) => b.bytes.protobuf - a.bytes.protobuf);
}

function printReport(
  profiles: readonly Profile[],
  reports: readonly Report[],
  { label }: NativeProfile,
  compressed: CompressedSizes | null,
): string {
  const findings: readonly Diagnostic[] = reports.flatMap(({ input, diagnostics }) => [
    ...input.diagnostics,
    ...diagnostics,
  ]);
  const shown = findings.slice(0, SHOWN_DIAGNOSTICS).map(printDiagnostic);
  if (findings.length > shown.length) shown.push(`and ${findings.length - shown.length} more; --json has them all`);
  return [
    reports.map(({ input }) => printInput(input)).join(''),
    ...profiles.flatMap((profile) => {
      const sizes = compressed?.of(profile.type) ?? [];
      return [
        printProfile(profile, label, profiles.length === 1 ? findings : []),
        sizes.length === 0 ? '' : printCompressed(sizes),
      ];
    }),
    shown.map((line) => `${line}\n`).join(''),
  ]
    .filter((part) => part !== '')
    .join('\n');
}

function nativeProfileOf(id: string): NativeProfile {
  const found = NATIVE_PROFILES.find((profile) => profile.id === id);
  if (found === undefined) {
    throw new BadArguments(
      `No native profile ${id}; there are ${NATIVE_PROFILES.map((profile) => profile.id).join(', ')}`,
    );
  }
  return found;
}

async function eachPayload(
  inputs: readonly string[],
  choice: InputChoice,
  take: (payload: Uint8Array) => void,
): Promise<void> {
  for (const input of inputs) {
    await withSource(input, (source) => readPayloads(source, choice, (_, payload) => take(payload)));
  }
}
