/** Lengths of canonical codes (RFC 1951 §3.2.2) → their symbols, least significant bit first. */

const LONGEST = 15;

/** A code of at most `bits` bits is found at once: symbol << 4 | length. Longer ones are found bit by bit; 0 marks them. */
export class SymbolTable {
  readonly bits: number;
  readonly entries: Uint16Array;
  readonly #counts = new Uint16Array(LONGEST + 1);
  /** By length of their code, then by number. */
  readonly #symbols: Uint16Array;

  constructor(bits: number, symbols: number) {
    this.bits = bits;
    this.entries = new Uint16Array(1 << bits);
    this.#symbols = new Uint16Array(symbols);
  }

  /** @returns false if there are more codes than fit. Too few are found when an undefined code is read. */
  fill(lengths: Uint8Array, from: number, count: number): boolean {
    const counts = this.#counts.fill(0);
    for (let i = 0; i < count; i++) counts[lengths[from + i]!]!++;
    counts[0] = 0;
    const places = new Uint16Array(LONGEST + 2);
    const codes = new Uint16Array(LONGEST + 2);
    for (let length = 1; length <= LONGEST; length++) {
      places[length + 1] = places[length]! + counts[length]!;
      const next = codes[length]! + counts[length]!;
      if (next > 1 << length) return false;
      codes[length + 1] = next << 1;
    }
    const { entries, bits } = this;
    entries.fill(0);
    for (let symbol = 0; symbol < count; symbol++) {
      const length = lengths[from + symbol]!;
      if (length === 0) continue;
      this.#symbols[places[length]!++] = symbol;
      if (length > bits) continue;
      const entry = (symbol << 4) | length;
      const step = 1 << length;
      for (let at = reversed(codes[length]!++, length); at < entries.length; at += step) entries[at] = entry;
    }
    return true;
  }

  /** @param hold 15 bits at least. @returns symbol << 4 | length; 0: no code begins so */
  find(hold: number): number {
    let code = 0;
    let first = 0;
    let index = 0;
    for (let length = 1; length <= LONGEST; length++) {
      code |= (hold >>> (length - 1)) & 1;
      const count = this.#counts[length]!;
      if (code - count < first) return (this.#symbols[index + code - first]! << 4) | length;
      index += count;
      first = (first + count) << 1;
      code <<= 1;
    }
    return 0;
  }
}

function reversed(code: number, length: number): number {
  let bits = 0;
  for (let i = 0; i < length; i++) bits |= ((code >>> i) & 1) << (length - 1 - i);
  return bits;
}
