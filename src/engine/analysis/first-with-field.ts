/** A field → the first message that has it. */
import { AbortError, type ReadControl } from '../bytes/source.ts';
import { Ledgers } from '../cost/type-profiler.ts';
import { tokenPaths } from '../inspect/inspect-captured.ts';
import { firstRow } from '../inspect/row-address.ts';
import { findPath } from '../wire/path-tree.ts';
import { formatReader } from './format-readers.ts';
import { inspectMessage, isInPart } from './inspect-message.ts';
import { type ReadingRequest, readingOfMessage } from './message-reading.ts';
import type { Selected } from './messages-run.ts';
import { bodyAt } from './store/message-body.ts';
import type { MessageStore } from './store/message-store.ts';

/** Messages that are read between two pauses. */
const PATIENCE = 32;

/**
 * @param path as in profiles
 * @returns its ordinal; null: no message has the field
 * @throws AbortError when the signal is set between two messages
 */
export async function firstWithField(
  { store, ordinals }: Selected,
  path: string,
  request: Parameters<typeof inspectMessage>[2],
  { signal, pause, onProgress }: ReadControl,
): Promise<number | null> {
  for (const [done, ordinal] of ordinals.entries()) {
    if (done % PATIENCE === 0) {
      onProgress?.(done, ordinals.length);
      await pause?.();
      if (signal?.aborted) throw new AbortError();
    }
    const shown = await inspectMessage(store, ordinal, request);
    if (firstRow(shown, path) !== null) return ordinal;
    if (isInPart(shown) && (await hasField(store, ordinal, path, request))) return ordinal;
  }
  return null;
}

/** The same of all bytes of a message that is too large for its rows. */
async function hasField(store: MessageStore, ordinal: number, path: string, request: ReadingRequest): Promise<boolean> {
  const reading = await readingOfMessage(store, request, ordinal);
  const type = reading === 'native' ? undefined : reading;
  const format = store.messages.formatAt(ordinal);
  const reader = format && (await formatReader(format, request.library));
  const body = await bodyAt(store, ordinal);
  if (reader !== undefined) {
    const { table } = reader(body, type);
    return findPath(tokenPaths(table).paths, table, path) >= 0;
  }
  const ledgers = new Ledgers(type, null);
  ledgers.add(body);
  return ledgers.profile().fields.some((field) => field.path === path && field.occurrences > 0);
}
