/**
 * Objects whose names are data, as `{"u17": {…}, "u18": {…}, …}`. Objects that are values of members with one name are
 * judged together: if they have many names, and few of them share a name, the names are data; numbers always are. Where
 * there are few such objects, many names are enough. The text of a message alone decides, so messages can be read in any
 * order.
 */
import { CLOSE_LIST, CLOSE_OBJECT, COLON, isJsonSpace, OPEN_LIST, OPEN_OBJECT, QUOTE } from './json-cursor.ts';
import { endOfText } from './json-string.ts';

/** The least number of names; of objects and lists whose names have digits, as ids have; of scalars in few objects. */
const MANY = 65;
const MANY_IDS = 8;
const MANY_SCALARS = 257;
const FEW_OBJECTS = 3;
/** Names that more than this part of the objects have are not data. */
const SHARED = 1 / 4;
/** Names are ids if at least this part of them has digits. */
const MOST = 3 / 4;
/** Maps in maps are found one level at a time. */
const MAX_LEVELS = 4;

type Kind = 'nested' | 'text' | 'bool' | 'number';

/** By the first byte of a value. undefined: null, which is of any kind. */
function kindOf(first: number | undefined): Kind | undefined {
  if (first === OPEN_OBJECT || first === OPEN_LIST) return 'nested';
  if (first === QUOTE) return 'text';
  if (first === 0x6e) return undefined;
  return first === 0x74 || first === 0x66 ? 'bool' : 'number';
}

/** The objects that are judged together. */
class Objects {
  /** Offsets of their opening brackets. */
  readonly starts: number[] = [];
  readonly #names = new Set<number>();
  readonly #kinds = new Set<Kind>();
  #haveNumbers = true;
  #members = 0;
  /** Members whose names have digits. */
  #ids = 0;
  /** Members of the largest object. */
  #most = 0;

  /** @param members those of the object so far */
  enter({ hash, isNumber, hasDigit }: Name, kind: Kind | undefined, members: number): void {
    this.#names.add(hash);
    if (!isNumber) this.#haveNumbers = false;
    if (kind !== undefined) this.#kinds.add(kind);
    this.#members++;
    if (hasDigit) this.#ids++;
    this.#most = Math.max(this.#most, members);
  }

  get areMaps(): boolean {
    const { size } = this.#names;
    if (this.#kinds.size !== 1) return false;
    if (this.#haveNumbers) return true;
    const isNested = this.#kinds.has('nested');
    const areIds = this.#ids >= this.#members * MOST;
    const many = isNested && areIds ? MANY_IDS : MANY;
    if (size < many) return false;
    const objects = this.starts.length;
    const areFew = objects <= FEW_OBJECTS;
    // Several maps may have the same keys. Many records do not have many objects with ids as names.
    if (isNested && this.#most >= (areFew ? many : MANY) && (areFew || areIds)) return true;
    if (!isNested && areFew && size < MANY_SCALARS) return false;
    return this.#members <= size * Math.max(1, objects * SHARED);
  }
}

/** Offsets of the opening brackets of these objects. The text may be damaged. */
export function namedMaps(bytes: Uint8Array): ReadonlySet<number> {
  const maps = new Set<number>();
  for (let level = 0; level < MAX_LEVELS; level++) {
    const before = maps.size;
    for (const { areMaps, starts } of objectsOf(bytes, maps)) {
      if (areMaps) for (const start of starts) maps.add(start);
    }
    if (maps.size === before) break;
  }
  return maps;
}

/** An object or a list whose end is not yet read. */
interface OpenValue {
  readonly start: number;
  /** Whether it is a list, or known to be a map. */
  readonly isSettled: boolean;
  /** Hash of the name that it has, or for all objects in a map, that the map has. */
  readonly name: number;
  /** The objects that it is judged with, from its first member on. */
  objects: Objects | undefined;
  members: number;
  /** The same hash, for its values. */
  innerName: number;
}

/** @param maps the objects that are known to be maps: the objects in one are judged together */
function objectsOf(bytes: Uint8Array, maps: ReadonlySet<number>): Iterable<Objects> {
  const byHash = new Map<number, Objects>();
  const open: OpenValue[] = [];
  /** The contents of the last string. */
  let [textStart, textEnd] = [0, 0];
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (byte === QUOTE) {
      const end = endOfText(bytes, at + 1, bytes.length);
      if (end < 0) break;
      [textStart, textEnd] = [at + 1, end];
      at = end;
    } else if (byte === COLON) {
      const object = open.at(-1);
      if (object === undefined || object.isSettled) continue;
      let value = at + 1;
      while (isJsonSpace(bytes[value] ?? 0)) value++;
      const name = nameAt(bytes, textStart, textEnd);
      if (object.objects === undefined) {
        // Numbers and words as names of objects with one name are two sorts of objects.
        const hash = hashOn(object.name, name.isNumber ? 1 : 0);
        object.objects = byHash.get(hash) ?? new Objects();
        byHash.set(hash, object.objects);
        object.objects.starts.push(object.start);
      }
      object.members++;
      object.objects.enter(name, kindOf(bytes[value]), object.members);
      object.innerName = name.hash;
    } else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
      const own = open.at(-1)?.innerName ?? SEED;
      const isMap = maps.has(at);
      const isSettled = isMap || byte === OPEN_LIST;
      const innerName = isMap ? hashOn(own, 2) : own;
      open.push({ start: at, isSettled, name: own, objects: undefined, members: 0, innerName });
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) open.pop();
  }
  return byHash.values();
}

interface Name {
  /** FNV-1a. */
  readonly hash: number;
  /** Digits, with full stops. */
  readonly isNumber: boolean;
  readonly hasDigit: boolean;
}

const SEED = 0x811c9dc5;
const hashOn = (hash: number, byte: number): number => Math.imul(hash ^ byte, 0x01000193);

function nameAt(bytes: Uint8Array, start: number, end: number): Name {
  let hash = SEED;
  let hasDigit = false;
  let hasOther = false;
  for (let at = start; at < end; at++) {
    const byte = bytes[at]!;
    hash = hashOn(hash, byte);
    if (byte >= 0x30 && byte <= 0x39) hasDigit = true;
    else if (byte !== 0x2e) hasOther = true;
  }
  return { hash, isNumber: hasDigit && !hasOther, hasDigit };
}
