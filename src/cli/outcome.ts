/** What a command leaves behind. Commands print nothing themselves, so that a test reads what a person would. */

export interface Outcome {
  readonly code: 0 | 1;
  /** The result, for a person or a pipe. */
  readonly out: string;
  /** What is to be said beside it. */
  readonly err: string;
}

/** A request that cannot be met, from anywhere below a command; `run.ts` says it and ends with code 1. */
export class Refusal extends Error {
  readonly notes: readonly string[];
  constructor(message: string, notes: readonly string[] = []) {
    super(message);
    this.notes = notes;
  }
}

export const success = (out: string, notes: readonly string[] = []): Outcome => ({ code: 0, out, err: lines(notes) });

export const failure = (message: string, notes: readonly string[] = []): Outcome => ({
  code: 1,
  out: '',
  err: lines([...notes, `wirecost: ${message}`]),
});

const lines = (texts: readonly string[]): string => texts.map((text) => `${text}\n`).join('');
