/** Calls, traces or connections of a recording that are open: by key, and the one that was idle longest. */
import { IdleOrder, type Ordered } from '../../bytes/idle-order.ts';

export interface Keyed<T> extends Ordered<T> {
  readonly key: string;
}

export class OpenByKey<T extends Keyed<T>> {
  readonly #byKey = new Map<string, T>();
  readonly #order = new IdleOrder<T>();

  get size(): number {
    return this.#order.size;
  }

  /** null: nothing is open. */
  get idlest(): T | null {
    return this.#order.first;
  }

  /** In the order of their beginnings. They may be removed meanwhile. */
  get all(): Iterable<T> {
    return this.#byKey.values();
  }

  /** From now on, it is the one that was used last. */
  use(key: string): T | undefined {
    const item = this.#byKey.get(key);
    if (item !== undefined) this.#order.use(item);
    return item;
  }

  /** @param item whose key is not in use */
  add(item: T): T {
    this.#byKey.set(item.key, item);
    this.#order.add(item);
    return item;
  }

  remove(item: T): void {
    this.#byKey.delete(item.key);
    this.#order.remove(item);
  }
}
