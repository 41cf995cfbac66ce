/**
 * *Collect*: messages of one type → the units that are each compressed in one piece, in protobuf. Advice is measured
 * with them.
 */
import type { Unit } from '../advise/payload.ts';
import { GrowingBytes } from '../bytes/growing-bytes.ts';
import type { CompressorId } from '../compression/compressors.ts';
import { formatOf } from '../compression/formats.ts';
import { toWire } from '../native/to-wire.ts';
import { FormatReaders } from './format-readers.ts';
import type { TypeLibrary } from './group-readings.ts';
import { joiningAt } from './joining.ts';
import { bodyAt } from './message-body.ts';
import { readByLayout } from './message-reading.ts';
import type { MessageStore } from './message-store.ts';
import { isNative } from './native-reading.ts';
import type { TypedMessages } from './sample-messages.ts';

export interface CollectedUnits {
  /** Messages that were compressed together, or that a file joins. Each message of a capture is a unit of its own. */
  readonly units: readonly Unit[];
  /** Messages in the units, and all messages of the type. */
  readonly messages: number;
  readonly outOf: number;
  /** The compressors of the captured messages, or of their file, most used first. */
  readonly compressors: readonly CompressorId[];
}

export interface UnitsLimit {
  /** Up to this sum, all messages are taken; above it, every nth message is taken. */
  readonly bytes: number;
  readonly messages: number;
}

/**
 * A message in another encoding is written as protobuf. A native message is left out if no layout explains every byte
 * of it.
 */
export async function collectUnits(
  store: MessageStore,
  { type, ordinals }: TypedMessages,
  library: TypeLibrary,
  limit: UnitsLimit,
  pause: (done: number, total: number) => Promise<void> = async () => undefined,
): Promise<CollectedUnits> {
  const { messages: table } = store;
  const used = new Map<CompressorId, number>();
  let bytes = 0;
  for (const ordinal of ordinals) {
    bytes += table.sizeAt(ordinal);
    const compressor = compressorOf(table.bodyAt(ordinal).compression ?? store.packed?.codec ?? '');
    if (compressor !== undefined) used.set(compressor, (used.get(compressor) ?? 0) + 1);
  }
  const step = Math.max(1, Math.ceil(bytes / limit.bytes), Math.ceil(ordinals.length / limit.messages));
  const isFile = store.kind === 'payloads';
  const joined: Uint8Array[] = [];
  const alone: Uint8Array[] = [];
  const bytesOfAll = new GrowingBytes();
  const readers = new FormatReaders(library);
  for (const [at, ordinal] of ordinals.entries()) {
    if (at % step !== 0) continue;
    await pause(at, ordinals.length);
    const group = table.groups.at(table.groupAt(ordinal));
    const reader = group.format === undefined ? null : await readers.of(group.format);
    const body = await bodyAt(store, ordinal, { pause: () => pause(at, ordinals.length) });
    let protobuf = body;
    if (reader !== null) protobuf = reader(body, type).protobuf;
    else if (isNative(group)) {
      const found = readByLayout(store, { library, type }, ordinal, body);
      if (found?.type !== type || found.read.diagnostics.length > 0) continue;
      protobuf = toWire(body, found.read).bytes;
    }
    const isJoined = isFile && compressorOf(table.bodyAt(ordinal).compression ?? '') === undefined;
    // Copied: the next message overwrites what is borrowed.
    (isJoined ? joined : alone).push(bytesOfAll.add(protobuf));
  }
  const [first] = ordinals;
  const delimiter = first === undefined ? null : joiningAt(store, first).delimiter;
  const units: readonly Unit[] = [
    ...(joined.length === 0 ? [] : [{ delimiter, messages: joined }]),
    ...alone.map((one) => ({ delimiter: null, messages: [one] })),
  ];
  const compressors = [...used].sort(([, a], [, b]) => b - a).map(([id]) => id);
  return { units, messages: joined.length + alone.length, outOf: ordinals.length, compressors };
}

/** The compressor whose output is most similar to the last compression of these steps; undefined: they have none. */
const compressorOf = (steps: string): CompressorId | undefined =>
  steps
    .split('|')
    .map((step) => formatOf(step)?.compressor)
    .findLast((compressor) => compressor !== undefined);
