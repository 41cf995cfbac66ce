/** A field → the first message that has it. */
import { AbortError, type ReadControl } from '../bytes/source.ts';
import { firstRow } from '../inspect/row-address.ts';
import { inspectMessage } from './inspect-message.ts';
import type { Selected } from './messages-run.ts';

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
    if (firstRow(await inspectMessage(store, ordinal, request), path) !== null) return ordinal;
  }
  return null;
}
