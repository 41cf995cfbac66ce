/**
 * HPACK (RFC 7541): a header block → headers, with the dynamic table that earlier blocks built.
 *
 *   1xxxxxxx  indexed             01xxxxxx  literal, enters the table      001xxxxx  table size
 *   0000xxxx  literal             0001xxxx  literal, never indexed
 *   string    H│length×7 │ octets, Huffman-coded if H
 *
 * A decoder that started late or missed a block does not know the older entries. A header that refers to one has an
 * unknown name. Later entries are known, because indices count from the newest entry.
 */
import { latin1 } from '../../bytes/latin1.ts';
import { decodeHuffman } from '../../compression/hpack-huffman.ts';
import type { Piece } from '../message.ts';
import { STATIC_HEADERS } from './hpack-tables.ts';
import { slicePieces } from './parts.ts';

export interface HeaderField {
  /** null: it refers to an unknown entry. */
  readonly name: string | null;
  readonly value: string | null;
  /** The place of a path with a query, which may contain a message. */
  readonly place?: ValuePlace;
}

/** The bytes of a header's value as it was sent. */
export interface ValuePlace {
  /** The value's octets; Huffman-coded if `coded`. */
  readonly octets: Uint8Array;
  readonly coded: boolean;
  readonly pieces: readonly Piece[];
  /** Whether the value is in an earlier block, and this block only refers to it. */
  readonly repeated: boolean;
}

export interface HeaderBlock {
  readonly headers: readonly HeaderField[];
  /** false: the block is malformed, has too many headers, or refers to unknown entries. */
  readonly sound: boolean;
}

const DEFAULT_TABLE_SIZE = 4096;
/** RFC 7541 §4.1: the size of an entry besides its octets. */
const ENTRY_COST = 32;
/** A larger table size is treated as a fault. */
const LARGEST_TABLE = 1024 * 1024;
/** Limit of headers, because each octet of a block may be a header. */
const MAX_HEADERS = 4096;
const MAX_TEXT = 1024 * 1024;

export class HpackDecoder {
  /** Newest last. */
  #entries: HeaderField[] = [];
  #size = 0;
  #limit = DEFAULT_TABLE_SIZE;

  /** Called after a missed block: the contents of the table are unknown. */
  forget(): void {
    this.#entries = [];
    this.#size = 0;
  }

  /** @param pieces the block's places */
  decode(block: Uint8Array, pieces: readonly Piece[] = []): HeaderBlock {
    const headers: HeaderField[] = [];
    const cursor: Cursor = { bytes: block, at: 0, sound: true, from: 0, coded: false };
    let known = true;
    let text = 0;
    while (cursor.at < block.length && cursor.sound && headers.length < MAX_HEADERS && text < MAX_TEXT) {
      const first = block[cursor.at]!;
      if (first & 0x80) {
        const header = this.#at(integer(cursor, 7));
        if (header === null) known = false;
        headers.push(repeated(header) ?? { name: null, value: null });
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
      const header: HeaderField =
        name === ':path' && value.includes('?') ? { name, value, place: placeOf(cursor, pieces) } : { name, value };
      headers.push(header);
      text += value.length;
      if (enters) this.#add(header);
    }
    const isWhole = cursor.sound && cursor.at === block.length;
    if (!isWhole) this.forget();
    return { headers, sound: isWhole && known };
  }

  #at(index: number): HeaderField | null {
    if (index === 0) return null;
    if (index <= STATIC_HEADERS.length) {
      const [name, value] = STATIC_HEADERS[index - 1]!;
      return { name, value };
    }
    return this.#entries[this.#entries.length - (index - STATIC_HEADERS.length)] ?? null;
  }

  #add(header: HeaderField): void {
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

function placeOf({ bytes, from, at, coded }: Cursor, pieces: readonly Piece[]): ValuePlace {
  return { octets: bytes.slice(from, at), coded, pieces: slicePieces(pieces, from, at), repeated: false };
}

const repeated = (header: HeaderField | null): HeaderField | null =>
  header?.place === undefined ? header : { ...header, place: { ...header.place, repeated: true } };

const cost = (header: HeaderField): number => (header.name?.length ?? 0) + (header.value?.length ?? 0) + ENTRY_COST;

interface Cursor {
  readonly bytes: Uint8Array;
  at: number;
  sound: boolean;
  /** Facts of the last string: the index of its octets, and whether they are Huffman-coded. */
  from: number;
  coded: boolean;
}

/** RFC 7541 §5.1: an integer whose prefix is the low `bits` bits of the first octet. */
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
  // The length itself may be read beyond the end if no octet is left.
  if (end > cursor.bytes.length) cursor.sound = false;
  if (!cursor.sound) return '';
  const octets = cursor.bytes.subarray(cursor.at, end);
  cursor.from = cursor.at;
  cursor.coded = coded;
  cursor.at = end;
  const plain = coded ? decodeHuffman(octets) : octets;
  if (plain === null) cursor.sound = false;
  return plain === null ? '' : latin1(plain, 0, plain.length);
}
