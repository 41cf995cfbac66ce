/**
 * A fast loop for records of the usual forms: known tags of one or two bytes, complete values, shortest forms. It adds
 * them up or annotates them. It leaves a record of any other form to walk.ts. The loop is a function of its own, so
 * that its variables are in registers.
 */
import { DEFAULT } from '../../model/row-flags.ts';
import * as Cell from '../cells.ts';
import * as Entry from '../entry.ts';
import * as Memory from '../kernel-memory.ts';
import * as ScanFlag from '../scan-flags.ts';
import { distance, placeOf } from './annotations.ts';
import * as Frames from './frames.ts';
import { countsOf } from './lengths.ts';
import { presentAgain, setSize } from './records.ts';
import { dispatchBase, rowsBase } from './state.ts';
import { cached } from './tag-cache.ts';
import { asciiEnd, bodyDelta, lengthDelta, measure } from './text.ts';
import { add, count, judge, TOP_BITS, valueAt, varintWidth, widthOf } from './varints.ts';

/** One past the last place for an annotation. */
const FULL: usize = Memory.ANNOTATIONS + Memory.ANNOTATIONS_ROOM * Memory.ANNOTATION_SIZE;

/** The position of the walk. walk.ts has variables with the same names. */
export let p: usize = 0;
export let limit: usize = 0;
export let block: u32 = 0;
export let group: u32 = 0;
export let owner: u32 = 0;
export let instance: u32 = 0;
export let lastInstance: u32 = 0;
/** Number of annotations, including spilled ones. */
export let annotation: u32 = 0;
/** Bits of ScanFlag of the records read so far. */
export let flags: i32 = 0;

/** Sets the position to continue at. */
export function stand(at: usize, end: usize, within: u32, inGroup: u32, by: u32, own: u32, last: u32, rows: u32): void {
  p = at;
  limit = end;
  block = within;
  group = inGroup;
  owner = by;
  instance = own;
  lastInstance = last;
  annotation = rows;
  flags = 0;
}

/** Whether a string of the row is UTF-8. */
function isText(start: usize, end: usize): boolean {
  const ascii = asciiEnd(start, end);
  return ascii === end || measure(start, ascii, end) === 0;
}

/** The kind of a row with a varint that `countClose` would count; 0: not known yet. */
function closeKind(row: usize, at: usize, width: u32, entry: u32): u32 {
  let odd = judge(row, at, width);
  if ((entry & Entry.IMPLICIT) === 0) odd &= ~DEFAULT;
  if (odd === 0) return load<u32>(row, Cell.KIND * 4);
  return load<u32>(row, Cell.ODD_FLAGS * 4) === odd ? load<u32>(row, Cell.ODD_KIND * 4) : 0;
}

function pause(at: usize, end: usize, table: usize, own: u32, last: u32, top: usize): void {
  p = at;
  limit = end;
  block = u32(table - dispatchBase) >> Memory.BLOCK_SHIFT;
  instance = own;
  lastInstance = last;
  Frames.resume(top);
}

/** Enters presence of a field that is repeated or in a oneof, as `countRecord` does for one element. */
function presentAmong(rows: usize, row: usize, entry: u32, own: u32): void {
  const isAgain = load<u32>(row, Cell.LAST * 4) === own;
  if ((entry & Entry.REPEATED) !== 0) {
    if (isAgain) {
      const elements = load<u32>(row, Cell.IN_INSTANCE * 4) + 1;
      store<u32>(row, elements, Cell.IN_INSTANCE * 4);
      if ((elements & 127) === 0) presentAgain(row, elements);
    } else {
      store<u32>(row, own, Cell.LAST * 4);
      add(row, Cell.PRESENT, 1);
      store<u32>(row, 1, Cell.IN_INSTANCE * 4);
    }
  } else if (isAgain) {
    add(row, Cell.REPEATS, 1);
    flags |= ScanFlag.IRREGULAR;
  } else {
    store<u32>(row, own, Cell.LAST * 4);
    const oneof = rows + ((load<u32>(row, Cell.ONEOF * 4) - 1) << Cell.ROW_SHIFT);
    if (load<u32>(oneof, Cell.ONEOF_LAST * 4) === own) flags |= ScanFlag.IRREGULAR;
    store<u32>(oneof, own, Cell.ONEOF_LAST * 4);
  }
}

/** Counts a varint that is 0, not in its shortest form, or unusually wide for its type. */
function countClose(row: usize, at: usize, width: u32, entry: u32): void {
  // The 64th bit is in the tenth byte, so there is no shorter form.
  if (width === 10 && load<u8>(at, 9) === 1 && load<u8>(row, Cell.INTEGER * 4) === Entry.SIGNED64) {
    add(row, Cell.NEGATIVES - 1 + widthOf((~valueAt(at, 10) << 1) | 1), 1);
    return;
  }
  if (width > 1) flags |= count(row, at, width, 1);
  if ((entry & Entry.IMPLICIT) !== 0 && (judge(row, at, width) & DEFAULT) !== 0) add(row, Cell.ZEROS, 1);
}

/** Enters a length. Lengths below 128 are counted elsewhere. */
function countLength(row: usize, size: u32, width: u32): void {
  add(row, Cell.LENGTH_WIDTHS - 1 + width, 1);
  setSize(row, size);
}

/** Counts a string with bytes beyond ASCII, the first one at `ascii`. */
function countText(row: usize, start: usize, ascii: usize, end: usize): void {
  if (measure(start, ascii, end) !== 0) flags |= ScanFlag.NOTE | ScanFlag.IRREGULAR;
  add(row, Cell.TEXT_LENGTH, lengthDelta);
  add(row, Cell.TEXT_BODY, bodyDelta);
}

/** Checks a string of more than 32 bytes. */
function checkLong(row: usize, start: usize, end: usize): void {
  const ascii = asciiEnd(start, end);
  if (ascii < end) countText(row, start, ascii, end);
}

/** Enters the value of an unknown field. Returns its end, or 0 where walk.ts has to read it. */
function countUnknown(row: usize, start: usize, end: usize, action: i32): usize {
  let p = start;
  let size: u32 = action === Entry.UNKNOWN_I64 ? 8 : 4;
  let width: u32 = 0;
  if (p >= end) return 0;
  if (action === Entry.UNKNOWN_VARINT) {
    size = varintWidth(p, end);
    if (size === 0 || load<u8>(p + size - 1) === 0 || size >= u32(load<u8>(row, Cell.INTEGER * 4 + 1))) return 0;
  } else if (action === Entry.UNKNOWN_LEN) {
    size = load<u8>(p);
    width = size < 128 ? 1 : 2;
    if (width > 1) size = longLength(p, size);
    p += width;
  }
  if (p > end || size > u32(end - p)) return 0;
  add(row, width > 0 ? Cell.LENGTH_WIDTHS - 1 + width : Cell.RECORDS, 1);
  add(row, Cell.VALUE, size);
  setSize(row, size);
  flags |= ScanFlag.NOTE;
  return p + size;
}

/**
 * The value of a two-byte length in its shortest form, whose first byte is `first`. For any other form, it returns a
 * length that does not fit.
 */
function longLength(q: usize, first: u32): u32 {
  const next: u32 = load<u8>(q, 1);
  return next - 1 > 126 ? 0x7fffffff : (first & 127) | (next << 7);
}

/**
 * Reads from `p` on, until a record has an unusual form, a group is not terminated, or the message ends. With a `T` of
 * one byte, it writes annotations.
 */
export function readOn<T>(): void {
  if (Frames.folded !== 0) return;
  const rows = rowsBase;
  const dispatch = dispatchBase;
  const room = (usize(memory.size()) << 16) - 64;
  let at = p;
  let end = limit;
  let table = dispatch + (block << Memory.BLOCK_SHIFT);
  let own = instance;
  let last = lastInstance;
  let top = Frames.top;
  let above: u32 = sizeof<T>() === 1 ? owner : 0;
  let number: u32 = sizeof<T>() === 1 ? annotation : 0;
  let out: usize = sizeof<T>() === 1 ? placeOf(annotation) : 0;

  for (;;) {
    if (at >= end) {
      if (group !== 0 || top === Frames.bottom) break;
      if (sizeof<T>() === 1 && load<u32>(top - Frames.FRAME, Frames.CUT) !== 0) break;
      top -= Frames.FRAME;
      end = load<u32>(top, Frames.LIMIT);
      table = dispatch + load<u32>(top, Frames.BLOCK);
      group = load<u32>(top, Frames.GROUP);
      if (sizeof<T>() === 1) above = load<u32>(top, Frames.OWNER);
      else if (group !== 0) owner = load<u32>(top, Frames.OWNER);
      own = load<u32>(top, Frames.INSTANCE);
      continue;
    }
    if (sizeof<T>() === 1 && out === FULL) break;
    const tag: u32 = load<u8>(at);
    let entry: u32;
    let q = at + 1;
    if (tag < 128) {
      entry = load<u32>(table + (tag << 2));
    } else {
      const next: u32 = load<u8>(at, 1);
      if (next - 1 > 126) break;
      q++;
      entry = cached(table, (next << 7) | (tag & 127));
    }
    const row = rows + ((entry >>> Entry.ENTRY_ROW_SHIFT) << Cell.ROW_SHIFT);

    const action = i32(entry & 15);
    let next: usize = 0;
    let kind: u32 = sizeof<T>() === 1 ? load<u32>(row, Cell.KIND * 4) : 0;

    if (action === Entry.STRING) {
      let size: u32 = load<u8>(q);
      if (size < 128) {
        q++;
        next = q + size;
        if (next > end) break;
        if (sizeof<T>() === 1) {
          if (size === 0 && (entry & Entry.IMPLICIT) !== 0) break;
        } else {
          const times = countsOf(row) + (size << 2);
          store<u32>(times, load<u32>(times) + 1);
        }
        // The bytes of the string among the 32 bytes from q on.
        let beyond = true;
        if (size <= 32) {
          const low = v128.and(v128.load(q), v128.load(Memory.TEXT_MASK + 32 - size));
          const high = v128.and(v128.load(q, 16), v128.load(Memory.TEXT_MASK + 48 - size));
          beyond = i8x16.bitmask(v128.or(low, high)) !== 0;
        }
        if (beyond) {
          if (sizeof<T>() !== 1) checkLong(row, q, next);
          else if (!isText(q, next)) break;
        }
      } else {
        size = longLength(q, size);
        q += 2;
        next = q + size;
        if (next > end) break;
        if (sizeof<T>() === 1) {
          kind = load<u32>(row, Cell.LONG_KIND * 4);
          if (!isText(q, next)) break;
        } else {
          countLength(row, size, 2);
          add(row, Cell.VALUE, size);
          checkLong(row, q, next);
        }
      }
    } else if (action === Entry.MESSAGE) {
      const child = load<i32>(row, Cell.CHILD * 4);
      if ((child & 0x80000001) !== 0 || group !== 0 || top > room) break;
      let size: u32 = load<u8>(q);
      if (size < 128) {
        q++;
        next = q + size;
        if (next > end) break;
        if (sizeof<T>() !== 1) {
          const times = countsOf(row) + (size << 2);
          store<u32>(times, load<u32>(times) + 1);
        }
      } else {
        size = longLength(q, size);
        q += 2;
        next = q + size;
        if (next > end) break;
        if (sizeof<T>() === 1) kind = load<u32>(row, Cell.LONG_KIND * 4);
        else countLength(row, size, 2);
      }
      if (sizeof<T>() === 1) {
        if (kind === 0) break;
        store<u32>(out, u32(at - Memory.MESSAGE));
        store<u32>(out, u32(next - Memory.MESSAGE), 4);
        store<u32>(out, kind | distance(number, above), 8);
        out += Memory.ANNOTATION_SIZE;
        store<u32>(top, above, Frames.OWNER);
        store<u32>(top, 0, Frames.CUT);
        above = number++;
      } else if ((entry & (Entry.REPEATED | Entry.ONEOF_MEMBER)) !== 0) {
        presentAmong(rows, row, entry, own);
      } else if (load<u32>(row, Cell.LAST * 4) === own) {
        add(row, Cell.REPEATS, 1);
        flags |= ScanFlag.IRREGULAR;
      } else {
        store<u32>(row, own, Cell.LAST * 4);
      }
      store<u32>(top, u32(top - Frames.FRAME));
      store<u32>(top, u32(end), Frames.LIMIT);
      // These 64-bit stores also set GROUP and FOLDED to 0.
      store<u64>(top, table - dispatch, Frames.BLOCK);
      store<u64>(top, own, Frames.INSTANCE);
      top += Frames.FRAME;
      at = q;
      end = next;
      // A block has 512 bytes.
      table = dispatch + (u32(child) << (Memory.BLOCK_SHIFT - 1));
      own = ++last;
      continue;
    } else if (action === Entry.VARINT) {
      const stop = ~load<u64>(q) & TOP_BITS;
      const width = stop !== 0 ? u32(ctz(stop) >> 3) + 1 : varintWidth(q, end);
      next = q + width;
      if (width === 0 || next > end) break;
      const final: u32 = load<u8>(next - 1);
      if (final === 0 || width >= load<u8>(row, Cell.INTEGER * 4 + 1)) {
        if (sizeof<T>() === 1) kind = closeKind(row, q, width, entry);
        else countClose(row, q, width, entry);
      }
      if (sizeof<T>() !== 1) add(row, Cell.WIDTHS - 2 + (width << 1) + (final >> 6), 1);
    } else if (action === Entry.BYTES) {
      let size: u32 = load<u8>(q);
      if (size < 128) {
        q++;
        next = q + size;
        if (next > end) break;
        if (sizeof<T>() === 1) {
          if (size === 0 && (entry & Entry.IMPLICIT) !== 0) break;
        } else {
          const times = countsOf(row) + (size << 2);
          store<u32>(times, load<u32>(times) + 1);
        }
      } else {
        size = longLength(q, size);
        q += 2;
        next = q + size;
        if (next > end) break;
        if (sizeof<T>() === 1) {
          kind = load<u32>(row, Cell.LONG_KIND * 4);
        } else {
          countLength(row, size, 2);
          add(row, Cell.VALUE, size);
        }
      }
    } else if (action === Entry.I64) {
      next = q + 8;
      if (next > end) break;
      if ((entry & Entry.IMPLICIT) !== 0 && load<u64>(q) === 0) {
        if (sizeof<T>() === 1) break;
        add(row, Cell.ZEROS, 1);
      }
      if (sizeof<T>() !== 1) add(row, Cell.RECORDS, 1);
    } else if (action === Entry.I32) {
      next = q + 4;
      if (next > end) break;
      if ((entry & Entry.IMPLICIT) !== 0 && load<u32>(q) === 0) {
        if (sizeof<T>() === 1) break;
        add(row, Cell.ZEROS, 1);
      }
      if (sizeof<T>() !== 1) add(row, Cell.RECORDS, 1);
    } else if (sizeof<T>() !== 1 && action >= Entry.UNKNOWN_VARINT && action !== Entry.UNKNOWN_GROUP) {
      next = countUnknown(row, q, end, action);
      if (next === 0) break;
    } else {
      break;
    }
    if (sizeof<T>() === 1) {
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
    } else if ((entry & (Entry.REPEATED | Entry.ONEOF_MEMBER)) !== 0) {
      presentAmong(rows, row, entry, own);
    } else if (load<u32>(row, Cell.LAST * 4) === own) {
      add(row, Cell.REPEATS, 1);
      flags |= ScanFlag.IRREGULAR;
    } else {
      store<u32>(row, own, Cell.LAST * 4);
    }
    at = next;
  }
  if (sizeof<T>() === 1) {
    owner = above;
    annotation = number;
  }
  pause(at, end, table, own, last, top);
}
