/**
 * tnetstrings, the typed netstrings in which mitmproxy writes its flows (its `mitmproxy/io/tnetstring.py`):
 *
 *   size in decimal digits │ `:` │ data │ type      type: `,` bytes  `;` text  `#` integer  `^` float  `!` boolean
 *                                                         `~` null   `]` list   `}` dictionary: key, value, key, value …
 *
 * Only the wanted levels are read, one at a time, so that nested data cost no stack.
 */
import { latin1 } from '../../bytes/latin1.ts';

/** The data are bytes[start, end); the next item begins at `next`. */
export interface Item {
  /** `,`, `}` … */
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly next: number;
}

/** mitmproxy accepts no longer ones. */
const MAX_DIGITS = 12;
/** A flow has fewer than 30. */
const MAX_MEMBERS = 1000;
const [ZERO, NINE, COLON] = [0x30, 0x39, 0x3a];

/**
 * The size at the start of an item, and where its data begin. `more`: the bytes may be its beginning; `no`: none begins
 * there.
 */
export function itemHead(
  bytes: Uint8Array,
  at: number,
  end: number,
): { readonly size: number; readonly start: number } | 'more' | 'no' {
  let size = 0;
  for (let next = at; next <= at + MAX_DIGITS; next++) {
    if (next >= end) return 'more';
    const byte = bytes[next]!;
    if (byte === COLON) return next === at ? 'no' : { size, start: next + 1 };
    if (byte < ZERO || byte > NINE) return 'no';
    size = size * 10 + byte - ZERO;
  }
  return 'no';
}

/** null: no whole item begins there. */
export function itemAt(bytes: Uint8Array, at: number, end: number): Item | null {
  const head = itemHead(bytes, at, end);
  if (typeof head === 'string' || head.start + head.size >= end) return null;
  const last = head.start + head.size;
  return { type: String.fromCharCode(bytes[last]!), start: head.start, end: last, next: last + 1 };
}

/** The items of a list or of a dictionary, up to the first one that is not whole. */
export function* itemsOf(bytes: Uint8Array, { start, end }: Item): Generator<Item> {
  for (let at = start; at < end; ) {
    const item = itemAt(bytes, at, end);
    if (item === null) return;
    yield item;
    at = item.next;
  }
}

/** Whether whole items make up a list or a dictionary. */
export function isWhole(bytes: Uint8Array, item: Item): boolean {
  let end = item.start;
  for (const { next } of itemsOf(bytes, item)) end = next;
  return end === item.end;
}

/**
 * The values of a dictionary by key, which versions before 0.18 wrote as bytes. null: it is another item, it is
 * not whole, or it has more keys than mitmproxy writes.
 */
export function membersOf(bytes: Uint8Array, item: Item): ReadonlyMap<string, Item> | null {
  if (item.type !== '}') return null;
  const members = new Map<string, Item>();
  let key: Item | null = null;
  let end = item.start;
  for (const one of itemsOf(bytes, item)) {
    end = one.next;
    if (key === null) key = one;
    else {
      members.set(latin1(bytes, key.start, key.end), one);
      key = null;
    }
    if (members.size > MAX_MEMBERS) return null;
  }
  return key === null && end === item.end ? members : null;
}
