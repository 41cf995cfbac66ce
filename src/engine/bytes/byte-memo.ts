/**
 * A cache of values by bytes, for bytes that recur: headers, header lines, names. A slot holds the latest entry, so the
 * cache never grows. An entry is only used for exactly its own bytes.
 */
interface Kept<T> {
  readonly bytes: Uint8Array;
  readonly value: T;
}

export class ByteMemo<T> {
  readonly #kept: (Kept<T> | undefined)[];
  readonly #longest: number;

  /** @param places number of slots, a power of two @param longest maximum bytes of a cached key */
  constructor(places: number, longest: number) {
    this.#kept = new Array<Kept<T> | undefined>(places).fill(undefined);
    this.#longest = longest;
  }

  /** @param make receives a copy of the bytes */
  get(bytes: Uint8Array, start: number, end: number, make: (own: Uint8Array) => T): T {
    if (end - start > this.#longest) return make(bytes.slice(start, end));
    let mixed = end - start;
    for (let at = start; at < end; at++) mixed = Math.imul(mixed ^ bytes[at]!, 0x01000193);
    const place = (mixed ^ (mixed >>> 15)) & (this.#kept.length - 1);
    const known = this.#kept[place];
    if (known !== undefined && same(known.bytes, bytes, start, end)) return known.value;
    const own = bytes.slice(start, end);
    const value = make(own);
    this.#kept[place] = { bytes: own, value };
    return value;
  }
}

function same(known: Uint8Array, bytes: Uint8Array, start: number, end: number): boolean {
  if (known.length !== end - start) return false;
  for (let i = 0; i < known.length; i++) if (known[i] !== bytes[start + i]) return false;
  return true;
}
