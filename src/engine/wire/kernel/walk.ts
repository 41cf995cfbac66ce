/**
 * Reads the records of messages, for two purposes compiled from one source: a `T` of one byte writes annotations,
 * any other `T` adds up the cells of field paths. protobuf.dev/programming-guides/encoding
 *
 *   record   VARINT  tag value          LEN     tag length payload
 *            I32     tag 4 bytes        SGROUP  tag records end-tag
 *            I64     tag 8 bytes
 *
 * A region is the message, or the payload of a LEN record that is parsed as a message. Groups are part of the region
 * that holds them. If a record cannot be read, the rest of its region is unattributed, and reading continues after the
 * region.
 */

import * as Flag from '../../model/row-flags.ts';
import * as Cell from '../cells.ts';
import * as Entry from '../entry.ts';
import * as Fault from '../fault.ts';
import * as Memory from '../kernel-memory.ts';
import * as ScanFlag from '../scan-flags.ts';
import { amend, begin, distance, makePlace, placeOf, spilled } from './annotations.ts';
import * as Frames from './frames.ts';
import { endTag, skipGroup } from './groups.ts';
import * as host from './host.ts';
import { kindOf, RARE } from './kinds.ts';
import { badElement, found, packedVarints } from './packed.ts';
import * as Place from './place.ts';
import { countRecord, setSize } from './records.ts';
import { dispatchBase, instances, rowsBase, settle } from './state.ts';
import { cache, cached } from './tag-cache.ts';
import { asciiEnd, bodyDelta, lengthDelta, measure } from './text.ts';
import { annotateUsual } from './usual-rows.ts';
import { addUsual } from './usual-sums.ts';
import { add, behindVarint, count, judge, valueAt, varintWidth, widthOf } from './varints.ts';

const LARGEST_TAG: u64 = 0xffffffff;

/** Category indices, shifted to their bits in the flags. */
const VALUE: u32 = 2 << 3;
const LOST: u32 = VALUE ^ (8 << 3);
const UNATTRIBUTED: u32 = 7 | (8 << 3) | Flag.MALFORMED;

/** The record's size is not counted. */
const NO_SIZE: u32 = 0xffffffff;

// State that a walk rarely reads. It is kept outside the loop because the loop has no spare registers.
let group: u32 = 0;
let lastInstance: u32 = 0;
let flags: i32 = 0;
let lost: u32 = 0;
let isBroken = false;
let isCut = false;

/**
 * Walks the message at MESSAGE, which ends at `end`, and, if it adds up, the messages after it (`Place.setMessages`),
 * whose flags it stores. The stack begins at `stack`.
 */
export function walk<T>(end: usize, stack: usize): void {
  let rows = rowsBase;
  let table = dispatchBase;
  let block: u32 = 0;
  let p: usize = Memory.MESSAGE;
  let limit = end;
  group = 0;
  // Annotations: the row of the open message. Cells: the place of the open group.
  let owner: u32 = 0;
  Frames.begin(stack);
  lastInstance = instances + 1;
  let instance = lastInstance;
  flags = 0;
  lost = 0;
  // Number of annotations, including spilled ones.
  let annotation: u32 = 1;
  isBroken = false;
  isCut = false;
  let isClosed = false;

  if (sizeof<T>() === 1) begin(u32(end - Memory.MESSAGE));

  for (;;) {
    while (p < limit) {
      if (Frames.folded === 0 && (sizeof<T>() !== 1 || !(isBroken || isCut))) {
        Place.stand(p, limit, block, group, owner, instance, lastInstance, annotation, flags);
        if (sizeof<T>() === 1) annotateUsual();
        else addUsual();
        p = Place.p;
        limit = Place.limit;
        block = Place.block;
        group = Place.group;
        owner = Place.owner;
        instance = Place.instance;
        lastInstance = Place.lastInstance;
        flags = Place.flags;
        annotation = Place.annotation;
        table = dispatchBase + (block << Memory.BLOCK_SHIFT);
        if (p >= limit) break;
      }
      const recordStart = p;
      let fault: u32 = Fault.NONE;
      let faultStart = p;
      let bits: u32 = 0;
      let overlongTag: u32 = 0;

      let tag: u32 = load<u8>(p);
      let slot: usize = Memory.NO_ENTRY;
      const width = varintWidth(recordStart, limit);
      if (width === 0) {
        p = behindVarint(recordStart, limit);
        fault = u32(p - recordStart) === 10 ? Fault.OVERFLOW_TAG : Fault.TRUNCATED_TAG;
      } else {
        const value = valueAt(recordStart, width);
        p = recordStart + width;
        tag = u32(value);
        if (value > LARGEST_TAG) fault = Fault.FIELD_NUMBER;
        if (width > 1 && load<u8>(p - 1) === 0) overlongTag = width;
        slot = tag < 128 ? table + (tag << 3) : cached(table, tag);
      }
      let row: usize = load<u32>(slot);
      let entry = load<u32>(slot, 4);
      if (entry === 0 && fault === Fault.NONE) {
        if (tag < 8) {
          fault = Fault.FIELD_NUMBER;
        } else if ((tag & 7) > 5) {
          fault = Fault.RESERVED_WIRE_TYPE;
        } else if ((tag & 7) === 4) {
          // An end-group tag. If it does not end the innermost group, the rest of the region cannot be read.
          if (group !== 0 && group === tag >>> 3) {
            const width = u32(p - recordStart);
            if (sizeof<T>() === 1) {
              amend(owner, u32(p - Memory.MESSAGE), (width << 8) | (overlongTag !== 0 ? Flag.OVERLONG << 16 : 0));
            } else {
              add(rows + owner, Cell.END_TAG, width);
              if (overlongTag !== 0) add(rows + owner, Cell.TAG_EXTRA, width - widthOf(tag));
            }
            isClosed = true;
            break;
          }
          fault = group !== 0 ? Fault.MISMATCHED_END_GROUP : Fault.UNEXPECTED_END_GROUP;
        } else {
          const resolved = host.resolve(block, tag, u32(p), u32(limit));
          entry = resolved & 0xfff;
          rows = rowsBase;
          row = rows + (resolved >>> Entry.ENTRY_ROW_SHIFT) * Cell.ROW_BYTES;
          table = dispatchBase + (block << Memory.BLOCK_SHIFT);
          if (tag >= 128) cache(table, tag, u32(row), entry);
        }
      }

      const tagEnd = p;
      const action = fault !== Fault.NONE ? 0 : entry & 15;
      const place = u32(row - rows);
      let elements: u32 = 1;
      let size: u32 = 0;
      let lengthSize: u32 = 0;
      let entersCut = false;
      let counted = NO_SIZE;

      switch (action) {
        case 0:
          break;

        case Entry.VARINT:
        case Entry.UNKNOWN_VARINT: {
          faultStart = p;
          const width = varintWidth(p, limit);
          if (width === 0) {
            p = behindVarint(p, limit);
            fault = u32(p - faultStart) === 10 ? Fault.OVERFLOW_VALUE : Fault.TRUNCATED_VALUE;
            break;
          }
          const last: u32 = load<u8>(p + width - 1);
          if (sizeof<T>() !== 1) {
            if (action === Entry.VARINT) {
              add(row, Cell.WIDTHS - 2 + (width << 1) + (last >> 6), 1);
            } else {
              add(row, Cell.RECORDS, 1);
              add(row, Cell.VALUE, width);
              counted = width;
              flags |= ScanFlag.NOTE;
            }
          }
          if (last === 0 || width << 3 > u32(load<u8>(row, Cell.INTEGER * 4 + 1))) {
            if (sizeof<T>() === 1) {
              bits = judge(row, p, width);
              if ((entry & Entry.IMPLICIT) === 0) bits &= ~Flag.DEFAULT;
            } else {
              if (width > 1) {
                const irregular = count(row, p, width, 1);
                if (action === Entry.VARINT) flags |= irregular;
              }
              if ((entry & Entry.IMPLICIT) !== 0 && (judge(row, p, width) & Flag.DEFAULT) !== 0)
                add(row, Cell.ZEROS, 1);
            }
          }
          p += width;
          break;
        }

        case Entry.I64:
        case Entry.I32:
        case Entry.UNKNOWN_I64:
        case Entry.UNKNOWN_I32: {
          faultStart = p;
          const isLong = (tag & 7) === 1;
          const width: u32 = isLong ? 8 : 4;
          if (u32(limit - p) < width) {
            fault = Fault.TRUNCATED_FIXED;
            p = limit;
            break;
          }
          if ((entry & Entry.IMPLICIT) !== 0 && (isLong ? load<u64>(p) === 0 : load<u32>(p) === 0)) {
            if (sizeof<T>() === 1) bits |= Flag.DEFAULT;
            else add(row, Cell.ZEROS, 1);
          }
          if (sizeof<T>() !== 1) {
            add(row, Cell.RECORDS, 1);
            if ((entry & Entry.UNKNOWN) !== 0) {
              add(row, Cell.VALUE, width);
              counted = width;
              flags |= ScanFlag.NOTE;
            }
          }
          p += width;
          break;
        }

        case Entry.GROUP:
          if (sizeof<T>() !== 1) add(row, Cell.RECORDS, 1);
          break;

        case Entry.UNKNOWN_GROUP:
          if (sizeof<T>() !== 1) {
            const stopped = skipGroup(p, limit, tag >>> 3, Frames.top);
            const value = u32(stopped - p) - endTag;
            add(row, Cell.RECORDS, 1);
            add(row, Cell.VALUE, value);
            add(row, Cell.END_TAG, endTag);
            if (endTag > widthOf(tag)) add(row, Cell.TAG_EXTRA, endTag - widthOf(tag));
            counted = value;
            flags |= ScanFlag.NOTE;
            p = stopped;
            if (endTag === 0) {
              // The bytes read so far are the group's value; the rest of the region is unattributed.
              lost += u32(limit - stopped);
              flags |= ScanFlag.FAULT | ScanFlag.IRREGULAR;
              p = limit;
            }
          }
          break;

        default: {
          // A length prefix.
          faultStart = p;
          lengthSize = varintWidth(p, limit);
          if (lengthSize === 0) {
            p = behindVarint(p, limit);
            fault = u32(p - faultStart) === 10 ? Fault.OVERFLOW_LENGTH : Fault.TRUNCATED_LENGTH;
            break;
          }
          const length = valueAt(p, lengthSize);
          p += lengthSize;
          if (lengthSize > 1 && load<u8>(p - 1) === 0) {
            if (sizeof<T>() === 1) bits |= Flag.OVERLONG;
            else add(row, Cell.OVERLONG, lengthSize - widthOf(length));
            // The length of a message follows from its fields. Writers that reserve four bytes for the prefix lose
            // nothing else.
            if (action !== Entry.MESSAGE) flags |= ScanFlag.IRREGULAR;
          }
          const isWhole = length <= u64(limit - p);
          size = isWhole ? u32(length) : u32(limit - p);
          if (sizeof<T>() === 1) {
            if (action >= Entry.PACKED_VARINT && action <= Entry.PACKED_I32) bits |= Flag.PACKED;
          } else {
            add(row, Cell.LENGTH_WIDTHS - 1 + lengthSize, 1);
            counted = size;
          }
          if (!isWhole) {
            flags |= ScanFlag.FAULT | ScanFlag.IRREGULAR;
            if (sizeof<T>() === 1) {
              host.fault(Fault.LENGTH_PAST_END, u32(tagEnd - Memory.MESSAGE), u32(p - Memory.MESSAGE));
              bits |= Flag.MALFORMED;
            }
            if (action === Entry.MESSAGE) {
              entersCut = true;
              break;
            }
            if (sizeof<T>() === 1) {
              bits ^= LOST;
              isBroken = true;
            } else {
              lost += size;
              if (action === Entry.UNKNOWN_LEN) {
                flags |= ScanFlag.NOTE;
              } else if (action <= Entry.PACKED_I32) {
                add(row, Cell.PACKED_RUNS, 1);
                elements = 0;
              }
            }
            p = limit;
            break;
          }
          if (action === Entry.MESSAGE) break;
          const payload = p;
          p += size;
          if (action < Entry.PACKED_VARINT || action > Entry.PACKED_I32) {
            if (sizeof<T>() === 1) {
              if (size === 0 && (entry & Entry.IMPLICIT) !== 0) bits |= Flag.DEFAULT;
            } else {
              if (size === 0 && (entry & Entry.IMPLICIT) !== 0) add(row, Cell.ZEROS, 1);
              add(row, Cell.VALUE, size);
              if (action === Entry.UNKNOWN_LEN) flags |= ScanFlag.NOTE;
            }
            if (action === Entry.STRING) {
              const ascii = asciiEnd(payload, p);
              if (ascii < p) {
                const invalid = measure(payload, ascii, p);
                if (invalid !== 0) {
                  flags |= ScanFlag.NOTE | ScanFlag.IRREGULAR;
                  if (sizeof<T>() === 1) {
                    host.invalidText(place, u32(invalid - Memory.MESSAGE), u32(p - Memory.MESSAGE));
                  }
                }
                if (sizeof<T>() !== 1) {
                  add(row, Cell.TEXT_LENGTH, lengthDelta);
                  add(row, Cell.TEXT_BODY, bodyDelta);
                }
              }
            }
            break;
          }
          // A packed run.
          let bad: usize = 0;
          if (action === Entry.PACKED_VARINT) {
            const read = packedVarints<T>(row, payload, p);
            if (read < 0) bad = badElement;
            else if (sizeof<T>() === 1) bits |= found & ~Flag.DEFAULT;
            else flags |= found;
            elements = read;
          } else {
            const shift: u32 = action === Entry.PACKED_I64 ? 3 : 2;
            elements = size >> shift;
            const rest = size & ((1 << shift) - 1);
            if (rest !== 0) bad = p - rest;
          }
          if (bad !== 0) elements = 0;
          if (sizeof<T>() === 1) {
            if (bad !== 0) {
              bits = (bits | Flag.MALFORMED) ^ LOST;
              host.fault(Fault.MALFORMED_PACKED, u32(bad - Memory.MESSAGE), u32(p - Memory.MESSAGE));
            }
          } else {
            add(row, Cell.PACKED_RUNS, 1);
            add(row, Cell.PACKED_ELEMENTS, elements);
            if (bad !== 0) {
              lost += size;
              flags |= ScanFlag.FAULT | ScanFlag.IRREGULAR;
            }
          }
        }
      }

      if (fault !== Fault.NONE) {
        if (sizeof<T>() === 1) host.fault(fault, u32(faultStart - Memory.MESSAGE), u32(p - Memory.MESSAGE));
        isBroken = true;
        p = limit;
        flags |= ScanFlag.FAULT | ScanFlag.IRREGULAR;
        lost += u32(limit - recordStart);
        if (sizeof<T>() !== 1) continue;
      }

      if (sizeof<T>() === 1) {
        // Writes the annotation. Its number is `annotation − 1` until the next one.
        const at = makePlace(annotation);
        annotation++;
        const above = distance(annotation - 1, owner);
        store<u32>(at, u32(recordStart - Memory.MESSAGE));
        store<u32>(at, u32(p - Memory.MESSAGE), 4);
        if (fault !== Fault.NONE) {
          store<u32>(at, kindOf(-1, UNATTRIBUTED << 16, annotation - 1) | above, 8);
          continue;
        }
        let field: i32;
        if ((entry & Entry.UNKNOWN) !== 0) {
          field = -2 - i32(tag >>> 3);
          bits |= (entry & Entry.MISMATCH) !== 0 ? Flag.MISMATCH : Flag.UNKNOWN;
          if ((entry & Entry.REPORTED) !== 0) {
            const start = u32(recordStart - Memory.MESSAGE);
            if ((entry & Entry.MISMATCH) !== 0) host.mismatch(block, tag, start, u32(tagEnd - Memory.MESSAGE));
            else host.unknown(block, tag >>> 3, start, u32(tagEnd - Memory.MESSAGE));
          }
        } else {
          field = load<i32>(row, Cell.FIELD * 4);
          if ((entry & Entry.GUESSED) !== 0) bits |= Flag.GUESS;
          if ((entry & Entry.REPEATED) === 0 && action !== Entry.MESSAGE && action !== Entry.GROUP) {
            const last = load<u32>(row, Cell.LAST * 4);
            if (last === instance) {
              bits |= Flag.DUPLICATE;
            } else {
              if (Frames.folded > 0) Frames.mark(row, place);
              store<u32>(row, instance, Cell.LAST * 4);
            }
          }
        }
        if (overlongTag !== 0) bits |= Flag.OVERLONG;
        const head = u32(tagEnd - recordStart) | (lengthSize << 4);
        const kind = kindOf(field, head | ((bits ^ ((tag & 7) | VALUE)) << 16), annotation - 1);
        store<u32>(at, (kind & 0xffff0000) | above, 8);
        if ((kind & RARE) === 0 && action >= Entry.BYTES && overlongTag === 0) {
          const odd = bits & ~Flag.GUESS;
          if (odd === 0) {
            if (lengthSize <= 1) store<u32>(row, kind, Cell.KIND * 4);
            else if (lengthSize === 2) store<u32>(row, kind, Cell.LONG_KIND * 4);
          } else if (lengthSize === 0) {
            store<u32>(row, odd, Cell.ODD_FLAGS * 4);
            store<u32>(row, kind, Cell.ODD_KIND * 4);
          }
        }
      } else {
        if (overlongTag !== 0) {
          const shortest = widthOf(tag);
          if (overlongTag > shortest) {
            add(row, Cell.TAG_EXTRA, overlongTag - shortest);
            host.overlongTag(place, overlongTag);
          }
        }
        if (counted !== NO_SIZE) setSize(row, counted);
        flags |= countRecord(rows, row, place, entry, elements, instance);
      }

      if (action === Entry.MESSAGE || action === Entry.GROUP || (sizeof<T>() === 1 && action === Entry.UNKNOWN_GROUP)) {
        let child = load<i32>(row, Cell.CHILD * 4);
        if (child < 0) {
          child = host.enter(place);
          rows = rowsBase;
          // The entry names the block from now on.
          if (tag >= 128) cache(dispatchBase + (block << Memory.BLOCK_SHIFT), tag, u32(row), entry & 0xfff);
        }
        Frames.enter(limit, block << Memory.BLOCK_SHIFT, group, owner, instance, child & 1, isCut);
        if ((child & 1) !== 0) flags |= ScanFlag.IRREGULAR;
        isCut = entersCut;
        if (action === Entry.MESSAGE) {
          group = 0;
          limit = p + size;
          if (sizeof<T>() === 1) {
            owner = annotation - 1;
            store<u32>(placeOf(owner), u32(limit - Memory.MESSAGE), 4);
          }
        } else {
          group = tag >>> 3;
          owner = sizeof<T>() === 1 ? annotation - 1 : place;
        }
        block = u32(child) >> 1;
        table = dispatchBase + (block << Memory.BLOCK_SHIFT);
        instance = ++lastInstance;
      }
    }

    // The end of a region, of a group, or of the message.
    if (sizeof<T>() === 1) {
      if (group !== 0) {
        if (!isClosed) {
          const at = u32(limit - Memory.MESSAGE);
          if (!isBroken) host.fault(Fault.UNENDED_GROUP, at, at);
          isBroken = true;
          // The group extends to the end of its region.
          amend(owner, at, Flag.MALFORMED << 16);
        }
      } else {
        if (isBroken) amend(owner, 0, Flag.MALFORMED << 16);
        isBroken = isCut;
      }
    } else if (group !== 0 && !isClosed) {
      flags |= ScanFlag.FAULT | ScanFlag.IRREGULAR;
    }
    isClosed = false;
    if (Frames.frame < Frames.bottom) {
      if (sizeof<T>() === 1) break;
      Place.storeFlags(flags);
      if (!Place.hasNextMessage()) break;
      limit = Place.nextMessage();
      block = 0;
      table = dispatchBase;
      instance = ++lastInstance;
      flags = 0;
      continue;
    }
    Frames.leave(rows);
    limit = load<u32>(Frames.top, Frames.LIMIT);
    block = load<u32>(Frames.top, Frames.BLOCK) >> Memory.BLOCK_SHIFT;
    group = load<u32>(Frames.top, Frames.GROUP);
    owner = load<u32>(Frames.top, Frames.OWNER);
    instance = load<u32>(Frames.top, Frames.INSTANCE);
    isCut = load<u32>(Frames.top, Frames.CUT) !== 0;
    table = dispatchBase + (block << Memory.BLOCK_SHIFT);
  }
  settle(lost, annotation - spilled, lastInstance);
}
