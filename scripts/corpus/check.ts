/** A check over a folder of recorded captures and independent truth. Add one by writing it and listing it in `../corpus.ts`. */

export interface Finding {
  /** What was looked at, as a person would name it. */
  readonly name: string;
  /** Differences between what we say and what the truth says; none: it passed. */
  readonly differences: readonly string[];
}

export interface Check {
  readonly id: string;
  readonly title: string;
  /** `folder`: the corpus. Throws only where the folder itself cannot be read. */
  run(folder: string): AsyncIterable<Finding>;
}
