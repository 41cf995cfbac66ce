/** Maps repeated strings to small numbers and back. 0 means no string, or one more than the list takes. */
export class WordList {
  readonly #words: string[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #most: number;

  constructor(words: readonly string[] = [], most = Number.POSITIVE_INFINITY) {
    this.#most = most;
    for (const word of words) this.numberOf(word);
  }

  numberOf(word: string | null): number {
    if (word === null) return 0;
    let number = this.#numbers.get(word);
    if (number === undefined) {
      if (this.#words.length === this.#most) return 0;
      number = this.#words.push(word);
      this.#numbers.set(word, number);
    }
    return number;
  }

  /** undefined: it is not in the list. */
  find = (word: string): number | undefined => this.#numbers.get(word);

  wordOf = (number: number): string | null => this.#words[number - 1] ?? null;

  all = (): readonly string[] => this.#words;
}
