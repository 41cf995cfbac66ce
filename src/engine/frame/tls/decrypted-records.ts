/**
 * The places of decrypted contents in the capture, with their keys. A source on top of the capture returns the plain
 * bytes at the place of a message. The keys are stored, the contents are not.
 */
import type { BlockSource } from '../../bytes/block-source.ts';
import type { TrafficKeys } from './key-schedule.ts';
import { decryptPart } from './record-cipher.ts';

/** A nonce has twelve bytes. */
const NONCE_WORDS = 3;
const FIRST_ROOM = 1024;

export class DecryptedRecords {
  readonly #keys: TrafficKeys[] = [];
  readonly #indexOf = new Map<TrafficKeys, number>();
  #count = 0;
  /**
   * By piece: captureOffset of its first byte, its length, its offset in the record's ciphertext, its keys, its nonce.
   */
  #starts = new Float64Array(FIRST_ROOM);
  #lengths = new Uint32Array(FIRST_ROOM);
  #offsets = new Uint32Array(FIRST_ROOM);
  #keyIndexes = new Uint32Array(FIRST_ROOM);
  #nonces = new Uint32Array(FIRST_ROOM * NONCE_WORDS);
  /** Pieces by captureOffset; null: pieces were added since it was sorted. */
  #order: Uint32Array | null = null;

  add(keys: TrafficKeys, nonce: Uint8Array, offset: number, start: number, end: number): void {
    let index = this.#indexOf.get(keys);
    if (index === undefined) {
      index = this.#keys.push(keys) - 1;
      this.#indexOf.set(keys, index);
    }
    if (this.#count === this.#starts.length) this.#grow();
    const at = this.#count++;
    this.#starts[at] = start;
    this.#lengths[at] = end - start;
    this.#offsets[at] = offset;
    this.#keyIndexes[at] = index;
    const words = new DataView(nonce.buffer, nonce.byteOffset);
    for (let i = 0; i < NONCE_WORDS; i++) this.#nonces[at * NONCE_WORDS + i] = words.getUint32(4 * i);
    this.#order = null;
  }

  clear(): void {
    this.#count = 0;
    this.#keys.length = 0;
    this.#indexOf.clear();
    this.#order = null;
  }

  /**
   * `source`, with decrypted contents in place of the ciphertexts. Contents are available as soon as they are known.
   */
  over(source: BlockSource): BlockSource {
    const isPlain = () => this.#count === 0;
    return {
      name: source.name,
      size: source.size,
      // Another worker has no keys.
      get handle() {
        return isPlain() ? source.handle : undefined;
      },
      peek: (start, end) => {
        const bytes = source.peek(start, end);
        return bytes && this.#decrypt(bytes, start, end);
      },
      read: async (start, end) => this.#decrypt(await source.read(start, end), start, end),
    };
  }

  #decrypt(bytes: Uint8Array, start: number, end: number): Uint8Array {
    const order = this.#inOrder();
    const first = this.#firstEndingBehind(order, start);
    if (first === order.length || this.#starts[order[first]!]! >= end) return bytes;
    const plain = bytes.slice();
    for (let i = first; i < order.length; i++) {
      const piece = order[i]!;
      const at = this.#starts[piece]!;
      if (at >= end) break;
      const from = Math.max(start, at);
      const to = Math.min(end, at + this.#lengths[piece]!);
      const offset = this.#offsets[piece]! + from - at;
      decryptPart(
        this.#keys[this.#keyIndexes[piece]!]!,
        this.#nonceOf(piece),
        offset,
        plain.subarray(from - start, to - start),
      );
    }
    return plain;
  }

  #nonceOf(piece: number): Uint8Array {
    const nonce = new Uint8Array(4 * NONCE_WORDS);
    const words = new DataView(nonce.buffer);
    for (let i = 0; i < NONCE_WORDS; i++) words.setUint32(4 * i, this.#nonces[piece * NONCE_WORDS + i]!);
    return nonce;
  }

  /** Pieces are disjoint, because each byte of a capture belongs to at most one record. */
  #firstEndingBehind(order: Uint32Array, offset: number): number {
    let low = 0;
    let high = order.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const piece = order[middle]!;
      if (this.#starts[piece]! + this.#lengths[piece]! <= offset) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #inOrder(): Uint32Array {
    this.#order ??= Uint32Array.from({ length: this.#count }, (_, i) => i).sort(
      (a, b) => this.#starts[a]! - this.#starts[b]!,
    );
    return this.#order;
  }

  #grow(): void {
    const room = 2 * this.#starts.length;
    const copy = <T extends Float64Array | Uint32Array>(larger: T, column: T): T => {
      larger.set(column);
      return larger;
    };
    this.#starts = copy(new Float64Array(room), this.#starts);
    this.#lengths = copy(new Uint32Array(room), this.#lengths);
    this.#offsets = copy(new Uint32Array(room), this.#offsets);
    this.#keyIndexes = copy(new Uint32Array(room), this.#keyIndexes);
    this.#nonces = copy(new Uint32Array(room * NONCE_WORDS), this.#nonces);
  }
}
