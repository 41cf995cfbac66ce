/**
 * A map with lazy values. An entry is a value, or the source that the value is made from. Reading a value, or
 * iterating, makes values; testing for a name does not.
 */
export class LazyMap<Value extends object, Source extends object> implements ReadonlyMap<string, Value> {
  readonly #entries = new Map<string, Value | Source>();
  readonly #isSource: (entry: Value | Source) => entry is Source;
  readonly #make: (source: Source) => void;

  /** @param make sets the values of all names that have the same source */
  constructor(isSource: (entry: Value | Source) => entry is Source, make: (source: Source) => void) {
    this.#isSource = isSource;
    this.#make = make;
  }

  /** Sets a value, or the source that it will be made from. */
  set(name: string, entry: Value | Source): void {
    this.#entries.set(name, entry);
  }

  /** The entry of the name, made or not. */
  peek(name: string): Value | Source | undefined {
    return this.#entries.get(name);
  }

  has(name: string): boolean {
    return this.#entries.has(name);
  }

  get(name: string): Value | undefined {
    const entry = this.#entries.get(name);
    if (entry === undefined || !this.#isSource(entry)) return entry;
    this.#make(entry);
    return this.#entries.get(name) as Value;
  }

  get size(): number {
    return this.#entries.size;
  }

  keys(): MapIterator<string> {
    return this.#entries.keys();
  }

  *values(): MapIterator<Value> {
    for (const name of this.#entries.keys()) yield this.get(name)!;
  }

  *entries(): MapIterator<[string, Value]> {
    for (const name of this.#entries.keys()) yield [name, this.get(name)!];
  }

  [Symbol.iterator](): MapIterator<[string, Value]> {
    return this.entries();
  }

  forEach(visit: (value: Value, name: string, map: ReadonlyMap<string, Value>) => void): void {
    for (const [name, value] of this) visit(value, name, this);
  }
}
