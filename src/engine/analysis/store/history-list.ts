/** Maps histories of messages to small numbers and back. 0 means none. */
import { historyKey } from '../../frame/history-key.ts';
import type { History } from '../../frame/message.ts';

export class HistoryList {
  readonly #histories: History[] = [];
  readonly #numbers = new Map<number, number>();

  constructor(histories: readonly History[] = []) {
    for (const history of histories) this.numberOf(history);
  }

  /** Copies of one history, made by another worker while it grew, have one number. The longest copy is kept. */
  numberOf(history: History): number {
    const key = historyKey(history);
    const number = this.#numbers.get(key) ?? this.#histories.length + 1;
    this.#numbers.set(key, number);
    const known = this.#histories[number - 1];
    if (known === undefined || known.bodies.length < history.bodies.length) this.#histories[number - 1] = history;
    return number;
  }

  at = (number: number): History | undefined => this.#histories[number - 1];

  all = (): readonly History[] => this.#histories;
}
