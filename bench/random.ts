/** A seed → the same numbers on every machine: mulberry32 (public domain). */
export interface Random {
  /** In [0, 1). */
  next(): number;
  /** An integer in [low, high]. */
  between(low: number, high: number): number;
  pick<T>(items: readonly T[]): T;
  /** Lower-case letters and digits. */
  word(low: number, high: number): string;
  bytes(length: number): Uint8Array;
}

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789';

export function seeded(seed: number): Random {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (low: number, high: number) => low + Math.floor(next() * (high - low + 1));
  return {
    next,
    between,
    pick: (items) => items[between(0, items.length - 1)]!,
    word: (low, high) => Array.from({ length: between(low, high) }, () => ALPHABET[between(0, 35)]).join(''),
    bytes: (length) => Uint8Array.from({ length }, () => between(0, 255)),
  };
}
