import type { InputSummary } from './session-state.ts';

/** Whether the line above the answer shows the steps that unwrapped the input: of a capture, if it is one of several files. */
export const isUnwrapped = (of: InputSummary): boolean =>
  of.kind === 'payloads'
    ? of.steps.length > 0 || of.textEncoding.id !== 'binary'
    : of.steps.some(({ count }) => count > 1);
