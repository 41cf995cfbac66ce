/** *Collect*: messages of one type → a sample of them in protobuf and as captured, for compression. */

import { CAPTURED_FORMATS, CAPTURED_NATIVE } from '../../encodings/captured-encodings.ts';
import type { EncodingRow } from '../../encodings/encoding-row.ts';
import { type CompressionUnit, MessageSample } from '../../encodings/message-sample.ts';
import { toWire } from '../../native/to-wire.ts';
import type { MessageDescriptor } from '../../schema/descriptor.ts';
import { FormatReaders } from '../format-readers.ts';
import { joiningAt } from '../joining.ts';
import { type ReadingRequest, readByLayout, readingOfMessage } from '../message-reading.ts';
import type { Selected } from '../messages-run.ts';
import { isNative } from '../plan/native-reading.ts';
import { bodyAt } from '../store/message-body.ts';

/**
 * Maximum number of streams in a sample that is compressed stream by stream, because each stream takes time of its own.
 */
const MAX_STREAMS = 2000;

export interface TypedMessages {
  readonly type: MessageDescriptor;
  readonly ordinals: readonly number[];
}

export interface SampledMessages {
  readonly type: MessageDescriptor;
  readonly sample: MessageSample;
  readonly kind: 'payloads' | 'capture';
  /** The row of the captured encoding; undefined: protobuf was captured. */
  readonly captured: EncodingRow | undefined;
}

/** Messages of the type; null: there are none. @param type full name */
export async function messagesOfType(
  { store, ordinals: chosen }: Selected,
  type: string,
  request: ReadingRequest,
): Promise<TypedMessages | null> {
  const { messages } = store;
  const byGroup = new Map<number, MessageDescriptor | null>();
  const ordinals: number[] = [];
  let found: MessageDescriptor | null = null;
  for (const ordinal of chosen) {
    const group = messages.groupAt(ordinal);
    let own = byGroup.get(group);
    if (own === undefined) {
      const reading = await readingOfMessage(store, request, ordinal);
      const candidates = reading === 'native' ? request.library.layouts.typesOf(messages.groups.at(group)) : [reading];
      own = candidates.find((candidate) => candidate?.fullName === type) ?? null;
      byGroup.set(group, own);
    }
    if (own === null) continue;
    found = own;
    ordinals.push(ordinal);
  }
  return found === null ? null : { type: found, ordinals };
}

/**
 * null: no message can be read.
 * @param most maximum bytes @param per how they will be compressed @param pause called before each message
 */
export async function sampleMessages(
  { store, ordinals: chosen }: Selected,
  of: string,
  request: ReadingRequest,
  { most, per }: { readonly most: number; readonly per: CompressionUnit | null },
  pause: (done: number, total: number) => Promise<void>,
): Promise<SampledMessages | null> {
  const typed = await messagesOfType({ store, ordinals: chosen }, of, request);
  if (typed === null) return null;
  const { type, ordinals } = typed;
  const { kind, messages } = store;
  const isJoined = kind === 'payloads' && per !== 'message';
  const sample = new MessageSample(most, isJoined ? undefined : MAX_STREAMS);
  const readers = new FormatReaders(request.library);
  let row: EncodingRow | undefined;
  for (const [done, ordinal] of ordinals.entries()) {
    await pause(done, ordinals.length);
    const body = await bodyAt(store, ordinal, { pause: () => pause(done, ordinals.length) });
    const { request: together, ...around } = joiningAt(store, ordinal);
    const joining = { request: kind === 'capture' ? together : undefined, ...around, ordinal };
    const group = messages.groups.at(messages.groupAt(ordinal));
    if (group.format !== undefined) {
      const bytes = body.slice();
      const { table, protobuf, losses } = (await readers.of(group.format))(bytes, type);
      row = CAPTURED_FORMATS[group.format].row;
      sample.add(protobuf, { captured: { bytes, table, losses }, ...joining });
      continue;
    }
    if (!isNative(group)) {
      sample.add(body, joining);
      continue;
    }
    const bytes = body.slice();
    const found = readByLayout(store, request, ordinal, bytes);
    if (found === null || found.type !== type || found.read.diagnostics.length > 0) continue;
    row = CAPTURED_NATIVE;
    const captured = { bytes, table: found.read.table, losses: {} };
    sample.add(toWire(bytes, found.read).bytes, { captured, ...joining });
  }
  if (sample.count === 0) return null;
  return { type, sample, kind, captured: row };
}
