/**
 * *Run*: the selected messages of inputs → a profile for each of their types. A group is read as its type, or as the
 * type guessed from its messages. Messages that are not protobuf are counted, but never read as protobuf.
 */
import type { ReadControl } from '../bytes/source.ts';
import type { FormatReader } from '../encodings/format-read.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { needed } from '../model/needed-file.ts';
import type { PayloadFormat } from '../model/payload-format.ts';
import type { MessageDescriptor } from '../schema/descriptor.ts';
import { isGuessed } from '../wire/guessed.ts';
import { FormatReaders } from './format-readers.ts';
import { type Joining, joiningAt } from './joining.ts';
import { type ListedFindings, MAX_DIAGNOSTICS, MessageProfiler, type ProfilerOptions } from './message-profiler.ts';
import { guessKey, headerByLayout, readByLayout, readingOfGroupAt } from './message-reading.ts';
import type { MessagesRun, RunRequest, Selected } from './messages-run.ts';
import type { PackedContents } from './packed-contents.ts';
import { collect, type InputSums, type PartSums } from './part-sums.ts';
import { typeNamed } from './plan/group-readings.ts';
import { withTouched } from './plan/touched-types.ts';
import { eachBody, type Left } from './store/message-body.ts';
import type { MessageStore } from './store/message-store.ts';
import { canCompile, isShareable, type Pool } from './workers/pool.ts';

export interface RunControl extends ReadControl {
  /** Workers that large inputs are shared with; absent: this one does all. */
  readonly pool?: Pool | undefined;
}

/** The messages of an input that are read alike, while they are added up. */
interface Part extends Pick<PartSums, 'key' | 'from' | 'isOfGroup'> {
  /** `opaque`: they cannot be read. */
  readonly reading: MessageDescriptor | undefined | 'opaque';
  readonly format: PayloadFormat | undefined;
  readonly profiler: MessageProfiler | null;
  readonly firsts: Map<number, number>;
  /** Findings at which the layouts of opaque messages stopped. */
  readonly diagnostics: Diagnostic[];
  messages: number;
  bytes: number;
  capturedBytes: number;
  headerBytes: number;
}

/**
 * Adds up inputs, one result each. A guessed type applies to a group in all inputs. However many workers
 * share the work, the results are the same.
 * Rejects as `source.read` does, or with AbortError when cancelled.
 */
export async function runMessages(
  selected: readonly Selected[],
  request: RunRequest,
  control: RunControl,
): Promise<readonly MessagesRun[]> {
  const stores = selected.map(({ store }) => store);
  const shared = await shareRun(request, control.pool, selected);
  const sumsOf = (one: Selected): Promise<InputSums> =>
    shared !== null && isShareable(one, control.pool!)
      ? shared.sumShared(one, stores, request, control, control.pool!, sumMessages)
      : sumMessages(one, stores, request, control);
  const runs: InputSums[] = [];
  for (const one of selected) runs.push(await sumsOf(one));
  const collected = (sums: readonly InputSums[]) =>
    withTouched(
      sums.map((run, at) => collect(stores[at]!, run)),
      request.library,
    );
  const refuted = new Map(
    runs.flatMap(({ parts }, at) => parts.filter(isRefuted).flatMap((part) => guessOf(stores[at]!, part, request))),
  );
  if (refuted.size === 0) return collected(runs);
  // A message outside the sample may differ from the sampled ones. A guess would then lose bytes that field numbers
  // alone explain.
  for (const key of refuted.keys()) request.guesses.set(key, null);
  const better: InputSums[] = [];
  let gain = 0;
  for (const [at, { store, ordinals }] of selected.entries()) {
    const { parts, native } = runs[at]!;
    const isHit = (group: number) => refuted.has(guessKey(store, group));
    const isKept = ({ firsts }: PartSums) => ![...firsts.keys()].some(isHit);
    const again = ordinals.filter((ordinal) => isHit(store.messages.groupAt(ordinal)));
    const plain = again.length === 0 ? [] : (await sumsOf({ store, ordinals: again })).parts;
    gain += unattributedIn(parts.filter((part) => !isKept(part))) - unattributedIn(plain);
    better.push({ parts: [...parts.filter(isKept), ...plain], native });
  }
  if (gain > 0) return collected(better);
  for (const [key, guess] of refuted) request.guesses.set(key, guess);
  return collected(runs);
}

/** null: one worker does all. Others have none of the callbacks, and only what schemas declare. */
async function shareRun(
  { library, type, both, collectLedgers, countLosses, against }: RunRequest,
  pool: Pool | undefined,
  selected: readonly Selected[],
): Promise<typeof import('./workers/shared-run.ts') | null> {
  if (
    pool === undefined ||
    pool.isAlone ||
    !selected.some((one) => isShareable(one, pool)) ||
    !canCompile(library.registries)
  )
    return null;
  if ((both ?? collectLedgers ?? countLosses ?? against) !== undefined) return null;
  if (type !== null && typeNamed(library, type.fullName) !== type) return null;
  return needed(() => import('./workers/shared-run.ts'));
}

/**
 * The sums of some messages of an input.
 * @param stores the inputs that guesses are made from
 * @param left the messages that no other worker takes
 */
export async function sumMessages(
  { store, ordinals }: Selected,
  stores: readonly MessageStore[],
  request: RunRequest,
  control: ReadControl,
  left?: Left,
): Promise<InputSums> {
  const { messages } = store;
  const parts: Part[] = [];
  const native = { messages: 0, whole: 0, bytes: 0, explained: 0 };
  const partOf = (reading: Part['reading'], from: number, isOfGroup: boolean, format?: PayloadFormat): Part => {
    let part = parts.find((known) => known.reading === reading && known.format === format);
    if (part === undefined) {
      const group = isOfGroup && store.messages.length > 0 ? guessKey(store, messages.groupAt(from)) : '';
      part = emptyPart(keyOf(reading, format, group, request), reading, { ...request, format }, from, isOfGroup);
      parts.push(part);
    }
    return part;
  };
  const enter = (part: Part, ordinal: number): void => {
    const group = messages.groupAt(ordinal);
    if (!part.firsts.has(group)) part.firsts.set(group, ordinal);
    part.messages++;
    part.bytes += messages.sizeAt(ordinal);
    part.capturedBytes += messages.capturedSizeAt(ordinal);
    part.headerBytes += messages.headerAt(ordinal);
  };
  const joiningOf = (ordinal: number): Joining | undefined =>
    request.both === undefined ? undefined : joiningAt(store, ordinal);
  const readers = new FormatReaders(request.library);
  const byFormat = new Map<PayloadFormat, FormatReader>();
  /** For each group: the part of its messages; or `native`, where each message is read by its layout. */
  const byGroup: (Part | 'native' | undefined)[] = [];
  for (const ordinal of ordinals) {
    const group = messages.groupAt(ordinal);
    if (byGroup[group] !== undefined) continue;
    const reading = await readingOfGroupAt(store, group, request, stores);
    const { format } = messages.groups.at(group);
    byGroup[group] = reading === 'native' ? reading : partOf(reading, ordinal, true, format);
    if (format !== undefined) byFormat.set(format, await readers.of(format));
  }
  const packed = byGroup.includes('native') ? await needed(() => import('./packed-contents.ts')) : null;
  await eachBody(
    store,
    ordinals,
    (payload, ordinal, header, isLarge) => {
      const part = byGroup[messages.groupAt(ordinal)]!;
      if (part !== 'native') {
        enter(part, ordinal);
        if (part.format === undefined) {
          if (isLarge) return part.profiler?.addInSteps(payload, ordinal, joiningOf(ordinal));
          part.profiler?.add(payload, ordinal, joiningOf(ordinal));
        } else {
          const type = part.reading === 'opaque' ? undefined : part.reading;
          part.profiler?.addCaptured(payload, ordinal, byFormat.get(part.format)!(payload, type), joiningOf(ordinal));
        }
        return undefined;
      }
      const found = readByLayout(store, request, ordinal, payload);
      const isWhole = found?.read.diagnostics.length === 0;
      if (found !== null) {
        native.messages++;
        native.bytes += payload.length;
      }
      const explained = partOf(isWhole ? found.type : 'opaque', ordinal, false);
      enter(explained, ordinal);
      if (isWhole) {
        native.whole++;
        native.explained += payload.length;
        explained.profiler?.addNative(
          payload,
          ordinal,
          found,
          headerByLayout(store, request.library, ordinal, header),
          joiningOf(ordinal),
        );
        if (packed !== null) {
          const inside = packed.packedContents(payload, found);
          explained.profiler?.addContents(packed.contentTotals(inside.contents));
          explained.profiler?.addFindings(findingsInside(inside), ordinal);
        }
      } else for (const diagnostic of found?.read.diagnostics ?? []) list(explained, { ...diagnostic, ordinal });
      return undefined;
    },
    control,
    left,
  );
  // If no message of a payload input was selected, its profile is empty.
  if (parts.length === 0 && store.kind === 'payloads' && store.messages.length > 0)
    partOf(request.type ?? undefined, 0, true);
  const sums: PartSums[] = [];
  for (const part of parts) sums.push(await sumsOfPart(part));
  return { parts: sums, native };
}

/** Faults of compressed contents, at the place of the compressed bytes. */
const findingsInside = ({ contents, diagnostics }: PackedContents): readonly Diagnostic[] => [
  ...diagnostics,
  ...contents.flatMap(({ field, start, end, reading }) =>
    reading.read.diagnostics.map((found) => ({
      ...found,
      message: `At ${found.start} of the unpacked “${field.name}”: ${found.message}`,
      start,
      end,
    })),
  ),
];

const list = ({ diagnostics }: Part, diagnostic: Diagnostic): void => {
  if (diagnostics.length < MAX_DIAGNOSTICS) diagnostics.push(diagnostic);
};

/** Types of one name may come from several schemas: the number of the schema distinguishes them. */
function keyOf(
  reading: Part['reading'],
  format: PayloadFormat | undefined,
  group: string,
  { library: { registries } }: RunRequest,
): string {
  if (reading === 'opaque' || reading === undefined) return `${reading ?? 'by number'} ${format ?? ''}`;
  if (isGuessed(reading)) return `guess ${format ?? ''} ${group}`;
  const of = registries.findIndex(({ messages }) => messages.get(reading.fullName) === reading);
  return `${of} ${format ?? ''} ${reading.fullName}`;
}

const emptyPart = (
  key: string,
  reading: Part['reading'],
  options: ProfilerOptions,
  from: number,
  isOfGroup: boolean,
): Part => ({
  key,
  from,
  isOfGroup,
  reading,
  format: options.format,
  profiler: reading === 'opaque' ? null : new MessageProfiler(reading, options),
  firsts: new Map(),
  diagnostics: [],
  messages: 0,
  bytes: 0,
  capturedBytes: 0,
  headerBytes: 0,
});

async function sumsOfPart({ reading, format: _, profiler, diagnostics, ...part }: Part): Promise<PartSums> {
  const opaque: ListedFindings = { diagnostics, listed: [], unlisted: 0, isUntyped: false, head: null };
  return {
    ...part,
    profile: profiler === null ? null : await profiler.profile(),
    findings: profiler?.findings ?? opaque,
    isGuess: reading !== 'opaque' && isGuessed(reading),
    unattributed: profiler?.unattributed ?? 0,
  };
}

const isRefuted = ({ isGuess, unattributed }: PartSums): boolean => isGuess && unattributed > 0;

const unattributedIn = (parts: readonly PartSums[]): number =>
  parts.reduce((sum, { unattributed }) => sum + unattributed, 0);

const guessOf = (
  store: MessageStore,
  { firsts }: PartSums,
  { guesses }: RunRequest,
): readonly (readonly [string, MessageDescriptor | null])[] =>
  [...firsts.keys()].map((group) => {
    const key = guessKey(store, group);
    return [key, guesses.get(key) ?? null];
  });
