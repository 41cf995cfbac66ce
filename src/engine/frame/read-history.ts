/**
 * A message that copies from those before it → its payload. They are decoded first, unless they were read just before.
 * Loaded with the first such message.
 */
import type { Source } from '../bytes/source.ts';
import { DeflateWindow } from '../compression/deflate-window.ts';
import type { Result } from '../model/diagnostic.ts';
import { historyKey } from './history-key.ts';
import type { BodyRef, MessagesBefore } from './message.ts';

/** Histories whose windows are kept. */
const KEPT = 16;

/** The window after the first `count` messages of a history. */
interface Known {
  count: number;
  readonly window: DeflateWindow;
}

/** The windows after the messages that were read last, by the history's key, in the order of their use. */
const windowsOf = new WeakMap<Source, Map<number, Known>>();

/** @param decode reads the pieces of a body and decodes them */
export async function readAfter(
  source: Source,
  { history, count }: MessagesBefore,
  decode: (body: BodyRef, window: Uint8Array) => Promise<Result<Uint8Array>>,
): Promise<Result<Uint8Array>> {
  const windows = windowsOf.get(source) ?? new Map<number, Known>();
  windowsOf.set(source, windows);
  const key = historyKey(history);
  const kept = windows.get(key);
  // Another call does not use them meanwhile.
  windows.delete(key);
  const known =
    kept !== undefined && kept.count <= count ? kept : { count: 0, window: new DeflateWindow(history.window) };
  for (;;) {
    const isLast = known.count === count;
    const body = history.bodies[known.count++]!;
    const read = await decode(body, known.window.bytes);
    if (!read.ok) return read;
    known.window.add(read.value);
    if (!isLast) continue;
    windows.set(key, known);
    if (windows.size > KEPT) windows.delete(windows.keys().next().value!);
    return read;
  }
}
