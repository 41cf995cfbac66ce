/**
 * The two ends of a segment → the connection between them, in either direction. Called for every packet: nothing is
 * made on the way but for a new connection.
 */
import { uint32be } from '../bytes/integers.ts';

/** Two ends, the first one the side that was captured first. */
export interface Ends {
  /** Both addresses, 4 or 16 bytes each. */
  readonly addresses: Uint8Array;
  readonly ports: readonly [number, number];
}

interface Entry<T> {
  readonly ends: Ends;
  readonly value: T;
  /** Another connection whose ends give the same sum. */
  next: Entry<T> | null;
}

const RECENT = 256;

/** The same both ways round. */
const placeOf = (a: number, b: number): number => (a ^ b ^ ((a + b) >> 8)) & (RECENT - 1);

export class ConnectionIndex<T extends object> {
  readonly #entries = new Map<number, Entry<T>>();
  /** Recently found connections, by their ports: two active ones hardly ever share a slot. */
  readonly #recent = new Array<Entry<T> | null>(RECENT).fill(null);
  /** Result of the last `find`: the segment goes from its second end to its first one. */
  reversed = false;

  /** @param source offset of the source address in `bytes`; `destination` likewise */
  find(
    bytes: Uint8Array,
    source: number,
    destination: number,
    width: number,
    sourcePort: number,
    destinationPort: number,
  ): T | undefined {
    const place = placeOf(sourcePort, destinationPort);
    const recent = this.#recent[place]!;
    if (recent !== null && this.#fits(recent, bytes, source, destination, width, sourcePort, destinationPort)) {
      return recent.value;
    }
    const key = sum(bytes, source, destination, width, sourcePort, destinationPort);
    for (let entry = this.#entries.get(key) ?? null; entry !== null; entry = entry.next) {
      if (!this.#fits(entry, bytes, source, destination, width, sourcePort, destinationPort)) continue;
      this.#recent[place] = entry;
      return entry.value;
    }
    return undefined;
  }

  add(ends: Ends, value: T): void {
    const key = sumOf(ends);
    this.#entries.set(key, { ends, value, next: this.#entries.get(key) ?? null });
  }

  remove(ends: Ends): void {
    const key = sumOf(ends);
    this.#recent[placeOf(ends.ports[0], ends.ports[1])] = null;
    let left: Entry<T> | null = null;
    for (let entry = this.#entries.get(key) ?? null; entry !== null; entry = entry.next) {
      if (entry.ends !== ends) left = { ...entry, next: left };
    }
    if (left === null) this.#entries.delete(key);
    else this.#entries.set(key, left);
  }

  #fits(
    { ends: { addresses, ports } }: Entry<T>,
    bytes: Uint8Array,
    source: number,
    destination: number,
    width: number,
    sourcePort: number,
    destinationPort: number,
  ): boolean {
    if (addresses.length !== 2 * width) return false;
    this.reversed = false;
    if (
      ports[0] === sourcePort &&
      ports[1] === destinationPort &&
      same(addresses, 0, bytes, source, width) &&
      same(addresses, width, bytes, destination, width)
    ) {
      return true;
    }
    this.reversed = true;
    return (
      ports[1] === sourcePort &&
      ports[0] === destinationPort &&
      same(addresses, width, bytes, source, width) &&
      same(addresses, 0, bytes, destination, width)
    );
  }
}

function same(a: Uint8Array, from: number, b: Uint8Array, at: number, count: number): boolean {
  for (let i = 0; i < count; i++) if (a[from + i] !== b[at + i]) return false;
  return true;
}

const sumOf = ({ addresses, ports }: Ends): number =>
  sum(addresses, 0, addresses.length / 2, addresses.length / 2, ports[0], ports[1]);

/** The same both ways round; 30 bits, which every engine holds without an object. */
function sum(bytes: Uint8Array, a: number, b: number, width: number, portA: number, portB: number): number {
  const mixed = endSum(bytes, a, width, portA) + endSum(bytes, b, width, portB);
  return Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d) >>> 2;
}

function endSum(bytes: Uint8Array, at: number, width: number, port: number): number {
  let mixed = Math.imul(port, 0x9e3779b1);
  for (let i = 0; i < width; i += 4) mixed = Math.imul(mixed ^ uint32be(bytes, at + i), 0x85ebca6b);
  return mixed ^ (mixed >>> 13);
}
