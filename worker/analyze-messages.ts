/**
 * The messages of a scope → a profile for each type they are of. Every group is read as its type, a group without one
 * as the type that its messages speak for; what is no protobuf is counted, never read as it.
 */
import { Analysis, type Findings } from '#engine/analysis/analyze.ts';
import { isNative, type NativeHeader, type NativeReading } from '#engine/analysis/native-reading.ts';
import { guessFrom, guessSample } from '#engine/analysis/plan-reading.ts';
import type { Diagnostic } from '#engine/model/diagnostic.ts';
import type { NativeProfile } from '#engine/native/profiles.ts';
import type { MessageDescriptor } from '#engine/schema/descriptor.ts';
import { isGuessed } from '#engine/wire/guessed.ts';
import type { Analysis as Analyzed, AnalyzeParams, Origin } from './analysis-api.ts';
import { typeNamed, typeOfGroup } from './group-types.ts';
import type { Scope } from './input-api.ts';
import { bodyAt, eachBody } from './message-body.ts';
import type { Control } from './protocol.ts';
import { selectMessages } from './select-messages.ts';
import { type OpenInput, opened, type Session } from './session-state.ts';

/** Findings of opaque messages that are told. */
const MOST_DIAGNOSTICS = 100;

interface Request extends Omit<AnalyzeParams, 'nativeProfile'> {
  readonly nativeProfile: NativeProfile;
}

/** A type, a guessed one, none at all; or `native`: each message by the layout that its action names. */
type GroupReading = MessageDescriptor | undefined | 'native';

/** The messages that are read alike; `opaque`: those that cannot be read. */
interface Part {
  readonly reading: MessageDescriptor | undefined | 'opaque';
  readonly groups: Set<number>;
  readonly analysis: Analysis | null;
  /** Of each group, its first message. */
  readonly firsts: Map<number, number>;
  /** What stopped the layouts of opaque messages. */
  readonly diagnostics: Diagnostic[];
  messages: number;
  bytes: number;
  wireBytes: number;
  headerBytes: number;
}

export async function analyzeMessages(
  session: Session,
  scope: Scope,
  request: Request,
  control: Control,
): Promise<Analyzed> {
  const open = opened(session);
  const ordinals = await selectMessages(session, scope, request.types, control, true);
  let parts = await readParts(session, ordinals, request, control);
  const refuted = parts.filter((part) => isRefuted(part));
  if (refuted.length > 0) {
    // A message that was not sampled may not be what the others are: then bytes are lost that a reading by field
    // numbers alone explains.
    const kept = new Map(refuted.flatMap(({ groups, reading }) => [...groups].map((group) => [group, reading])));
    for (const group of kept.keys()) open.guesses.set(group, null);
    const again = ordinals.filter((ordinal) => kept.has(open.messages.groupAt(ordinal)));
    const plain = await readParts(session, again, request, control);
    const isBetter = unattributedOf(plain) < unattributedOf(refuted);
    if (isBetter) parts = [...parts.filter((part) => !refuted.includes(part)), ...plain];
    else for (const [group, reading] of kept) open.guesses.set(group, reading as MessageDescriptor);
  }
  return collect(open, parts);
}

/** How one message is read. */
export async function readingOfMessage(
  session: Session,
  request: Omit<Request, 'nativeProfile'>,
  ordinal: number,
): Promise<GroupReading> {
  const open = opened(session);
  const group = open.messages.groupAt(ordinal);
  return readingOf(session, group, request, () => ordinalsOfGroup(open, group));
}

async function readParts(
  session: Session,
  ordinals: Uint32Array,
  request: Request,
  control: Control,
): Promise<readonly Part[]> {
  const open = opened(session);
  const { messages } = open;
  const parts: Part[] = [];
  const partOf = (reading: Part['reading']): Part => {
    const same = parts.find((part) => part.reading === reading);
    if (same !== undefined) return same;
    const part = emptyPart(reading, request);
    parts.push(part);
    return part;
  };
  const enter = (part: Part, ordinal: number): void => {
    const group = messages.groupAt(ordinal);
    part.groups.add(group);
    if (!part.firsts.has(group)) part.firsts.set(group, ordinal);
    part.messages++;
    part.bytes += messages.sizeAt(ordinal);
    part.wireBytes += messages.wireSizeAt(ordinal);
    part.headerBytes += messages.headerAt(ordinal);
  };
  /** By group: the one part of its messages, or that each is read by its layout. */
  const byGroup: (Part | 'native' | undefined)[] = [];
  for (const ordinal of ordinals) {
    const group = messages.groupAt(ordinal);
    if (byGroup[group] !== undefined) continue;
    // By all of its messages: a type does not depend on which of them are added up.
    const reading = await readingOf(session, group, request, () => ordinalsOfGroup(open, group));
    byGroup[group] = reading === 'native' ? reading : partOf(reading);
  }
  await eachBody(
    open,
    ordinals,
    (payload, ordinal, header) => {
      const part = byGroup[messages.groupAt(ordinal)]!;
      if (part !== 'native') {
        enter(part, ordinal);
        part.analysis?.add(payload, ordinal);
        return;
      }
      const found = readByLayout(session, ordinal, payload);
      const isWhole = found?.read.diagnostics.length === 0;
      const native = partOf(isWhole ? found.type : 'opaque');
      enter(native, ordinal);
      if (isWhole) native.analysis?.addNative(payload, found, ordinal, headerByLayout(session, ordinal, header));
      else if (found !== null) tell(native, found, ordinal);
    },
    control,
  );
  if (parts.length === 0 && open.kind === 'payloads') partOf(typeOfPayloads(session, request));
  return parts;
}

/**
 * A native message by its layout: by the first that explains every byte, else by the first, with what stops it; null:
 * there is none, or it tells of an error instead.
 */
export function readByLayout(session: Session, ordinal: number, payload: Uint8Array): NativeReading | null {
  const { messages } = opened(session);
  const { transport, method, direction } = messages.groups.at(messages.groupAt(ordinal));
  const types = session.layouts.typesOf({ transport, method, direction, status: messages.statusAt(ordinal) });
  return session.layouts.readAs(types, messages.versionAt(ordinal) ?? undefined, payload) ?? null;
}

function tell({ diagnostics }: Part, { read }: NativeReading, ordinal: number): void {
  for (const diagnostic of read.diagnostics) {
    if (diagnostics.length < MOST_DIAGNOSTICS) diagnostics.push({ ...diagnostic, ordinal });
  }
}

/** @param bytes of the header; null: there is none */
export function headerByLayout(session: Session, ordinal: number, bytes: Uint8Array | null): NativeHeader | undefined {
  if (bytes === null) return undefined;
  const { messages } = opened(session);
  return session.layouts.readHeader(messages.directionAt(ordinal), messages.versionAt(ordinal) ?? undefined, bytes);
}

const emptyPart = (reading: Part['reading'], { nativeProfile, overrides }: Request): Part => ({
  reading,
  groups: new Set(),
  analysis: reading === 'opaque' ? null : new Analysis({ type: reading, nativeProfile, overrides }),
  firsts: new Map(),
  diagnostics: [],
  messages: 0,
  bytes: 0,
  wireBytes: 0,
  headerBytes: 0,
});

const typeOfPayloads = (session: Session, { type }: Pick<Request, 'type'>): MessageDescriptor | undefined =>
  type === null ? undefined : typeNamed(session, type);

async function readingOf(
  session: Session,
  index: number,
  request: Omit<Request, 'nativeProfile'>,
  ordinals: () => Uint32Array,
): Promise<GroupReading> {
  const open = opened(session);
  const group = open.messages.groups.at(index);
  if (open.kind === 'payloads') return typeOfPayloads(session, request) ?? guessType(open, index, ordinals());
  if (isNative(group)) return 'native';
  return typeOfGroup(session, group, request.types) ?? guessType(open, index, ordinals());
}

const ordinalsOfGroup = ({ messages }: OpenInput, group: number): Uint32Array =>
  Uint32Array.from({ length: messages.length }, (_, ordinal) => ordinal).filter(
    (ordinal) => messages.groupAt(ordinal) === group,
  );

/** A type guessed from messages spread over the group; undefined where a guess would not hold. */
async function guessType(
  open: OpenInput,
  group: number,
  ordinals: Uint32Array,
): Promise<MessageDescriptor | undefined> {
  let guess = open.guesses.get(group);
  if (guess === undefined) {
    const sample = guessSample();
    for (const ordinal of ordinals) {
      if (sample.wantsNext) sample.add(await bodyAt(open, ordinal));
      else sample.skip();
    }
    guess = guessFrom(sample);
    open.guesses.set(group, guess);
  }
  return guess ?? undefined;
}

const isRefuted = ({ reading, analysis }: Part): boolean =>
  reading !== 'opaque' && isGuessed(reading) && analysis !== null && unattributedIn(analysis.findings()) > 0;

const unattributedIn = ({ profiles }: Findings): number =>
  profiles.reduce((sum, { unattributed }) => sum + unattributed, 0);

const unattributedOf = (parts: readonly Part[]): number =>
  parts.reduce((sum, { analysis }) => sum + (analysis === null ? 0 : unattributedIn(analysis.findings())), 0);

function collect({ messages }: OpenInput, parts: readonly Part[]): Analyzed {
  const groups = messages.groups.all();
  const originOf = (part: Omit<Part, 'reading' | 'analysis' | 'diagnostics'>): Origin => {
    const met = [...part.groups].sort((a, b) => groups[b]!.bytes - groups[a]!.bytes);
    return {
      groups: met.map((group) => groups[group]!.key),
      messages: part.messages,
      first: met[0] === undefined ? 0 : (part.firsts.get(met[0]) ?? 0),
      bytes: part.bytes,
      wireBytes: part.wireBytes,
      headerBytes: part.headerBytes,
    };
  };
  const found = parts.flatMap((part) => {
    if (part.analysis === null) return [];
    const findings = part.analysis.findings();
    return [{ profile: findings.profiles[0]!, diagnostics: findings.diagnostics, origin: originOf(part) }];
  });
  found.sort((a, b) => b.profile.bytes.protobuf - a.profile.bytes.protobuf);
  const opaque = parts.find(({ reading }) => reading === 'opaque');
  return {
    profiles: found.map(({ profile }) => profile),
    origins: found.map(({ origin }) => origin),
    opaque: originOf(
      opaque ?? { groups: new Set(), firsts: new Map(), messages: 0, bytes: 0, wireBytes: 0, headerBytes: 0 },
    ),
    diagnostics: [...found.flatMap(({ diagnostics }) => diagnostics), ...(opaque?.diagnostics ?? [])],
  };
}
