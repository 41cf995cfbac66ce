/** Inputs, a schema and choices → profiles, findings and the plan, for every command that prints figures. */

import { loadAgainst, loadLossCounter } from '#engine/analysis/against.ts';
import { type Coverage, coverageOf } from '#engine/analysis/coverage.ts';
import type { LossPlace } from '#engine/analysis/first-loss.ts';
import type { ProfilerOptions } from '#engine/analysis/message-profiler.ts';
import { guessTypes, type ReadingRequest } from '#engine/analysis/message-reading.ts';
import type { MessagesRun, NativeCoverage, OwnFindings, Selected } from '#engine/analysis/messages-run.ts';
import { typeOfGroup } from '#engine/analysis/plan/group-readings.ts';
import { isNative } from '#engine/analysis/plan/native-reading.ts';
import type { InputRead } from '#engine/analysis/read-input.ts';
import { runMessages } from '#engine/analysis/run-messages.ts';
import type { MessageStore } from '#engine/analysis/store/message-store.ts';
import type { TableRow } from '#engine/analysis/store/message-table.ts';
import { mergeProfiles } from '#engine/cost/merge-profiles.ts';
import { PROTOBUF, type Profile, totalIn } from '#engine/cost/profile.ts';
import { native } from '#engine/frame/framing/native.ts';
import type { Diagnostic, LostValues } from '#engine/model/diagnostic.ts';
import { defaultProfile } from '#engine/native/default-profile.ts';
import { NATIVE_PROFILES, type NativeProfile } from '#engine/native/profiles.ts';
import type { MessageDescriptor } from '#engine/schema/descriptor.ts';
import { visible } from '#wording/visible.ts';
import type { Batches } from '../inputs/input-batches.ts';
import { printLosses, whyNoMessage } from '../inputs/no-message.ts';
import {
  type MeasurePlan,
  noteGroups,
  type Paths,
  type Planned,
  type PlannedInput,
  type Settled,
  withPlan,
  withPlanOfMany,
} from '../inputs/plan-inputs.ts';
import { BadArguments, type Options } from '../options/arguments.ts';
import { ENCODING_IDS } from '../options/ledger-choice.ts';
import { groupNames } from '../output/group-notes.ts';
import { Refusal } from '../output/outcome.ts';
import { progressOf } from '../output/progress.ts';
import { printDiagnostic } from '../output/report-text.ts';
import { plural, printCount, printPercent } from '../output/text-table.ts';
import { KeyedProfiles } from './keyed-profiles.ts';

/** Values of --native; most native profiles are encodings, too. */
export const SIDES: readonly string[] = [...new Set([...NATIVE_PROFILES.map(({ id }) => id), ...ENCODING_IDS])];

export const MEASURE_OPTIONS = [
  'schema',
  'type',
  'by-number',
  'method',
  'direction',
  'native',
  'limit',
  'keys',
  'framing',
  'text-encoding',
  'workers',
] as const;

/** One input. */
export interface InputReport {
  readonly input: InputRead;
  readonly diagnostics: readonly Diagnostic[];
  /** Messages that are in no profile, and their payload bytes. */
  readonly leftOut: { readonly messages: number; readonly bytes: number };
  readonly native: NativeCoverage;
}

/** A profile, and the keys of the groups whose messages are in it, most bytes first. */
export interface ProfileSection {
  readonly profile: Profile;
  readonly groups: readonly string[];
  readonly findings: OwnFindings;
  /** Payload bytes of the messages, decompressed, and as they are in the streams of captures. */
  readonly bytes: number;
  readonly capturedBytes: number;
}

export interface Measured {
  /** Most protobuf bytes first. */
  readonly profiles: readonly Profile[];
  /** The same, with their inputs and groups. */
  readonly sections: readonly ProfileSection[];
  /** By key of a group: its name. */
  readonly groupNames: ReadonlyMap<string, string>;
  /** One an input. */
  readonly reports: readonly InputReport[];
  /** null: no native side was requested. */
  readonly nativeProfile: NativeProfile | null;
  /** Whether the options name it. */
  readonly isNativeChosen: boolean;
  /** How messages are read. */
  readonly request: ReadingRequest;
  /** Whether a single message was requested. */
  readonly isAsked: (message: TableRow) => boolean;
  readonly paths: Paths;
  readonly plan: MeasurePlan;
  /** The messages of captures that layouts and types explain; null: payloads, which have one type. */
  readonly coverage: Coverage | null;
  /** Notes that are printed beside the figures. */
  readonly notes: readonly string[];
  /** Notes among them that change the meaning of the figures. */
  readonly caveats: readonly string[];
}

/** The needs of a command beside profiles of the captured messages. */
export interface Needs extends Pick<ProfilerOptions, 'both' | 'collectLedgers'> {
  /** Whether it compares with a native profile if the options name none; it does by default. */
  readonly compares?: boolean;
  /**
   * Whether it prints findings: those about values that an encoding does not carry then have the place of the first
   * one. Otherwise findings that change the meaning of figures are notes.
   */
  readonly lists?: boolean;
}

export interface InputPlace extends LossPlace {
  /** Index of its input. */
  readonly input: number;
}

/** The first of each of these values, in their order; null: no message has it. */
export type FindLosses = (wanted: readonly LostValues[]) => Promise<readonly (InputPlace | null)[]>;

/** Reads all inputs and adds them up. @throws BadArguments, Refusal */
export const measure = (options: Options, needs: Needs = {}): Promise<Measured> =>
  withMeasured(options, needs, async (measured) => measured);

/** The same; the messages can be searched while `use` runs. */
export async function withMeasured<T>(
  options: Options,
  needs: Needs,
  use: (measured: Measured, findLosses: FindLosses) => Promise<T>,
): Promise<T> {
  return withPlan(options, async (planned) => {
    noteGroups(planned);
    const { isCapture, request, plan, notes, caveats, isAsked, selected, paths } = planned;
    const warn = (...of: readonly string[]): void => {
      notes.push(...of);
      caveats.push(...of);
    };
    const { runs, sections, reports, sides, mayBeNative } = await runPlanned(planned, options, needs);
    const without = reports.flatMap(({ input }) => whyNoMessage(input) ?? []);
    if (without.length === reports.length) throw new Refusal(without.join('\n'), readingNotes(reports));
    if (!isCapture) warn(...without.map((why) => `wirecost: ${why}`));
    if (mayBeNative && sections.every(({ profile }) => profile.messages === 0))
      throw noneSelected(reports, options, notes);
    const left = reports.reduce((sum, { leftOut }) => sum + leftOut.messages, 0);
    if (left > 0) warn(`wirecost: ${plural(left, 'message')} left out; --method and --type select others`);
    notes.push(...nativeCoverage(reports));
    if (!needs.lists) warn(...reports.flatMap(({ diagnostics }) => notesOfTouched(diagnostics)), ...lacksOf(reports));
    const profiles = sections.map(({ profile }) => profile);
    const coverage = isCapture ? coverageOf(runs) : null;
    const names = groupNames(selected.flatMap(({ store }) => store.messages.groups.all()));
    const { nativeProfile, isNativeChosen } = sides;
    const figures = { profiles, sections, groupNames: names, reports, coverage, notes, caveats };
    const measured = { ...figures, nativeProfile, isNativeChosen, request, isAsked, plan, paths };
    return use(measured, (wanted) => findLosses(planned, wanted));
  });
}

const notesOfTouched = (diagnostics: readonly Diagnostic[]): readonly string[] =>
  diagnostics.filter(({ code }) => code === 'schema/touched-type').map(printDiagnostic);

/** Bytes and traffic of the inputs that are in no message. */
function lacksOf(reports: readonly InputReport[]): readonly string[] {
  const inputs = reports.map(({ input }) => input).filter(({ messages }) => messages > 0);
  const lossy = inputs.flatMap((input) => printLosses(input).trimEnd().split('\n').filter(Boolean));
  const rests = inputs.flatMap((input) => (input.kind === 'capture' || input.unattributedBytes === 0 ? [] : [input]));
  const bytes = rests.reduce((sum, { unattributedBytes }) => sum + unattributedBytes, 0);
  const of = rests.length === 1 ? visible(rests[0]!.name) : plural(rests.length, 'input');
  const rest = bytes === 0 ? [] : [`${plural(bytes, 'byte')} of ${of} ${bytes === 1 ? 'is' : 'are'} in no message`];
  return [...new Set([...lossy.slice(0, SHOWN_DIAGNOSTICS), ...rest])].map((words) => `wirecost: ${words}`);
}

async function findLosses({ selected, request }: Planned, wanted: readonly LostValues[]) {
  const places: (InputPlace | null)[] = wanted.map(() => null);
  const { firstLosses } = await import('#engine/analysis/first-loss.ts');
  for (const [at, one] of selected.entries()) {
    const open = [...wanted.keys()].filter((index) => places[index] === null);
    if (open.length === 0) break;
    const left = open.map((index) => wanted[index]!);
    const found = await firstLosses(one, left, request, { onProgress: progressOf(LOOKING_FOR_LOSSES) });
    for (const [index, place] of found.entries()) if (place !== null) places[open[index]!] = { input: at, ...place };
  }
  return places;
}

const holdsNative = (selected: readonly Selected[]): boolean =>
  selected.some(({ store }) => store.messages.groups.all().some(isNative));

/** The planned messages, added up. Nothing is refused. @throws BadArguments */
export async function runPlanned(
  { isCapture, request, selected, inputs, pool }: Planned,
  options: Options,
  { compares = true, lists = false, ...collected }: Needs = {},
) {
  const mayBeNative = isCapture || options.framing === native.id;
  const isCaptured = options.framing === native.id || holdsNative(selected);
  const sides = await secondSide(options.native, isCaptured, compares, request.type);
  const onProgress = progressOf('Adding up the bytes');
  const runs = await runMessages(selected, { ...request, ...sides, ...collected }, { pool, onProgress });
  const sections = mergeSections(runs, isCapture);
  const reports: InputReport[] = [];
  for (const [at, run] of runs.entries()) {
    const report = reportOf(inputs[at]!, selected[at]!, run);
    reports.push(lists ? await located(report, selected[at]!, request) : report);
  }
  return { runs, sections, reports, sides, mayBeNative };
}

const LOOKING_FOR_LOSSES = 'Looking for values that an encoding does not carry';

async function located(report: InputReport, selected: Selected, request: ReadingRequest): Promise<InputReport> {
  if (report.diagnostics.every(({ lost }) => lost === undefined)) return report;
  const { withLossPlaces } = await import('#engine/analysis/first-loss.ts');
  const onProgress = progressOf(LOOKING_FOR_LOSSES);
  return { ...report, diagnostics: await withLossPlaces(selected, report.diagnostics, request, { onProgress }) };
}

/** Messages of a key that have the same sides. */
interface KeyPart {
  readonly key: string;
  readonly isLaidOut: boolean;
  readonly some: { readonly store: MessageStore; readonly ordinals: number[] }[];
}

/** Inputs of `measureByKey` that are in memory at once. */
const AT_ONCE = 100;

/**
 * Adds up any number of inputs. All are read as the same types.
 * @param keyOf a message's input, by name, and its time (ms since the epoch; null: none) → what its profile is apart by
 */
export async function measureByKey(
  options: Options,
  keyOf: (input: string, time: number | null) => string,
): Promise<{ readonly keyed: KeyedProfiles; readonly notes: readonly string[] }> {
  return withPlanOfMany(options, AT_ONCE, async (settled, batches) => {
    noteGroups(settled);
    const { isCapture, request, notes, pool } = settled;
    const guessed = guessedGroups(settled);
    if (guessed.size > 0) await guessTypes(storesOf(batches), guessed, request.guesses);
    for (;;) {
      const keyed = new KeyedProfiles();
      const read = new Map<string, unknown>();
      const touched = new Set<string>();
      let isOneReading = true;
      for await (const batch of batches) {
        for (const { key, isLaidOut, some } of partsByKey(batch, options, keyOf)) {
          const sides = await secondSide(options.native, isLaidOut, false);
          const chosen = some.map(({ store, ordinals }) => ({ store, ordinals: Uint32Array.from(ordinals) }));
          const onProgress = progressOf('Adding up the bytes');
          const runs = await runMessages(chosen, { ...request, ...sides }, { pool, onProgress });
          for (const { profile } of mergeSections(runs, isCapture)) keyed.enter(key, profile);
          for (const note of runs.flatMap(({ diagnostics }) => notesOfTouched(diagnostics))) touched.add(note);
          for (const [group, guess] of request.guesses) {
            if (read.has(group) && read.get(group) !== guess) isOneReading = false;
            read.set(group, guess);
          }
        }
      }
      // A message may refute a guess that others were read by: all are read again without it.
      if (isOneReading) return { keyed, notes: [...notes, ...touched] };
    }
  });
}

/** Keys of the groups without a type. */
function guessedGroups({ isCapture, request: { library, type, types, evidence }, groups }: Settled): Set<string> {
  if (!isCapture) return new Set(type === null ? [''] : []);
  const open = groups.filter((group) => !isNative(group) && typeOfGroup(library, group, types, evidence) === undefined);
  return new Set(open.map(({ key }) => key));
}

async function* storesOf(batches: Batches<PlannedInput>): AsyncGenerator<MessageStore> {
  for await (const { selected } of batches.each()) yield selected.store;
}

function partsByKey(
  batch: readonly PlannedInput[],
  { framing }: Options,
  keyOf: (input: string, time: number | null) => string,
): Iterable<KeyPart> {
  const parts = new Map<string, KeyPart>();
  for (const { selected, input } of batch) {
    const { store, ordinals } = selected;
    const { messages } = store;
    for (const ordinal of ordinals) {
      const time = messages.timeAt(ordinal);
      const key = keyOf(input.name, Number.isNaN(time) ? null : time);
      // By its own form, not by that of other inputs: these may be in another run.
      const isLaidOut = framing === native.id || isNative(messages.groups.at(messages.groupAt(ordinal)));
      const id = `${isLaidOut} ${key}`;
      const part = parts.get(id) ?? { key, isLaidOut, some: [] };
      parts.set(id, part);
      if (part.some.at(-1)?.store !== store) part.some.push({ store, ordinals: [] });
      part.some.at(-1)!.ordinals.push(ordinal);
    }
  }
  return parts.values();
}

function reportOf(input: InputRead, { store }: Selected, { origins, diagnostics, native }: MessagesRun): InputReport {
  const entered = origins.reduce((sum, { messages }) => sum + messages, 0);
  const bytes = origins.reduce((sum, origin) => sum + origin.bytes, 0);
  const { length, plainBytes } = store.messages;
  return { input, diagnostics, leftOut: { messages: length - entered, bytes: plainBytes - bytes }, native };
}

/**
 * Most protobuf bytes first. In captures, each group without a type is a section of its own. Empty profiles count only
 * if all are empty.
 */
function mergeSections(runs: readonly MessagesRun[], isCapture: boolean): readonly ProfileSection[] {
  const merged = new Map<string, ProfileSection>();
  const sections = runs.flatMap(({ profiles, origins }) =>
    profiles.map((profile, at): ProfileSection => {
      const { groups, findings, bytes, capturedBytes } = origins[at]!;
      return { profile, groups, findings, bytes, capturedBytes };
    }),
  );
  const full = sections.filter(({ profile }) => profile.messages > 0);
  for (const section of full.length > 0 ? full : sections) {
    const { profile, groups, findings } = section;
    // Messages that were captured in another encoding have a ledger of their own.
    const side = profile.other === undefined ? '' : profile.pair.join(' ');
    const key = profile.type === '' && isCapture ? ['', ...groups].join('\n') : `${profile.type} ${side}`;
    const known = merged.get(key);
    if (known === undefined) merged.set(key, section);
    else {
      const all = new Set([...known.groups, ...groups]);
      const diagnostics = [...known.findings.diagnostics, ...findings.diagnostics];
      const head = known.findings.head ?? findings.head;
      merged.set(key, {
        ...{ profile: mergeProfiles(known.profile, profile), groups: [...all] },
        findings: { diagnostics, head },
        bytes: known.bytes + section.bytes,
        capturedBytes: known.capturedBytes + section.capturedBytes,
      });
    }
  }
  return [...merged.values()].sort((a, b) => totalIn(b.profile, PROTOBUF) - totalIn(a.profile, PROTOBUF));
}

/** The share of the requested native messages that layouts explain to the last byte. */
function nativeCoverage(reports: readonly InputReport[]): readonly string[] {
  const sum = (of: keyof NativeCoverage) => reports.reduce((total, { native }) => total + native[of], 0);
  const [messages, bytes] = [sum('messages'), sum('bytes')];
  if (messages === 0) return [];
  const share = bytes === 0 ? 1 : sum('explained') / bytes;
  return [
    `wirecost: layouts explain to the last byte ${printCount(sum('whole'))} of ${plural(messages, 'native message')} that have one, ${printPercent(share)} of their ${plural(bytes, 'byte')}`,
  ];
}

const SHOWN_DIAGNOSTICS = 20;

function noneSelected(
  reports: readonly InputReport[],
  { method, direction, type }: Options,
  notes: readonly string[],
): Refusal {
  const asked = [
    method === undefined ? '' : `of a method with ${method}`,
    direction === undefined ? '' : `that is a ${direction}`,
    type === undefined ? '' : `of type ${type}`,
  ];
  const what = asked.filter((part) => part !== '').join(' and ') || 'that is protobuf or has a layout';
  const held = reports.reduce((sum, { input }) => sum + input.messages, 0);
  return new Refusal(
    `No message ${what} among the ${plural(held, 'message')}; "wirecost messages" lists them, --method and --type select`,
    [...readingNotes(reports), ...notes],
  );
}

/** Findings from reading, printed in place of figures. */
function readingNotes(reports: readonly InputReport[]): readonly string[] {
  const found = reports.flatMap(({ input, diagnostics }) => [...input.diagnostics, ...diagnostics]);
  return found
    .filter(({ code }) => code !== 'frame/no-message')
    .map(printDiagnostic)
    .slice(0, SHOWN_DIAGNOSTICS);
}

/**
 * The native profile of the options, or an encoding in its place. For inputs without native messages, there is a default
 * only if the command compares.
 * @throws BadArguments
 */
async function secondSide(
  id: string | undefined,
  isNativeInput: boolean,
  compares: boolean,
  type: MessageDescriptor | null = null,
): Promise<Pick<ProfilerOptions, 'nativeProfile' | 'countLosses' | 'against'> & { readonly isNativeChosen: boolean }> {
  const byDefault = isNativeInput || compares ? defaultProfile(isNativeInput, type) : null;
  if (id === undefined) return { nativeProfile: byDefault, isNativeChosen: false };
  const nativeProfile = NATIVE_PROFILES.find((profile) => profile.id === id);
  if (nativeProfile !== undefined)
    return { nativeProfile, isNativeChosen: true, countLosses: await loadLossCounter(nativeProfile) };
  const against = await loadAgainst(id);
  if (against !== undefined) return { nativeProfile: byDefault, isNativeChosen: false, against };
  throw new BadArguments(`No native profile or encoding ${id}; there are ${SIDES.join(', ')}`);
}
