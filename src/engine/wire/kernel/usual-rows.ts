/**
 * A fast loop that annotates records of the usual forms: known tags of one or two bytes, complete values, shortest
 * forms. It leaves a record of any other form to walk.ts. The loop is a function of its own, so that its variables are
 * in registers.
 */
import { DEFAULT } from '../../model/row-flags.ts';
import * as Cell from '../cells.ts';
import * as Entry from '../entry.ts';
import * as Memory from '../kernel-memory.ts';
import { BYTES, I32, I64, MESSAGE, STRING, VARINT } from './actions.ts';
import { distance, placeOf } from './annotations.ts';
import * as Frames from './frames.ts';
import * as Place from './place.ts';
import { dispatchBase } from './state.ts';
import { cached } from './tag-cache.ts';
import { asciiEnd, measure } from './text.ts';
import { judge, TOP_BITS, varintWidth } from './varints.ts';

/** One past the last place for an annotation. */
const FULL: usize = Memory.ANNOTATIONS + Memory.ANNOTATIONS_ROOM * Memory.ANNOTATION_SIZE;

/** Whether a string is UTF-8. */
function isText(start: usize, end: usize): boolean {
  return measure(start, asciiEnd(start, end), end) === 0;
}

/** The kind of a row with a varint that has to be looked at; 0: not known yet. */
function closeKind(row: usize, at: usize, width: u32, entry: u32): u32 {
  let odd = judge(row, at, width);
  if ((entry & Entry.IMPLICIT) === 0) odd &= ~DEFAULT;
  if (odd === 0) return load<u32>(row, Cell.KIND * 4);
  return load<u32>(row, Cell.ODD_FLAGS * 4) === odd ? load<u32>(row, Cell.ODD_KIND * 4) : 0;
}

/**
 * The value of a two-byte length in its shortest form, whose first byte is `first`. For any other form, it returns a
 * length that does not fit.
 */
function longLength(q: usize, first: u32): u32 {
  const next: u32 = load<u8>(q, 1);
  return next - 1 > 126 ? 0x7fffffff : (first & 127) | (next << 7);
}

/** Reads records of the usual forms from `Place.p` on, up to the first other one, or to the end of the message. */
export function annotateUsual(): void {
  if (Frames.folded !== 0) return;
  const dispatch = dispatchBase;
  const room = (usize(memory.size()) << 16) - 64;
  let at = Place.p;
  let end = Place.limit;
  let table = dispatch + (Place.block << Memory.BLOCK_SHIFT);
  let group = Place.group;
  let own = Place.instance;
  let top = Frames.top;
  let above = Place.owner;
  let number = Place.annotation;
  let out = placeOf(number);

  for (;;) {
    if (at >= end) {
      if (group !== 0 || top === Frames.bottom) break;
      if (load<u32>(top - Frames.FRAME, Frames.CUT) !== 0) break;
      top -= Frames.FRAME;
      end = load<u32>(top, Frames.LIMIT);
      table = dispatch + load<u32>(top, Frames.BLOCK);
      group = load<u32>(top, Frames.GROUP);
      above = load<u32>(top, Frames.OWNER);
      own = load<u32>(top, Frames.INSTANCE);
      continue;
    }
    if (out === FULL) break;
    const tag: u32 = load<u8>(at);
    let slot: usize;
    let q = at + 1;
    if (tag < 128) {
      slot = table + (tag << 3);
    } else {
      const next: u32 = load<u8>(at, 1);
      if (next - 1 > 126) break;
      q++;
      slot = cached(table, (next << 7) | (tag & 127));
    }
    const row: usize = load<u32>(slot);
    const entry = load<u32>(slot, 4);
    let next: usize = 0;
    let kind = load<u32>(row, Cell.KIND * 4);

    if (entry >= STRING) {
      let size: u32 = load<u8>(q);
      if (size < 128) {
        q++;
        next = q + size;
        if (next > end) break;
        if (size === 0 && (entry & Entry.IMPLICIT) !== 0) break;
        // The bytes of the string among the 32 bytes from q on.
        let beyond = true;
        if (size <= 32) {
          const low = v128.and(v128.load(q), v128.load(Memory.TEXT_MASK + 32 - size));
          const high = v128.and(v128.load(q, 16), v128.load(Memory.TEXT_MASK + 48 - size));
          beyond = i8x16.bitmask(v128.or(low, high)) !== 0;
        }
        if (beyond && !isText(q, next)) break;
      } else {
        size = longLength(q, size);
        q += 2;
        next = q + size;
        if (next > end) break;
        kind = load<u32>(row, Cell.LONG_KIND * 4);
        if (!isText(q, next)) break;
      }
    } else if (entry >= MESSAGE) {
      const child = load<i32>(row, Cell.CHILD * 4);
      if ((child & 0x80000001) !== 0 || group !== 0 || top > room) break;
      let size: u32 = load<u8>(q);
      if (size < 128) {
        q++;
        next = q + size;
        if (next > end) break;
      } else {
        size = longLength(q, size);
        q += 2;
        next = q + size;
        if (next > end) break;
        kind = load<u32>(row, Cell.LONG_KIND * 4);
      }
      if (kind === 0) break;
      store<u32>(out, u32(at - Memory.MESSAGE));
      store<u32>(out, u32(next - Memory.MESSAGE), 4);
      store<u32>(out, kind | distance(number, above), 8);
      out += Memory.ANNOTATION_SIZE;
      store<u32>(top, u32(end), Frames.LIMIT);
      // These 64-bit stores also set GROUP and FOLDED to 0.
      store<u64>(top, table - dispatch, Frames.BLOCK);
      store<u32>(top, above, Frames.OWNER);
      store<u64>(top, own, Frames.INSTANCE);
      store<u32>(top, 0, Frames.CUT);
      above = number++;
      top += Frames.FRAME;
      at = q;
      end = next;
      // A block has 1,024 bytes.
      table = dispatch + (u32(child) << (Memory.BLOCK_SHIFT - 1));
      own = Place.nextInstance();
      continue;
    } else if (entry >= VARINT) {
      const stop = ~load<u64>(q) & TOP_BITS;
      const width = stop !== 0 ? u32(ctz(stop) >> 3) + 1 : varintWidth(q, end);
      next = q + width;
      if (width === 0 || next > end) break;
      if (load<u8>(next - 1) === 0 || width << 3 > u32(load<u8>(row, Cell.INTEGER * 4 + 1)))
        kind = closeKind(row, q, width, entry);
    } else if (entry >= I64) {
      next = q + 8;
      if (next > end) break;
      if ((entry & Entry.IMPLICIT) !== 0 && load<u64>(q) === 0) break;
    } else if (entry >= I32) {
      next = q + 4;
      if (next > end) break;
      if ((entry & Entry.IMPLICIT) !== 0 && load<u32>(q) === 0) break;
    } else if (entry >= BYTES) {
      let size: u32 = load<u8>(q);
      if (size < 128) {
        q++;
        next = q + size;
        if (next > end) break;
        if (size === 0 && (entry & Entry.IMPLICIT) !== 0) break;
      } else {
        size = longLength(q, size);
        q += 2;
        next = q + size;
        if (next > end) break;
        kind = load<u32>(row, Cell.LONG_KIND * 4);
      }
    } else {
      break;
    }
    if (kind === 0) break;
    if ((entry & Entry.REPEATED) === 0) {
      if (load<u32>(row, Cell.LAST * 4) === own) break;
      store<u32>(row, own, Cell.LAST * 4);
    }
    store<u32>(out, u32(at - Memory.MESSAGE));
    store<u32>(out, u32(next - Memory.MESSAGE), 4);
    store<u32>(out, kind | distance(number, above), 8);
    out += Memory.ANNOTATION_SIZE;
    number++;
    at = next;
  }
  Place.annotated(group, above, number);
  Place.pause(at, end, table, own, top);
}
