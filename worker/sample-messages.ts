/** The page's selection → the messages of its type, or a sample of them. */
import {
  messagesOfType,
  type SampledMessages,
  sampleMessages,
  type TypedMessages,
} from '#engine/analysis/sample-messages.ts';
import { CAPTURED_NATIVE } from '#engine/encodings/captured-encodings.ts';
import type { EncodingRow } from '#engine/encodings/encoding-row.ts';
import { encodingById } from '#engine/encodings/encodings.ts';
import type { CompressionUnit } from '#engine/encodings/message-sample.ts';
import { nativeEncoding } from '#engine/encodings/native-encoding.ts';
import { SCHEMA_LAYOUT_PROFILE } from '#engine/native/profiles.ts';
import type { ShownMessages } from './matrix-api.ts';
import { nativeProfileOf } from './native-profile.ts';
import { nextMacrotask } from './next-macrotask.ts';
import type { Control, Progress } from './protocol.ts';
import { readingRequest } from './reading-request.ts';
import { selectMessages } from './select-messages.ts';
import { opened, type Session } from './session-state.ts';

/** Ordinals of the messages of the shown type, and the type; null: there are none. */
export async function findShownMessages(
  session: Session,
  { scope, shown, ...params }: ShownMessages,
  control: Control,
): Promise<TypedMessages | null> {
  const ordinals = await selectMessages(session, scope, params.types, control, true);
  return messagesOfType({ store: opened(session), ordinals }, shown, readingRequest(session, params));
}

export async function sampleShown(
  session: Session,
  { scope, shown, ...params }: ShownMessages,
  options: { readonly most: number; readonly per: CompressionUnit | null },
  control: Control,
): Promise<SampledMessages | null> {
  const ordinals = await selectMessages(session, scope, params.types, control, true);
  const selected = { store: opened(session), ordinals };
  return sampleMessages(selected, shown, readingRequest(session, params), options, pauses(control));
}

/**
 * `native` is the chosen profile with its overrides, or the captured bytes if the messages were captured in it.
 * `captured` is the encoding in which the messages were captured.
 */
export function encodingOf(
  session: Session,
  id: string,
  { nativeProfile, overrides }: Pick<ShownMessages, 'nativeProfile' | 'overrides'>,
  captured: EncodingRow | undefined,
): EncodingRow | undefined {
  if (id === 'captured') return captured ?? encodingById('protobuf');
  if (id === captured?.id) return captured;
  if (id !== 'native') return encodingById(id);
  const profile = nativeProfileOf(session, nativeProfile);
  if (nativeProfile !== null && profile.id !== nativeProfile) return encodingById(nativeProfile);
  const isAsCaptured = profile === SCHEMA_LAYOUT_PROFILE && Object.keys(overrides).length === 0;
  return isAsCaptured && captured === CAPTURED_NATIVE ? captured : nativeEncoding(profile, overrides);
}

/** Milliseconds between two checks of the worker's queue, in which a cancellation may wait. */
const PATIENCE = 50;

/** To be called between steps of long work. Rejects when the call is cancelled. */
export function pauses(
  { signal, progress }: Control,
  unit: Progress['unit'] = 'messages',
): (done: number, total: number) => Promise<void> {
  let last = performance.now();
  return async (done, total) => {
    if (performance.now() - last < PATIENCE) return;
    progress({ done, total, unit });
    await nextMacrotask();
    signal.throwIfAborted();
    last = performance.now();
  };
}
