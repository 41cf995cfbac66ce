import type { ReadStep } from './read-plan.ts';

/** A message or a list of messages that is being read. */
export class ReadFrame {
  /** Name of the message's type; empty: this is a list. */
  name = '';
  steps: readonly ReadStep[] = [];
  next = 0;
  row = 0;
  /** Number of remaining elements; −1: this is not a list. */
  remaining = -1;
  element: ReadStep | undefined;
  /** Elements continue up to the end of the enclosing message or blob. */
  toEnd = false;
  /** The bytes that mark the end of the elements, in place of a further element. */
  ending: Uint8Array | undefined;
  /** Whether a further block of elements may follow. */
  inBlocks = false;
  /** End of the bytes that enclose a blob. */
  outerLimit = -1;
  /** Values that later fields of the message depend on. A list without a row has those of its message. */
  kept: Float64Array | undefined;
  /** Number of elements read so far. */
  count = 0;
}
