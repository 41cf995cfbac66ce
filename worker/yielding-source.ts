/**
 * A source that lets the worker receive messages between two reads. Bytes in memory are read in microtasks alone, and a
 * cancel that is waiting in the queue of messages would only be seen at the end.
 */
import type { Source } from '#engine/bytes/source.ts';
import { nextMacrotask } from './next-macrotask.ts';

/** Milliseconds of work after which the queue is checked. */
const PATIENCE = 12;

export function yieldingSource(source: Source, now: () => number = () => performance.now()): Source {
  let heard = now();
  return {
    name: source.name,
    size: source.size,
    handle: source.handle,
    async read(start, end) {
      if (now() - heard >= PATIENCE) {
        await nextMacrotask();
        heard = now();
      }
      return source.read(start, end);
    },
    letGo: (bytes) => source.letGo?.(bytes),
  };
}
