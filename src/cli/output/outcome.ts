import { type Terminal, toTerminal } from '#wording/escape.ts';

/** The result of a command. Commands print nothing themselves, so that a test reads the same text as a user. */

export interface Outcome {
  readonly code: 0 | 1;
  /** The text for the standard output. */
  readonly out: Terminal;
  /** Notes for the standard error stream. */
  readonly err: Terminal;
}

/**
 * Takes a result part by part, as it is made: for results that are much larger than their input. Resolves when the next
 * part may come: a pipe's reader may be slower than we are.
 */
export type Print = (part: Terminal) => Promise<void>;

/** A request that cannot be answered. Any code of a command may throw it; `run.ts` prints it and ends with code 1. */
export class Refusal extends Error {
  readonly notes: readonly string[];
  constructor(message: string, notes: readonly string[] = []) {
    super(message);
    this.notes = notes;
  }
}

/** Refusals of parts of a command, which does its other parts and then ends with code 1. */
export class Refused {
  readonly #lines: string[] = [];
  count = 0;

  /** undefined: it was refused. */
  async trying<T>(work: () => T | Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.#lines.push(...error.notes, `wirecost: ${error.message}`);
      this.count++;
      return undefined;
    }
  }

  /** @param messages why it fails, beside the refusals */
  shortfall(out: string, messages: readonly string[], notes: readonly string[]): Outcome {
    const said = messages.map((message) => `wirecost: ${message}`);
    return { code: 1, out: toTerminal(out), err: lines([...notes, ...this.#lines, ...said]) };
  }
}

/** A result whose notes its taker has to print: the value is had only together with them. */
export class Noted<T> {
  readonly #value: T;
  readonly #notes: readonly string[];

  constructor(value: T, notes: readonly string[]) {
    this.#value = value;
    this.#notes = notes;
  }

  /** The value. @param notes those that are printed get its notes */
  into(notes: string[]): T {
    notes.push(...this.#notes);
    return this.#value;
  }
}

export const success = (out: string, notes: readonly string[] = []): Outcome => ({
  code: 0,
  out: toTerminal(out),
  err: lines(notes),
});

/** A result that is printed, but ends with code 1, as of a failed check. */
export const shortfall = (out: string, message: string, notes: readonly string[]): Outcome => ({
  ...failure(message, notes),
  out: toTerminal(out),
});

export const failure = (message: string, notes: readonly string[] = []): Outcome => ({
  code: 1,
  out: toTerminal(''),
  err: lines([...notes, `wirecost: ${message}`]),
});

/** Arguments that cannot be followed. @param next how to find out what can */
export const misuse = (message: string, next: string): Outcome => ({
  code: 1,
  out: toTerminal(''),
  err: lines([`wirecost: ${message}`, next]),
});

const lines = (texts: readonly string[]): Terminal => toTerminal(texts.map((text) => `${text}\n`).join(''));
