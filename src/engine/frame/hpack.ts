/**
 * HPACK (RFC 7541): a header block → headers, with the dynamic table that the blocks before it built up.
 *
 *   1xxxxxxx  indexed             01xxxxxx  literal, enters the table      001xxxxx  table size
 *   0000xxxx  literal             0001xxxx  literal, never indexed
 *   string    H│length×7 │ octets, Huffman-coded if H
 *
 * A decoder that came in late, or missed a block, does not know the older entries: a header that refers to one has an
 * unknown name. Entries added since are known, for their index counts from the newest.
 */
import { HUFFMAN_LENGTHS, STATIC_HEADERS } from './hpack-tables.ts';

export interface Header {
  /** null: it refers to an entry that is not known. */
  readonly name: string | null;
  readonly value: string | null;
}

export interface HeaderBlock {
  readonly headers: readonly Header[];
  /** false: broken, or refers to entries that are not known. */
  readonly sound: boolean;
}

const DEFAULT_TABLE_SIZE = 4096;
/** RFC 7541 §4.1: what an entry costs beside its octets. */
const ENTRY_COST = 32;
/** A table larger than this is not believed in. */
const LARGEST_TABLE = 1024 * 1024;
/** A block of one octet a header could expand without bound. */
const MOST_HEADERS = 4096;
const MOST_TEXT = 1024 * 1024;

export class HpackDecoder {
  /** Newest last. */
  #entries: Header[] = [];
  #size = 0;
  #limit = DEFAULT_TABLE_SIZE;

  /** A block was missed: what the table holds can no longer be told. */
  forget(): void {
    this.#entries = [];
    this.#size = 0;
  }

  decode(block: Uint8Array): HeaderBlock {
    const headers: Header[] = [];
    const cursor: Cursor = { bytes: block, at: 0, sound: true };
    let known = true;
    let text = 0;
    while (cursor.at < block.length && cursor.sound && headers.length < MOST_HEADERS && text < MOST_TEXT) {
      const first = block[cursor.at]!;
      if (first & 0x80) {
        const header = this.#at(integer(cursor, 7));
        if (header === null) known = false;
        headers.push(header ?? { name: null, value: null });
        text += header?.value?.length ?? 0;
        continue;
      }
      if ((first & 0xe0) === 0x20) {
        const limit = integer(cursor, 5);
        if (limit > LARGEST_TABLE) cursor.sound = false;
        else this.#resize(limit);
        continue;
      }
      const enters = (first & 0xc0) === 0x40;
      const index = integer(cursor, enters ? 6 : 4);
      const name = index === 0 ? string(cursor) : (this.#at(index)?.name ?? null);
      const value = string(cursor);
      if (!cursor.sound) break;
      if (name === null) known = false;
      const header = { name, value };
      headers.push(header);
      text += value.length;
      if (enters) this.#add(header);
    }
    if (!cursor.sound) this.forget();
    return { headers, sound: cursor.sound && known };
  }

  #at(index: number): Header | null {
    if (index === 0) return null;
    if (index <= STATIC_HEADERS.length) {
      const [name, value] = STATIC_HEADERS[index - 1]!;
      return { name, value };
    }
    return this.#entries[this.#entries.length - (index - STATIC_HEADERS.length)] ?? null;
  }

  #add(header: Header): void {
    this.#entries.push(header);
    this.#size += cost(header);
    this.#evict();
  }

  #resize(limit: number): void {
    this.#limit = limit;
    this.#evict();
  }

  #evict(): void {
    let count = 0;
    while (this.#size > this.#limit && count < this.#entries.length) this.#size -= cost(this.#entries[count++]!);
    if (count > 0) this.#entries = this.#entries.slice(count);
  }
}

const cost = (header: Header): number => (header.name?.length ?? 0) + (header.value?.length ?? 0) + ENTRY_COST;

interface Cursor {
  readonly bytes: Uint8Array;
  at: number;
  sound: boolean;
}

/** RFC 7541 §5.1: an integer whose prefix takes the low `bits` of the first octet. */
function integer(cursor: Cursor, bits: number): number {
  const most = 2 ** bits - 1;
  let value = cursor.bytes[cursor.at++]! & most;
  if (value < most) return value;
  for (let scale = 1; scale <= 2 ** 28; scale *= 128) {
    const octet = cursor.bytes[cursor.at++];
    if (octet === undefined) break;
    value += (octet & 127) * scale;
    if (octet < 128) return value;
  }
  cursor.sound = false;
  return 0;
}

function string(cursor: Cursor): string {
  const coded = ((cursor.bytes[cursor.at] ?? 0) & 0x80) !== 0;
  const length = cursor.sound ? integer(cursor, 7) : 0;
  const end = cursor.at + length;
  // Where no octet was left, the length itself was read from beyond.
  if (end > cursor.bytes.length) cursor.sound = false;
  if (!cursor.sound) return '';
  const octets = cursor.bytes.subarray(cursor.at, end);
  cursor.at = end;
  if (!coded) return printOctets(octets);
  const plain = decodeHuffman(octets);
  if (plain === null) cursor.sound = false;
  return plain ?? '';
}

function printOctets(octets: Uint8Array): string {
  let text = '';
  for (const octet of octets) text += String.fromCharCode(octet);
  return text;
}

const LONGEST_CODE = 30;
const END_OF_STRING = 256;

/** Canonical: codes of one length are consecutive and rise with the symbol. By length: first code, its place, symbols. */
const { FIRST_CODE, FIRST_PLACE, COUNT, SYMBOLS } = (() => {
  const symbols = HUFFMAN_LENGTHS.map((length, symbol) => ({ length, symbol })).sort(
    (a, b) => a.length - b.length || a.symbol - b.symbol,
  );
  const firstCode: number[] = [];
  const firstPlace: number[] = [];
  const count: number[] = [];
  let code = 0;
  let place = 0;
  for (let length = 0; length <= LONGEST_CODE; length++) {
    code *= 2;
    firstCode.push(code);
    firstPlace.push(place);
    const ofLength = symbols.filter((row) => row.length === length).length;
    count.push(ofLength);
    code += ofLength;
    place += ofLength;
  }
  return {
    FIRST_CODE: firstCode,
    FIRST_PLACE: firstPlace,
    COUNT: count,
    SYMBOLS: symbols.map((row) => row.symbol),
  };
})();

/** RFC 7541 §5.2; null: no such code, or padding that is not the beginning of the end of string. */
export function decodeHuffman(octets: Uint8Array): string | null {
  let text = '';
  let code = 0;
  let length = 0;
  for (const octet of octets) {
    for (let bit = 7; bit >= 0; bit--) {
      code = code * 2 + ((octet >> bit) & 1);
      length++;
      const place = code - FIRST_CODE[length]!;
      if (place < COUNT[length]!) {
        const symbol = SYMBOLS[FIRST_PLACE[length]! + place]!;
        if (symbol === END_OF_STRING) return null;
        text += String.fromCharCode(symbol);
        code = 0;
        length = 0;
      } else if (length === LONGEST_CODE) return null;
    }
  }
  return length < 8 && code === 2 ** length - 1 ? text : null;
}
