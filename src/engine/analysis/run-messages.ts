/**
 * *Run*: the selected messages of inputs → a profile for each of their types. A group is read as its type, or as the
 * type guessed from its messages. Messages that are not protobuf are counted, but never read as protobuf.
 */
import type { ReadControl } from '../bytes/source.ts';
import { PROTOBUF, type Profile, totalIn } from '../cost/profile.ts';
import type { FormatReader } from '../encodings/format-read.ts';
import { requestOf } from '../frame/request-of.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { PayloadFormat } from '../model/payload-format.ts';
import { unattributedBytes } from '../native/roll-up.ts';
import type { MessageDescriptor } from '../schema/descriptor.ts';
import { isGuessed } from '../wire/guessed.ts';
import { FormatReaders } from './format-readers.ts';
import { eachBody } from './message-body.ts';
import { MessageProfiler, moreFindings, type ProfilerOptions } from './message-profiler.ts';
import { guessKey, headerByLayout, type ReadingRequest, readByLayout, readingOfGroupAt } from './message-reading.ts';
import type { MessageStore } from './message-store.ts';

/** Maximum number of listed findings about opaque messages. */
const MOST_DIAGNOSTICS = 1000;

export type RunRequest = ReadingRequest & ProfilerOptions;

/** Messages of one input, by ordinal. */
export interface Selected {
  readonly store: MessageStore;
  readonly ordinals: Uint32Array;
}

/** The messages that a figure was computed from. */
export interface Origin {
  /** Keys of their groups, most bytes first. */
  readonly groups: readonly string[];
  readonly messages: number;
  /** Ordinal of the first message of the largest group; 0: there is no message. */
  readonly first: number;
  /** Payload bytes, decompressed, and as captured; bytes of the transport's own headers. */
  readonly bytes: number;
  readonly capturedBytes: number;
  readonly headerBytes: number;
}

/** How many native messages of an input the layouts explain. */
export interface NativeCoverage {
  readonly messages: number;
  /** Messages whose every byte is explained by their layout. */
  readonly whole: number;
  readonly bytes: number;
  readonly explained: number;
}

/** The costs of one input's messages. */
export interface MessagesRun {
  /** One profile for each reading, most protobuf bytes first; empty: no message is protobuf. */
  readonly profiles: readonly Profile[];
  /** Origins of the profiles, in the same order. */
  readonly origins: readonly Origin[];
  /** Messages that are not protobuf and that no layout explains. */
  readonly opaque: Origin;
  readonly diagnostics: readonly Diagnostic[];
  readonly native: NativeCoverage;
}

/** The messages of an input that are read alike. */
interface Part {
  /** `opaque`: the messages cannot be read. */
  readonly reading: MessageDescriptor | undefined | 'opaque';
  readonly format: PayloadFormat | undefined;
  readonly profiler: MessageProfiler | null;
  /** The first message of each group. */
  readonly firsts: Map<number, number>;
  /** Findings at which the layouts of opaque messages stopped. */
  readonly diagnostics: Diagnostic[];
  messages: number;
  bytes: number;
  capturedBytes: number;
  headerBytes: number;
}

interface Parts {
  readonly store: MessageStore;
  readonly parts: readonly Part[];
  readonly native: NativeCoverage;
}

/**
 * Adds up inputs, one result each. A guessed type applies to a group in all inputs.
 * Rejects as `source.read` does, or with AbortError when cancelled.
 */
export async function runMessages(
  selected: readonly Selected[],
  request: RunRequest,
  control: ReadControl = {},
): Promise<readonly MessagesRun[]> {
  const stores = selected.map(({ store }) => store);
  const runs: Parts[] = [];
  for (const one of selected) runs.push(await readParts(one, stores, request, control));
  const refuted = new Map(
    runs.flatMap(({ store, parts }) => parts.filter(isRefuted).flatMap((part) => guessOf(store, part))),
  );
  if (refuted.size === 0) return Promise.all(runs.map(collect));
  // A message outside the sample may differ from the sampled ones. A guess would then lose bytes that field numbers
  // alone explain.
  for (const key of refuted.keys()) request.guesses.set(key, null);
  const better: Parts[] = [];
  let gain = 0;
  for (const [at, { store, ordinals }] of selected.entries()) {
    const { parts, native } = runs[at]!;
    const isHit = (group: number) => refuted.has(guessKey(store, group));
    const isKept = ({ firsts }: Part) => ![...firsts.keys()].some(isHit);
    const again = ordinals.filter((ordinal) => isHit(store.messages.groupAt(ordinal)));
    const plain =
      again.length === 0 ? [] : (await readParts({ store, ordinals: again }, stores, request, control)).parts;
    gain += unattributedIn(parts.filter((part) => !isKept(part))) - unattributedIn(plain);
    better.push({ store, parts: [...parts.filter(isKept), ...plain], native });
  }
  if (gain > 0) return Promise.all(better.map(collect));
  for (const [key, guess] of refuted) request.guesses.set(key, guess);
  return Promise.all(runs.map(collect));
}

async function readParts(
  { store, ordinals }: Selected,
  stores: readonly MessageStore[],
  request: RunRequest,
  control: ReadControl,
): Promise<Parts> {
  const { messages } = store;
  const parts: Part[] = [];
  const native = { messages: 0, whole: 0, bytes: 0, explained: 0 };
  const partOf = (reading: Part['reading'], format?: PayloadFormat): Part => {
    let part = parts.find((known) => known.reading === reading && known.format === format);
    if (part === undefined) {
      part = emptyPart(reading, { ...request, format });
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
  const requestAt = (ordinal: number): string | undefined =>
    request.both === undefined ? undefined : requestOf(messages.bodyAt(ordinal));
  const readers = new FormatReaders(request.library);
  const byFormat = new Map<PayloadFormat, FormatReader>();
  /** For each group: the part of its messages; or `native`, where each message is read by its layout. */
  const byGroup: (Part | 'native' | undefined)[] = [];
  for (const ordinal of ordinals) {
    const group = messages.groupAt(ordinal);
    if (byGroup[group] !== undefined) continue;
    const reading = await readingOfGroupAt(store, group, request, stores);
    const { format } = messages.groups.at(group);
    byGroup[group] = reading === 'native' ? reading : partOf(reading, format);
    if (format !== undefined) byFormat.set(format, await readers.of(format));
  }
  await eachBody(
    store,
    ordinals,
    (payload, ordinal, header, isLarge) => {
      const part = byGroup[messages.groupAt(ordinal)]!;
      if (part !== 'native') {
        enter(part, ordinal);
        if (part.format === undefined) {
          if (isLarge) return part.profiler?.addInSteps(payload, ordinal, requestAt(ordinal));
          part.profiler?.add(payload, ordinal, requestAt(ordinal));
        } else {
          const type = part.reading === 'opaque' ? undefined : part.reading;
          part.profiler?.addCaptured(payload, ordinal, byFormat.get(part.format)!(payload, type), requestAt(ordinal));
        }
        return undefined;
      }
      const found = readByLayout(store, request, ordinal, payload);
      const isWhole = found?.read.diagnostics.length === 0;
      if (found !== null) {
        native.messages++;
        native.bytes += payload.length;
        native.explained += payload.length - unattributedBytes(found.read.table);
        if (isWhole) native.whole++;
      }
      const explained = partOf(isWhole ? found.type : 'opaque');
      enter(explained, ordinal);
      if (isWhole)
        explained.profiler?.addNative(
          payload,
          found,
          headerByLayout(store, request.library, ordinal, header),
          requestAt(ordinal),
        );
      else for (const diagnostic of found?.read.diagnostics ?? []) list(explained, { ...diagnostic, ordinal });
      return undefined;
    },
    control,
  );
  // If no message of a payload input was selected, its profile is empty.
  if (parts.length === 0 && store.kind === 'payloads' && store.messages.length > 0) partOf(request.type ?? undefined);
  return { store, parts, native };
}

const list = ({ diagnostics }: Part, diagnostic: Diagnostic): void => {
  if (diagnostics.length < MOST_DIAGNOSTICS) diagnostics.push(diagnostic);
};

const emptyPart = (reading: Part['reading'], options: ProfilerOptions): Part => ({
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

const isRefuted = (part: Part): boolean =>
  part.reading !== 'opaque' && isGuessed(part.reading) && unattributedIn([part]) > 0;

const unattributedIn = (parts: readonly Part[]): number =>
  parts.reduce((sum, { profiler }) => sum + (profiler?.unattributed ?? 0), 0);

const guessOf = (store: MessageStore, { reading, firsts }: Part): readonly (readonly [string, MessageDescriptor])[] =>
  [...firsts.keys()].map((group) => [guessKey(store, group), reading as MessageDescriptor]);

/** *Collect*: the profiles, most bytes first, with the messages that each figure was computed from. */
async function collect({ store, parts, native }: Parts): Promise<MessagesRun> {
  const groups = store.messages.groups.all();
  const originOf = (part: Part): Origin => {
    const [...own] = part.firsts.keys();
    own.sort((a, b) => groups[b]!.bytes - groups[a]!.bytes);
    const { messages, bytes, capturedBytes, headerBytes } = part;
    const first = own[0] === undefined ? 0 : part.firsts.get(own[0])!;
    return { groups: own.map((group) => groups[group]!.key), messages, first, bytes, capturedBytes, headerBytes };
  };
  const found: (Awaited<ReturnType<MessageProfiler['findings']>> & { readonly origin: Origin })[] = [];
  for (const part of parts) {
    if (part.profiler !== null) found.push({ ...(await part.profiler.findings()), origin: originOf(part) });
  }
  found.sort((a, b) => totalIn(b.profile, PROTOBUF) - totalIn(a.profile, PROTOBUF));
  const opaque = parts.find(({ reading }) => reading === 'opaque');
  const more = found.reduce((sum, part) => sum + part.more, 0);
  return {
    profiles: found.map(({ profile }) => profile),
    origins: found.map(({ origin }) => origin),
    opaque: opaque === undefined ? NO_MESSAGES : originOf(opaque),
    diagnostics: [
      ...found.flatMap(({ diagnostics }) => diagnostics),
      ...(opaque?.diagnostics ?? []),
      ...(more > 0 ? [moreFindings(more)] : []),
    ],
    native,
  };
}

const NO_MESSAGES: Origin = { groups: [], messages: 0, first: 0, bytes: 0, capturedBytes: 0, headerBytes: 0 };
