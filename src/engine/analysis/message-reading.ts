/** One message of an input → how it is read: as the type of its group, or by the layout that its action names. */
import type { MessageDescriptor } from '../schema/descriptor.ts';
import { type GroupTypes, type TypeLibrary, typeOfGroup } from './plan/group-readings.ts';
import { isNative, type NativeHeader, type NativeReading } from './plan/native-reading.ts';
import { guessFrom, guessSample } from './plan/plan-reading.ts';
import { bodyAt } from './store/message-body.ts';
import type { MessageStore } from './store/message-store.ts';

/** Types guessed from messages, by group key; `''`: payloads. null: a message refuted the guess. */
export type TypeGuesses = Map<string, MessageDescriptor | null>;

/** The choices that decide how messages are read. */
export interface ReadingRequest {
  readonly library: TypeLibrary;
  /** Type of payloads; null: guess a type from the messages. */
  readonly type: MessageDescriptor | null;
  /** Types that the user chose for groups of a capture. */
  readonly types: GroupTypes;
  /** Types of the other groups, decided by the evidence of their messages. */
  readonly evidence: GroupTypes;
  /** Guessed types of the open inputs. New guesses are added to it. */
  readonly guesses: TypeGuesses;
}

/**
 * A type, which may be guessed; undefined: no type. `native`: each message is read by the layout that its action names.
 */
export type MessageReading = MessageDescriptor | undefined | 'native';

export const readingOfMessage = (
  store: MessageStore,
  request: ReadingRequest,
  ordinal: number,
): Promise<MessageReading> => readingOfGroupAt(store, store.messages.groupAt(ordinal), request, [store]);

/** @param stores the guess is made from messages of these inputs */
export async function readingOfGroupAt(
  { kind, messages }: MessageStore,
  index: number,
  { library, type, types, evidence, guesses }: ReadingRequest,
  stores: readonly MessageStore[],
): Promise<MessageReading> {
  const group = messages.groups.at(index);
  // The names in an untyped text show its contents.
  if (group.format !== undefined)
    return (kind === 'payloads' ? type : typeOfGroup(library, group, types, evidence)) ?? undefined;
  if (isNative(group)) return 'native';
  if (kind === 'payloads') return type ?? guessType(stores, '', guesses);
  return typeOfGroup(library, group, types, evidence) ?? guessType(stores, group.key, guesses);
}

/** The known type of a message, without a guess; undefined: unknown. @param payload borrowed */
export function knownType(
  store: MessageStore,
  { library, type, types, evidence }: ReadingRequest,
  ordinal: number,
  payload: Uint8Array,
): MessageDescriptor | undefined {
  const group = store.messages.groups.at(store.messages.groupAt(ordinal));
  if (store.kind === 'payloads') return type ?? undefined;
  if (isNative(group)) return readByLayout(store, { library, type }, ordinal, payload)?.type;
  return typeOfGroup(library, group, types, evidence);
}

/** The key of a group's guess. */
export const guessKey = ({ kind, messages }: MessageStore, group: number): string =>
  kind === 'payloads' ? '' : messages.groups.at(group).key;

/**
 * Guesses a type from messages spread over the whole group, so that the type does not depend on the selection.
 * undefined: a guess would not hold.
 */
async function guessType(
  stores: readonly MessageStore[],
  key: string,
  guesses: TypeGuesses,
): Promise<MessageDescriptor | undefined> {
  if (guesses.get(key) === undefined) await guessTypes(stores, new Set([key]), guesses);
  return guesses.get(key) ?? undefined;
}

/** @param keys of the groups that are guessed, each from its messages in all inputs */
export async function guessTypes(
  stores: Iterable<MessageStore> | AsyncIterable<MessageStore>,
  keys: ReadonlySet<string>,
  guesses: TypeGuesses,
): Promise<void> {
  const samples = new Map(Array.from(keys, (key) => [key, guessSample()]));
  for await (const store of stores) {
    const { messages } = store;
    const byGroup = messages.groups.all().map((_, group) => samples.get(guessKey(store, group)));
    for (let ordinal = 0; ordinal < messages.length; ordinal++) {
      const sample = byGroup[messages.groupAt(ordinal)];
      if (sample?.wantsNext) sample.add(await bodyAt(store, ordinal));
      else sample?.skip();
    }
  }
  for (const [key, sample] of samples) guesses.set(key, guessFrom(sample));
}

/**
 * Reads a native message by its layout; null: it has no layout. Borrowed, as readings are.
 */
export function readByLayout(
  { kind, messages }: MessageStore,
  { library: { layouts }, type }: Pick<ReadingRequest, 'library' | 'type'>,
  ordinal: number,
  payload: Uint8Array,
): NativeReading | null {
  if (kind === 'payloads') return (type && layouts.readAs([type], undefined, payload)) ?? null;
  const types = layouts.typesOf(messages.groups.at(messages.groupAt(ordinal)));
  return layouts.readAs(types, messages.versionAt(ordinal) ?? undefined, payload) ?? null;
}

/** @param bytes the header; null: there is no header */
export function headerByLayout(
  { messages }: MessageStore,
  { layouts }: TypeLibrary,
  ordinal: number,
  bytes: Uint8Array | null,
): NativeHeader | undefined {
  if (bytes === null) return undefined;
  return layouts.readHeader(messages.directionAt(ordinal), messages.versionAt(ordinal) ?? undefined, bytes);
}
