/** The page's selection → the messages of its type, or a sample of them. */
import {
  messagesOfType,
  type SampledMessages,
  sampleMessages,
  type TypedMessages,
} from '#engine/analysis/measure/sample-messages.ts';
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

/** Messages that are written again: of larger inputs every nth one. */
export const MEASURED_LIMIT = { bytes: 16 << 20, messages: 20_000 };

/** The messages of the scope that were captured in the format of the shown ones. */
async function selectShown(session: Session, { scope, types, format }: ShownMessages, control: Control) {
  const store = opened(session);
  const { groups, groupAt } = store.messages;
  const selected = await selectMessages(session, scope, types, control, true);
  const isShown = (ordinal: number): boolean => (groups.at(groupAt(ordinal)).format ?? null) === format;
  return { store, ordinals: format === undefined ? selected : selected.filter(isShown) };
}

/** Ordinals of the shown messages, and their type; null: there are none. */
export async function findShownMessages(
  session: Session,
  shown: ShownMessages,
  control: Control,
): Promise<TypedMessages | null> {
  return messagesOfType(await selectShown(session, shown, control), shown.shown, readingRequest(session, shown));
}

export async function sampleShown(
  session: Session,
  shown: ShownMessages,
  options: { readonly most: number; readonly per: CompressionUnit | null },
  control: Control,
): Promise<SampledMessages | null> {
  const selected = await selectShown(session, shown, control);
  return sampleMessages(selected, shown.shown, readingRequest(session, shown), options, pauses(control));
}

/**
 * `native` is the chosen profile with its overrides, or the captured bytes if the messages were captured in it.
 * `captured` is the encoding in which the messages were captured.
 */
export function encodingOf(
  session: Session,
  id: string,
  { nativeProfile, overrides, shown }: Pick<ShownMessages, 'nativeProfile' | 'overrides' | 'shown'>,
  captured: EncodingRow | undefined,
): EncodingRow | undefined {
  if (id === 'captured') return captured ?? encodingById('protobuf');
  if (id === captured?.id) return captured;
  if (id !== 'native') return encodingById(id);
  const profile = nativeProfileOf(session, nativeProfile, shown);
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
