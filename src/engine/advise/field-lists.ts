/**
 * The values of a node by field name: as a Map, but a few names take a tenth of its memory, and none takes nothing.
 * Names keep their order.
 */

const NONE: readonly never[] = [];

/** With more names, a Map finds them faster. */
const MAX_SMALL = 16;

export class FieldLists<T> {
  /** Names and values in turn. Replaced, not resized, if a name is added or removed: so no room is left over. */
  #entries: readonly (string | T[])[] = NONE;
  /** All entries, if there are many. */
  #many: Map<string, T[]> | undefined;

  constructor(lists: ReadonlyMap<string, T[]> | FieldLists<T> | undefined) {
    if (lists === undefined || lists.size === 0) return;
    if (lists.size > MAX_SMALL) {
      this.#many = new Map(lists);
      return;
    }
    const entries = new Array<string | T[]>(2 * lists.size);
    let at = 0;
    for (const [name, values] of lists) {
      entries[at++] = name;
      entries[at++] = values;
    }
    this.#entries = entries;
  }

  get size(): number {
    return this.#many?.size ?? this.#entries.length / 2;
  }

  has(name: string): boolean {
    return this.get(name) !== undefined;
  }

  get(name: string): T[] | undefined {
    if (this.#many !== undefined) return this.#many.get(name);
    const at = this.#at(name);
    return at < 0 ? undefined : (this.#entries[at + 1] as T[]);
  }

  set(name: string, values: T[]): void {
    if (this.#many !== undefined) {
      this.#many.set(name, values);
      return;
    }
    const at = this.#at(name);
    if (at >= 0) this.#entries = this.#entries.with(at + 1, values);
    else if (this.size < MAX_SMALL) this.#entries = this.#entries.concat([name, values]);
    else {
      this.#many = new Map(this).set(name, values);
      this.#entries = NONE;
    }
  }

  delete(name: string): void {
    if (this.#many !== undefined) {
      this.#many.delete(name);
      return;
    }
    const at = this.#at(name);
    if (at >= 0) this.#entries = this.#entries.toSpliced(at, 2);
  }

  *[Symbol.iterator](): Generator<[string, T[]], void> {
    if (this.#many !== undefined) {
      yield* this.#many;
      return;
    }
    const entries = this.#entries;
    for (let at = 0; at < entries.length; at += 2) yield [entries[at] as string, entries[at + 1] as T[]];
  }

  *keys(): Generator<string, void> {
    for (const [name] of this) yield name;
  }

  *values(): Generator<T[], void> {
    for (const [, values] of this) yield values;
  }

  #at(name: string): number {
    const entries = this.#entries;
    for (let at = 0; at < entries.length; at += 2) if (entries[at] === name) return at;
    return -1;
  }
}
