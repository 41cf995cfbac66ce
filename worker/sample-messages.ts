/** Messages of one type → a sample of them in protobuf, and as they came. */

import { isNative } from '#engine/analysis/native-reading.ts';
import { CAPTURED_NATIVE } from '#engine/encodings/captured-encodings.ts';
import type { EncodingRow } from '#engine/encodings/encoding-row.ts';
import { encodingById } from '#engine/encodings/encodings.ts';
import { type Delimit, withLength } from '#engine/encodings/matrix.ts';
import { MessageSample, type Per } from '#engine/encodings/message-sample.ts';
import { nativeEncoding } from '#engine/encodings/native-encoding.ts';
import { requestOf } from '#engine/frame/request-of.ts';
import { LAID_OUT, profileById } from '#engine/native/profiles.ts';
import { toWire } from '#engine/native/to-wire.ts';
import type { MessageDescriptor } from '#engine/schema/descriptor.ts';
import { readByLayout, readingOfMessage } from './analyze-messages.ts';
import type { ShownMessages } from './matrix-api.ts';
import { bodyAt } from './message-body.ts';
import { nextMacrotask } from './next-macrotask.ts';
import type { Control } from './protocol.ts';
import { selectMessages } from './select-messages.ts';
import { opened, type Session } from './session-state.ts';

const MOST_STREAMS = 2000;

export interface Sampled {
  readonly type: MessageDescriptor;
  readonly sample: MessageSample;
  readonly kind: 'payloads' | 'capture';
  readonly delimit: Delimit | undefined;
  /** The row of what was captured; undefined: protobuf was. */
  readonly captured: EncodingRow | undefined;
}

/** Ordinals of the messages of the shown type, and the type; null: there are none. */
export async function shownMessages(
  session: Session,
  { scope, shown, ...params }: ShownMessages,
  control: Control,
): Promise<{ readonly type: MessageDescriptor; readonly ordinals: readonly number[] } | null> {
  const { messages } = opened(session);
  const chosen = await selectMessages(session, scope, params.types, control, true);
  /** By group. */
  const types = new Map<number, MessageDescriptor | null>();
  const ordinals: number[] = [];
  let found: MessageDescriptor | null = null;
  for (const ordinal of chosen) {
    const group = messages.groupAt(ordinal);
    let type = types.get(group);
    if (type === undefined) {
      const reading = await readingOfMessage(session, params, ordinal);
      const candidates =
        reading === 'native' ? session.layouts.typesOf({ ...messages.groups.at(group), status: null }) : [reading];
      type = candidates.find((candidate) => candidate?.fullName === shown) ?? null;
      types.set(group, type);
    }
    if (type === null) continue;
    found = type;
    ordinals.push(ordinal);
  }
  return found === null ? null : { type: found, ordinals };
}

/** @param per how they will be compressed: each stream has its price, so there are not too many of them */
export async function sampleMessages(
  session: Session,
  params: ShownMessages,
  { most, per }: { readonly most: number; readonly per: Per | null },
  control: Control,
): Promise<Sampled | null> {
  const open = opened(session);
  const shown = await shownMessages(session, params, control);
  if (shown === null) return null;
  const { type, ordinals } = shown;
  const isJoined = open.kind === 'payloads' && per !== 'message';
  const sample = new MessageSample(most, isJoined ? undefined : MOST_STREAMS);
  const pause = pauses(control);
  let isCapturedNatively = false;
  for (const [done, ordinal] of ordinals.entries()) {
    await pause(done, ordinals.length);
    const body = await bodyAt(open, ordinal);
    const request = open.kind === 'capture' ? requestOf(open.messages.bodyAt(ordinal)) : undefined;
    if (!isNative(open.messages.groups.at(open.messages.groupAt(ordinal)))) {
      sample.add(body, { request });
      continue;
    }
    const found = readByLayout(session, ordinal, body.slice());
    if (found === null || found.type !== type || found.read.diagnostics.length > 0) continue;
    isCapturedNatively = true;
    const bytes = body.slice();
    sample.add(toWire(bytes, found.read).bytes, { captured: { bytes, table: found.read.table }, request });
  }
  if (sample.count === 0) return null;
  const { transport } = open.messages.groups.at(open.messages.groupAt(ordinals[0]!));
  return {
    ...{ type, sample, kind: open.kind },
    delimit: open.kind === 'payloads' && transport === 'varint' ? withLength : undefined,
    captured: isCapturedNatively ? CAPTURED_NATIVE : undefined,
  };
}

/** `native` is the chosen profile with its overrides: what was captured, where it counts as captured. */
export function encodingOf(
  id: string,
  { nativeProfile, overrides }: Pick<ShownMessages, 'nativeProfile' | 'overrides'>,
  captured: EncodingRow | undefined,
): EncodingRow | undefined {
  if (id === captured?.id) return captured;
  if (id !== 'native') return encodingById(id);
  const profile = profileById(nativeProfile);
  const isAsCaptured = profile === LAID_OUT && Object.keys(overrides).length === 0;
  return isAsCaptured && captured === CAPTURED_NATIVE ? captured : nativeEncoding(profile, overrides);
}

/** Milliseconds between two looks into the worker's queue, where a cancel may wait. */
const PATIENCE = 50;

/** To be called between steps of long work. Rejects when the call is cancelled. */
export function pauses({ signal, progress }: Control): (done: number, total: number) => Promise<void> {
  let last = performance.now();
  return async (done, total) => {
    if (performance.now() - last < PATIENCE) return;
    progress({ done, total, unit: 'messages' });
    await nextMacrotask();
    signal.throwIfAborted();
    last = performance.now();
  };
}
