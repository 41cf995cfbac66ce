/**
 * A check over a folder of recorded captures and independent truth. Add one by writing it and listing it in
 * `../corpus.ts`.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface Finding {
  /** The subject of the check, as a person would name it. */
  readonly name: string;
  /** Differences between our result and the truth; none: it passed. */
  readonly differences: readonly string[];
  /** The measurement, if its figure is worth printing. */
  readonly measured?: string;
}

export interface Check {
  readonly id: string;
  readonly title: string;
  /** `folder`: the corpus. Throws only where the folder itself cannot be read. */
  run(folder: string): AsyncIterable<Finding>;
}

/** The project's own folder. */
export const PROJECT = join(import.meta.dirname, '../..');

/** Collects differences in words. */
export class Differences {
  readonly #texts: string[] = [];

  get list(): readonly string[] {
    return this.#texts;
  }

  add(...texts: readonly string[]): void {
    this.#texts.push(...texts);
  }

  /** Adds `what: ours, not theirs` where the two are not the same as JSON. */
  expect(what: string, ours: unknown, theirs: unknown): void {
    const [a, b] = [JSON.stringify(ours), JSON.stringify(theirs)];
    if (a !== b) this.#texts.push(`${what}: ${a}, not ${b}`);
  }
}

export const readBytes = async (...path: readonly string[]): Promise<Uint8Array> =>
  new Uint8Array(await readFile(join(...path)));

/** One JSON value a line. */
export const readLines = async <T>(path: string): Promise<readonly T[]> =>
  (await readFile(path, 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as T);
