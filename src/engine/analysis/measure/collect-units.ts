/**
 * *Collect*: messages of one type → the units that are each compressed in one piece, in protobuf. Advice is measured
 * with them.
 */
import type { Unit } from '../../advise/payload.ts';
import type { Delimiter } from '../../bytes/delimiter.ts';
import { GrowingBytes } from '../../bytes/growing-bytes.ts';
import { type CapturedWith, countCaptured, formatOfSteps } from '../../compression/captured-with.ts';
import { toWire } from '../../native/to-wire.ts';
import { FormatReaders } from '../format-readers.ts';
import { joiningAt } from '../joining.ts';
import { readByLayout } from '../message-reading.ts';
import type { TypeLibrary } from '../plan/group-readings.ts';
import { isNative } from '../plan/native-reading.ts';
import { bodyAt } from '../store/message-body.ts';
import type { MessageStore } from '../store/message-store.ts';
import type { TypedMessages } from './sample-messages.ts';

export interface CollectedUnits {
  /**
   * Messages that were compressed together, and those of all files that are not compressed, joined. Each message of a
   * capture is a unit of its own.
   */
  readonly units: readonly Unit[];
  /** Messages in the units, and all messages of the type. */
  readonly messages: number;
  readonly outOf: number;
  /** Messages in the units whose protobuf is computed: they were captured in another encoding. */
  readonly computed: number;
  /** Without the messages that were left out. */
  readonly capturedWith: CapturedWith;
}

export interface UnitsLimit {
  /** Up to this sum, all messages are taken; above it, every nth message is taken. */
  readonly bytes: number;
  readonly messages: number;
}

export interface CollectedInput extends TypedMessages {
  readonly store: MessageStore;
}

/**
 * A message in another encoding is written as protobuf. A native message is left out if no layout explains every byte
 * of it.
 */
export async function collectUnits(
  inputs: readonly CollectedInput[],
  library: TypeLibrary,
  limit: UnitsLimit,
  pause: (done: number, total: number) => Promise<void> = async () => undefined,
): Promise<CollectedUnits> {
  const capturedWith: CapturedWith = {};
  let [bytes, outOf, computed] = [0, 0, 0];
  for (const { store, ordinals } of inputs) {
    outOf += ordinals.length;
    for (const ordinal of ordinals) bytes += store.messages.sizeAt(ordinal);
  }
  const step = Math.max(1, Math.ceil(bytes / limit.bytes), Math.ceil(outOf / limit.messages));
  const joined = new JoinedMessages();
  const packed: Unit[] = [];
  const alone: Unit[] = [];
  const bytesOfAll = new GrowingBytes();
  const readers = new FormatReaders(library);
  let done = 0;
  for (const { store, type, ordinals } of inputs) {
    const { messages: table } = store;
    const own = formatOfSteps(store.packed?.codec ?? '') === undefined ? joined : new JoinedMessages();
    for (const ordinal of ordinals) {
      const at = done++;
      const { steps, delimiter } = joiningAt(store, ordinal);
      const size = table.sizeAt(ordinal);
      if (at % step !== 0) {
        countCaptured(capturedWith, steps, size);
        continue;
      }
      await pause(at, outOf);
      const group = table.groups.at(table.groupAt(ordinal));
      const reader = group.format === undefined ? null : await readers.of(group.format);
      const body = await bodyAt(store, ordinal, { pause: () => pause(at, outOf) });
      let protobuf = body;
      if (reader !== null) protobuf = reader(body, type).protobuf;
      else if (isNative(group)) {
        const found = readByLayout(store, { library, type }, ordinal, body);
        if (found?.type !== type || found.read.diagnostics.length > 0) continue;
        protobuf = toWire(body, found.read).bytes;
      }
      countCaptured(capturedWith, steps, size);
      if (protobuf !== body) computed++;
      // Copied: the next message overwrites what is borrowed.
      const copy = bytesOfAll.add(protobuf);
      const isJoined =
        store.kind === 'payloads' && formatOfSteps(table.bodyAt(ordinal).compression ?? '') === undefined;
      if (isJoined) own.add(copy, delimiter);
      else alone.push({ delimiter: null, messages: [copy] });
    }
    if (own !== joined) packed.push(...own.units);
  }
  const units = [...joined.units, ...packed, ...alone];
  return {
    units,
    messages: units.reduce((sum, { messages }) => sum + messages.length, 0),
    outOf,
    computed,
    capturedWith,
  };
}

/** Messages with the same delimiter are one unit. */
class JoinedMessages {
  readonly #byDelimiter = new Map<Delimiter | null, Uint8Array[]>();

  add(message: Uint8Array, delimiter: Delimiter | null): void {
    const known = this.#byDelimiter.get(delimiter);
    if (known === undefined) this.#byDelimiter.set(delimiter, [message]);
    else known.push(message);
  }

  get units(): readonly Unit[] {
    return [...this.#byDelimiter].map(([delimiter, messages]) => ({ delimiter, messages }));
  }
}
