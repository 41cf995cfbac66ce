/**
 * The two ends of a segment → the connection between them, in either direction. It is called for every packet, so it
 * allocates nothing except for a new connection.
 */
import { ByteMemo } from '../bytes/byte-memo.ts';
import { uint32be } from '../bytes/integers.ts';

/** Two ends. The first one is the side that was captured first. */
export interface Endpoints {
  /** Both addresses, 4 or 16 bytes each. */
  readonly addresses: Uint8Array;
  readonly ports: readonly [number, number];
}

interface Entry<T> {
  readonly ends: Endpoints;
  readonly value: T;
  /** Another connection with the same hash. */
  next: Entry<T> | null;
}

const RECENT = 256;

/** The result is the same for both directions. */
const placeOf = (a: number, b: number): number => (a ^ b ^ ((a + b) >> 8)) & (RECENT - 1);

export class ConnectionIndex<T extends object> {
  readonly #entries = new Map<number, Entry<T>>();
  /** Recently found connections, by their ports. Two active connections rarely share a slot. */
  readonly #recent = new Array<Entry<T> | null>(RECENT).fill(null);
  /** Result of the last `find`: whether the segment goes from the second end to the first one. */
  reversed = false;

  /** @param source offset of the source address in `bytes` @param destination offset of the destination address */
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
    const key = hashOfEnds(bytes, source, destination, width, sourcePort, destinationPort);
    for (let entry = this.#entries.get(key) ?? null; entry !== null; entry = entry.next) {
      if (!this.#fits(entry, bytes, source, destination, width, sourcePort, destinationPort)) continue;
      this.#recent[place] = entry;
      return entry.value;
    }
    return undefined;
  }

  add(ends: Endpoints, value: T): void {
    const key = sumOf(ends);
    this.#entries.set(key, { ends, value, next: this.#entries.get(key) ?? null });
  }

  remove(ends: Endpoints): void {
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

const sumOf = ({ addresses, ports }: Endpoints): number =>
  hashOfEnds(addresses, 0, addresses.length / 2, addresses.length / 2, ports[0], ports[1]);

/** A hash of both ends, the same for both directions. It has 30 bits, which every engine stores without allocating. */
export function hashOfEnds(
  bytes: Uint8Array,
  a: number,
  b: number,
  width: number,
  portA: number,
  portB: number,
): number {
  const mixed = endSum(bytes, a, width, portA) + endSum(bytes, b, width, portB);
  return Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d) >>> 2;
}

function endSum(bytes: Uint8Array, at: number, width: number, port: number): number {
  let mixed = Math.imul(port, 0x9e3779b1);
  for (let i = 0; i < width; i += 4) mixed = Math.imul(mixed ^ uint32be(bytes, at + i), 0x85ebca6b);
  return mixed ^ (mixed >>> 13);
}

const printed = new ByteMemo<string>(1024, 16);

/** `10.0.0.1:9300`, `[2001:db8::1]:9300` (RFC 5952), by side. */
export function printEndpoints({ addresses, ports }: Endpoints): [string, string] {
  const width = addresses.length / 2;
  const printEnd = (at: number, port: number): string =>
    `${printed.get(addresses, at, at + width, printAddress)}:${port}`;
  return [printEnd(0, ports[0]), printEnd(width, ports[1])];
}

function printAddress(bytes: Uint8Array): string {
  if (bytes.length === 4) return bytes.join('.');
  const groups = Array.from({ length: 8 }, (_, i) => ((bytes[2 * i]! << 8) | bytes[2 * i + 1]!).toString(16));
  let longest = { start: 0, length: 1 };
  for (let start = 0; start < 8; start++) {
    let length = 0;
    while (start + length < 8 && groups[start + length] === '0') length++;
    if (length > longest.length) longest = { start, length };
  }
  const { start, length } = longest;
  const text =
    length < 2 ? groups.join(':') : `${groups.slice(0, start).join(':')}::${groups.slice(start + length).join(':')}`;
  return `[${text}]`;
}
