/**
 * A fast loop that adds up records of the usual forms: known tags of one or two bytes, complete values, shortest forms.
 * It leaves a record of any other form to walk.ts.
 *
 * The loop must not call a function that the compiler does not inline: around a call, no variable stays in a register,
 * and the whole loop takes a fifth longer. The branches it takes limit its speed. The compiler places the code of an
 * `else` first, so that is where the usual case is; and what the loop seldom reads is a global, which takes no register.
 */
import * as Cell from '../cells.ts';
import * as Entry from '../entry.ts';
import * as Memory from '../kernel-memory.ts';
import * as ScanFlag from '../scan-flags.ts';
import { BYTES, I32, I64, MESSAGE, STRING, UNKNOWN_GROUP, UNKNOWN_VARINT, VARINT } from './actions.ts';
import * as Frames from './frames.ts';
import * as Place from './place.ts';
import { countRecord, setSize } from './records.ts';
import { dispatchBase, rowsBase } from './state.ts';
import { cached } from './tag-cache.ts';
import { asciiEnd, bodyDelta, lengthDelta, measure } from './text.ts';
import { add, TOP_BITS, widthOf } from './varints.ts';

/** A field of these traits has more to enter for a record than that it is present. */
const MARKED: u32 = Entry.REPEATED | Entry.ONEOF_MEMBER;

/** A text with bytes beyond ASCII at which the loop stopped: its row, entry and start; 0: none. */
let textRow: usize = 0;
let textEntry: u32 = 0;
let text: usize = 0;

/** Frames below it are left to walk.ts, and no frame begins beyond `roof`. */
let floor: usize = 0;
let roof: usize = 0;
/** The second byte of the last tag that has two. */
let tagEnd: usize = 0;

/** Enters a length below 128. */
function countShort(row: usize, size: u32): void {
  const at = row + (size << 2);
  store<u32>(at, load<u32>(at, Cell.CELLS * 4) + 1, Cell.CELLS * 4);
}

/** Enters the smallest and the largest size. */
function countSize(row: usize, size: u32): void {
  const least = load<u32>(row, Cell.MIN_SIZE * 4);
  // A size is stored plus one; 0 means no record yet.
  if (least - 1 > size) store<u32>(row, size + 1, Cell.MIN_SIZE * 4);
  if (size > load<u32>(row, Cell.MAX_SIZE * 4)) store<u32>(row, size, Cell.MAX_SIZE * 4);
}

/** Enters an element of a repeated field of the instance `own`. */
function countElement(row: usize, own: u32): void {
  let elements: u32 = 1;
  if (load<u32>(row, Cell.LAST * 4) === own) {
    elements = load<u32>(row, Cell.IN_INSTANCE * 4) + 1;
    if ((elements & 127) === 0) add(row, Cell.COUNT_EXTRA, i32(widthOf(elements) - widthOf(elements - 1)));
  } else {
    add(row, Cell.PRESENT, 1);
  }
  store<u32>(row, elements, Cell.IN_INSTANCE * 4);
}

/** Enters a record of a field that is not MARKED, of the instance `own`. */
function countPlain(row: usize, own: u32): void {
  if (load<u32>(row, Cell.LAST * 4) === own) {
    add(row, Cell.REPEATS, 1);
    Place.note(ScanFlag.IRREGULAR);
  } else {
    store<u32>(row, own, Cell.LAST * 4);
  }
}

/** Enters a record of a singular field of the instance `own`. */
function countSingle(row: usize, entry: u32, own: u32): void {
  if (load<u32>(row, Cell.LAST * 4) === own) {
    add(row, Cell.REPEATS, 1);
    Place.note(ScanFlag.IRREGULAR);
  } else if ((entry & Entry.ONEOF_MEMBER) !== 0) {
    const oneof = rowsBase + load<u32>(row, Cell.ONEOF * 4);
    if (load<u32>(oneof, Cell.ONEOF_LAST * 4) === own) Place.note(ScanFlag.IRREGULAR);
    store<u32>(oneof, own, Cell.ONEOF_LAST * 4);
  }
}

/** Enters the value of an unknown field. Returns its end, or 0 where walk.ts has to read it. */
function countUnknown(row: usize, start: usize, end: usize, action: i32): usize {
  let p = start;
  let size: u32 = action === Entry.UNKNOWN_I64 ? 8 : 4;
  let width: u32 = 0;
  if (action === Entry.UNKNOWN_VARINT) {
    const stop = ~load<u64>(p) & TOP_BITS;
    size = u32(ctz(stop) >> 3) + 1;
    if (stop === 0 || load<u8>(p + size - 1) === 0) return 0;
  } else if (action === Entry.UNKNOWN_LEN) {
    size = load<u8>(p);
    p++;
    width = 1;
    if (size >= 128) {
      const next: u32 = load<u8>(p);
      if (next - 1 > 126) return 0;
      size = (size & 127) | (next << 7);
      p++;
      width = 2;
    }
  }
  if (p + size > end) return 0;
  add(row, width > 0 ? Cell.LENGTH_WIDTHS - 1 + width : Cell.RECORDS, 1);
  add(row, Cell.VALUE, size);
  countSize(row, size);
  Place.note(ScanFlag.NOTE);
  return p + size;
}

/**
 * Reads from `Place.p` on. Returns whether it stopped behind a text that has to be measured: nothing of its record is
 * entered.
 */
function readOn(): boolean {
  // In a group, no message is entered and none is left.
  roof = Place.group !== 0 ? 0 : (usize(memory.size()) << 16) - 64;
  floor = Place.group !== 0 ? Frames.top : Frames.bottom;
  let at = Place.p;
  let end = Place.limit;
  let table = dispatchBase + (Place.block << Memory.BLOCK_SHIFT);
  text = 0;
  tagEnd = 0;

  for (;;) {
    if (at >= end) {
      const top = Frames.top - Frames.FRAME;
      if (top < floor) {
        // In a group, the message has not ended.
        if (Place.group !== 0 || !Place.hasNextMessage()) break;
        Place.storeFlags(Place.flags);
        end = Place.nextMessage();
        table = dispatchBase;
        Place.enterInstance();
        continue;
      }
      if (load<u32>(top, Frames.GROUP) !== 0) break;
      Frames.setTop(top);
      end = load<u32>(top, Frames.LIMIT);
      table = dispatchBase + load<u32>(top, Frames.BLOCK);
      Place.returnTo(load<u32>(top, Frames.INSTANCE));
      continue;
    }
    const tag: u32 = load<u8>(at);
    let slot: usize;
    if (tag < 128) {
      slot = table + (tag << 3);
    } else {
      const next: u32 = load<u8>(at, 1);
      if (next - 1 > 126) break;
      // From here on, `at` is the tag's last byte.
      at++;
      tagEnd = at;
      slot = cached(table, (next << 7) | (tag & 127));
    }
    const row: usize = load<u32>(slot);
    const entry = load<u32>(slot, 4);
    let next: usize = 0;

    if (entry >= STRING) {
      let size: u32 = load<u8>(at, 1);
      if (size > 32) {
        let q = at + 2;
        if (size >= 128) {
          const more: u32 = load<u8>(q);
          if (more - 1 > 126) break;
          size = (size & 127) | (more << 7);
          q++;
        }
        next = q + size;
        if (next > end) break;
        // The first and the last 32 bytes, which may overlap, and those between.
        const first = v128.or(v128.load(q), v128.load(q, 16));
        let any = v128.or(first, v128.or(v128.load(next - 32), v128.load(next - 16)));
        for (let middle = q + 32; middle + 32 < next; middle += 32) {
          any = v128.or(any, v128.or(v128.load(middle), v128.load(middle, 16)));
        }
        if (i8x16.bitmask(any) !== 0) {
          textRow = row;
          textEntry = entry;
          text = q;
          at = next;
          break;
        }
        if (size < 128) {
          countShort(row, size);
        } else {
          add(row, Cell.LENGTH_WIDTHS + 1, 1);
          add(row, Cell.VALUE, size);
          countSize(row, size);
        }
      } else {
        next = at + size + 2;
        if (next > end) break;
        // The bytes beyond ASCII among the 32 bytes from the string on.
        const beyond = i8x16.bitmask(v128.load(at, 2)) | (i8x16.bitmask(v128.load(at, 18)) << 16);
        if (u32(ctz(beyond)) < size) {
          textRow = row;
          textEntry = entry;
          text = at + 2;
          at = next;
          break;
        }
        countShort(row, size);
        if ((entry & MARKED) === 0) {
          countPlain(row, Place.instance);
          at = next;
          continue;
        }
      }
    } else if (entry >= MESSAGE) {
      const top = Frames.top;
      if (top > roof) break;
      const child = entry & Entry.CHILD;
      if (child === 0) break;
      let q = at + 2;
      let size: u32 = load<u8>(at, 1);
      if (size >= 128) {
        const more: u32 = load<u8>(q);
        if (more - 1 > 126) break;
        size = (size & 127) | (more << 7);
        q++;
        next = q + size;
        if (next > end) break;
        add(row, Cell.LENGTH_WIDTHS + 1, 1);
        countSize(row, size);
      } else {
        next = q + size;
        if (next > end) break;
        countShort(row, size);
      }
      if ((entry & Entry.REPEATED) !== 0) countElement(row, Place.instance);
      else countSingle(row, entry, Place.instance);
      store<u32>(row, Place.instance, Cell.LAST * 4);
      const dispatch = dispatchBase;
      store<u32>(top, u32(end), Frames.LIMIT);
      // These 64-bit stores also set GROUP and FOLDED to 0.
      store<u64>(top, table - dispatch, Frames.BLOCK);
      store<u64>(top, Place.instance, Frames.INSTANCE);
      Frames.setTop(top + Frames.FRAME);
      Place.enterInstance();
      table = dispatch + (child >> (Entry.CHILD_SHIFT - Memory.BLOCK_SHIFT));
      at = q;
      end = next;
      continue;
    } else if (entry >= VARINT) {
      const bytes = load<u64>(at, 1);
      const stop = ~bytes & TOP_BITS;
      if (stop === 0) {
        // Nine or ten bytes.
        const rest: u32 = load<u16>(at, 9);
        const kind: u32 = load<u8>(row, Cell.INTEGER * 4);
        if ((rest & 128) === 0) {
          next = at + 10;
          if (next > end || (rest & 255) === 0 || kind > u32(Entry.SIGNED64)) break;
          add(row, Cell.WIDTHS + 16 + ((rest & 255) >> 6), 1);
        } else {
          next = at + 11;
          if (next > end || rest >> 8 !== 1) break;
          if (kind !== Entry.UNSIGNED64) {
            // A negative number. Its zigzag form has one bit more than those from its highest bit that is 0.
            const low = ~bytes & ~TOP_BITS;
            const high = ~rest & 127;
            if (kind !== Entry.SIGNED64 && (kind !== Entry.SIGNED32 || high !== 0 || low >> 35 !== 0)) break;
            const bits = high !== 0 ? 97 - clz(high) : 65 - u32(clz(low | 1));
            add(row, Cell.NEGATIVES + (bits >> 3), 1);
          }
          add(row, Cell.WIDTHS + 18, 1);
        }
      } else {
        // Eight times the width, less one: the highest bit of the last byte.
        const bit = usize(ctz(stop));
        next = at + (bit >> 3) + 2;
        if (next > end) break;
        const final = u32(bytes >> u64(bit - 7)) & 127;
        if (final === 0) {
          if (bit > 7) break;
          if ((entry & Entry.IMPLICIT) !== 0) add(row, Cell.ZEROS, 1);
        } else if (u32(bit) >= load<u8>(row, Cell.INTEGER * 4 + 1)) {
          // Five bytes hold 32 bits if the last one is below 16, and a positive number if it is below 8.
          if (bit !== 39) break;
          if (final >= (load<u8>(row, Cell.INTEGER * 4) === Entry.UNSIGNED32 ? 16 : 8)) break;
        }
        // The cells of a width take eight bytes, so its address follows from `bit`.
        const cell = row + bit + ((final >> 6) << 2);
        store<u32>(cell, load<u32>(cell, Cell.WIDTHS * 4 - 7) + 1, Cell.WIDTHS * 4 - 7);
      }
    } else if (entry >= I64) {
      next = at + 9;
      if (next > end) break;
      if ((entry & Entry.IMPLICIT) !== 0) {
        if (load<u64>(at, 1) === 0) add(row, Cell.ZEROS, 1);
      }
      add(row, Cell.RECORDS, 1);
    } else if (entry >= I32) {
      next = at + 5;
      if (next > end) break;
      if ((entry & Entry.IMPLICIT) !== 0) {
        if (load<u32>(at, 1) === 0) add(row, Cell.ZEROS, 1);
      }
      add(row, Cell.RECORDS, 1);
    } else if (entry >= BYTES) {
      let size: u32 = load<u8>(at, 1);
      if (size >= 128) {
        const more: u32 = load<u8>(at, 2);
        if (more - 1 > 126) break;
        size = (size & 127) | (more << 7);
        next = at + size + 3;
        if (next > end) break;
        add(row, Cell.LENGTH_WIDTHS + 1, 1);
        add(row, Cell.VALUE, size);
        countSize(row, size);
      } else {
        next = at + size + 2;
        if (next > end) break;
        countShort(row, size);
      }
    } else {
      if (entry < UNKNOWN_VARINT || entry >= UNKNOWN_GROUP) break;
      next = countUnknown(row, at + 1, end, entry & 15);
      if (next === 0) break;
    }

    at = next;
    if ((entry & MARKED) !== 0) {
      if ((entry & Entry.REPEATED) !== 0) countElement(row, Place.instance);
      else countSingle(row, entry, Place.instance);
      store<u32>(row, Place.instance, Cell.LAST * 4);
    } else {
      countPlain(row, Place.instance);
    }
  }
  if (at === tagEnd) at--;
  Place.pause(at, end, table, Place.instance, Frames.top);
  return text !== 0;
}

/** Enters the record of the text at which the loop stopped. Returns bits of ScanFlag. */
function enterText(): i32 {
  const row = textRow;
  const size = u32(Place.p - text);
  const isText = measure(text, asciiEnd(text, Place.p), Place.p) === 0;
  add(row, Cell.TEXT_LENGTH, lengthDelta);
  add(row, Cell.TEXT_BODY, bodyDelta);
  add(row, Cell.LENGTH_WIDTHS + (size < 128 ? 0 : 1), 1);
  add(row, Cell.VALUE, size);
  setSize(row, size);
  const flags = countRecord(rowsBase, row, u32(row - rowsBase), textEntry, 1, Place.instance);
  return isText ? flags : flags | ScanFlag.NOTE | ScanFlag.IRREGULAR;
}

/** Adds up records from `Place.p` on, up to the first one of another form, or to the end of the message. */
export function addUsual(): void {
  while (readOn()) Place.note(enterText());
}
