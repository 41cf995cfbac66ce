/**
 * Items in the order in which they were last used, the one that was idle longest first. Each names its neighbours, so
 * that a use takes no memory. A set would have to remove the item and to add it again, and makes a new table after as
 * many uses as it has items.
 */
export interface Ordered<T> {
  /** null: it is the first or the last one, or in no order. */
  before: T | null;
  after: T | null;
}

export class IdleOrder<T extends Ordered<T>> {
  #first: T | null = null;
  #last: T | null = null;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** null: the order is empty. */
  get first(): T | null {
    return this.#first;
  }

  /** @param item is in no order */
  add(item: T): void {
    item.before = this.#last;
    if (this.#last === null) this.#first = item;
    else this.#last.after = item;
    this.#last = item;
    this.#size++;
  }

  /** @param item is in this order */
  remove(item: T): void {
    const { before, after } = item;
    if (before === null) this.#first = after;
    else before.after = after;
    if (after === null) this.#last = before;
    else after.before = before;
    item.before = item.after = null;
    this.#size--;
  }

  use(item: T): void {
    if (item === this.#last) return;
    this.remove(item);
    this.add(item);
  }
}
