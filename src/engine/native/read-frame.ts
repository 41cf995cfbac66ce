import type { ReadStep } from './read-plan.ts';

/** A message that is being read, or a list of messages. */
export class ReadFrame {
  /** Name of the message's type; empty: a list. */
  name = '';
  steps: readonly ReadStep[] = [];
  next = 0;
  row = 0;
  /** Elements still to come; −1: not a list. */
  remaining = -1;
  element: ReadStep | undefined;
  /** Elements follow up to the end of what is around them. */
  toEnd = false;
  /** Whether a further block of elements may follow. */
  inBlocks = false;
  /** End of the bytes around a blob. */
  outerLimit = -1;
  kept: Float64Array | undefined;
}
