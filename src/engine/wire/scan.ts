/**
 * Many messages of one type to statistics by field path, in one pass and without an object per byte or field.
 * It follows the rules of `annotate.ts`: what a record is, what is unknown, what cannot be read. Findings are not
 * worded here: a message that has any says so by the bits that `add` returns, and is annotated by who wants them.
 */
import { varintHigh, varintLow, varintWidth } from '../bytes/varint.ts';
import type { MessageDescriptor } from '../schema/descriptor.ts';
import { Cell, STRIDE_BITS } from './scan-cells.ts';
import { Action, IntegerKind, ScanPlan, Trait } from './scan-plan.ts';
import { skipGroup, skipValue } from './scan-skip.ts';
import { measureText, type TextMeasure } from './scan-text.ts';

/** What `add` met in a message. */
export const Met = {
  /** Bytes that could not be read. */
  FAULT: 1,
  /** Unknown numbers, mismatched wire types, invalid UTF-8. */
  NOTE: 2,
  /** The bytes are not the canonical form of their values: a native size has to be taken from the values. */
  IRREGULAR: 4,
} as const;

const MAX_NUMBER = 536870911;
const REPEATED = Trait.REPEATED << 4;
const IMPLICIT = Trait.IMPLICIT << 4;
const ONEOF = Trait.ONEOF << 4;
/** Texts up to this length are looked at byte by byte. */
const SHORT_TEXT = 24;
const CACHE_MASK = 511;
/** In the bits that `add` returns while it works: the record's tag is overlong. */
const OVERLONG_TAG = 8;
/** No cell adds up more than the bytes that were entered since the last flush. */
const FLUSH_BYTES = 2 ** 30;

export class Scan {
  readonly plan: ScanPlan;
  /** Accumulators: row · 64 + Cell. What they held before they could overflow is in `totals`. */
  private cells = new Int32Array(64 << STRIDE_BITS);
  private totals = new Float64Array(0);
  private sinceFlush = 0;
  /** By block: how many messages were seen at that place. */
  instances = new Float64Array(64);
  messages = 0;
  bytes = 0;
  unattributed = 0;
  /** Widths of overlong tags, by row: an overlong tag is too rare to have columns. */
  readonly overlongTags = new Map<number, number[]>();

  private instance = 0;
  private oneofLast = new Int32Array(64);
  private readonly text: TextMeasure = { lengthDelta: 0, bodyDelta: 0, valid: true };
  /**
   * The entered messages, eight cells a depth: end, block, group number (0: length-prefixed) and its row,
   * and the journal's length when a folded message was entered (−1: not folded), and instance.
   */
  private stack = new Int32Array(64 << 3);
  private folded = 0;
  /** The group that was left last ended by its tag. */
  private closed = false;
  /** The tag of two bytes or more that was read last: its value, its entry, and its width if it was overlong. */
  private tag = 0;
  private tagEntry = 0;
  private tagOverlong = 0;
  private depths = 64;
  private readonly journal: number[] = [];
  /** The tags of two bytes or more that were met last. */
  private readonly cacheBlock = new Int32Array(CACHE_MASK + 1).fill(-1);
  private readonly cacheTag = new Float64Array(CACHE_MASK + 1);
  private readonly cacheEntry = new Int32Array(CACHE_MASK + 1);

  /** A scratch scan shares the plan of another, so that both number their rows alike. */
  constructor(type: MessageDescriptor | undefined, plan = new ScanPlan(type)) {
    this.plan = plan;
  }

  /** Enters one message: `bytes[start, end)`. Returns bits of Met. */
  add(bytes: Uint8Array, start: number, end: number): number {
    this.sinceFlush += end - start;
    if (this.sinceFlush > FLUSH_BYTES) this.flush(end - start);
    this.makeRoom();
    let { cells, stack } = this;
    let { dispatch } = this.plan;
    let met = 0;
    let p = start;
    let limit = end;
    let block = 0;
    let depth = 0;
    let instance = this.nextInstance();
    this.messages++;
    this.bytes += end - start;
    this.instances[0]!++;

    for (;;) {
      while (p < limit) {
        const recordStart = p;
        // The tag.
        let tag = bytes[p++]!;
        let entry: number;
        if (tag < 128) {
          entry = dispatch[block * 128 + tag]!;
        } else {
          p = this.longTag(bytes, recordStart, limit, block);
          if (p < 0) {
            met |= this.fault(limit - recordStart);
            p = limit;
            break;
          }
          tag = this.tag;
          entry = this.tagEntry;
          if (this.tagOverlong > 0) met |= OVERLONG_TAG;
        }
        if (entry === 0) {
          const wireType = tag & 7;
          if (tag < 8 || wireType > 5) {
            met |= this.fault(limit - recordStart);
            p = limit;
            break;
          }
          if (wireType === 4) {
            // The end of a group: of the innermost one, or nothing here can be read.
            if (depth === 0 || stack[(depth << 3) - 6] !== tag >>> 3) {
              met |= this.fault(limit - recordStart);
              p = limit;
              break;
            }
            const row = stack[(depth << 3) - 5]!;
            cells[(row << STRIDE_BITS) + Cell.END_TAG]! += p - recordStart;
            this.closed = true;
            met &= ~OVERLONG_TAG;
            break;
          }
          entry = this.plan.resolve(block, tag);
          this.makeRoom();
          ({ cells } = this);
          ({ dispatch } = this.plan);
        }
        const row = entry >> 8;
        const base = row << STRIDE_BITS;
        const action = entry & 15;
        let elements = 1;
        let payload = 0;

        switch (action) {
          case Action.VARINT: {
            const first = bytes[p];
            if (first !== undefined && first < 128 && p < limit) {
              p++;
              cells[base + Cell.WIDTHS + (first >> 6)]!++;
              if (first === 0 && (entry & IMPLICIT) !== 0) cells[base + Cell.ZEROS]!++;
            } else {
              let byte = 128;
              let width = 0;
              while (byte >= 128) {
                if (p === limit || width === 10) {
                  width = 11;
                  break;
                }
                byte = bytes[p++]!;
                width++;
              }
              if (width === 11 || (width === 10 && byte > 1)) {
                met |= this.fault(limit - recordStart);
                p = limit;
                continue;
              }
              cells[base + Cell.WIDTHS - 2 + width * 2 + (byte >> 6)]!++;
              if (byte === 0 || width >= this.plan.oddWidth[row]!) met |= this.oddVarint(bytes, p - width, width, row);
            }
            break;
          }
          case Action.I64:
            if (limit - p < 8) {
              met |= this.fault(limit - recordStart);
              p = limit;
              continue;
            }
            if ((entry & IMPLICIT) !== 0 && isZero(bytes, p, 8)) cells[base + Cell.ZEROS]!++;
            cells[base + Cell.RECORDS]!++;
            p += 8;
            break;
          case Action.I32:
            if (limit - p < 4) {
              met |= this.fault(limit - recordStart);
              p = limit;
              continue;
            }
            if ((entry & IMPLICIT) !== 0 && isZero(bytes, p, 4)) cells[base + Cell.ZEROS]!++;
            cells[base + Cell.RECORDS]!++;
            p += 4;
            break;
          case Action.UNKNOWN_VARINT:
          case Action.UNKNOWN_I64:
          case Action.UNKNOWN_I32:
          case Action.UNKNOWN_GROUP: {
            const next = this.unknown(bytes, p, limit, tag, base);
            if (next < 0 && action !== Action.UNKNOWN_GROUP) {
              met |= this.fault(limit - recordStart);
              p = limit;
              continue;
            }
            met |= Met.NOTE;
            p = next;
            if (next < 0) {
              // A group that ends nowhere: what was read is its value, the rest of the region is unattributed.
              met |= this.fault(limit - (-1 - next));
              p = limit;
            }
            break;
          }
          case Action.GROUP:
            cells[base + Cell.RECORDS]!++;
            break;
          default: {
            // A length prefix.
            let length = bytes[p]!;
            let width = 1;
            const lengthStart = p;
            if (p < limit && length < 128) {
              p++;
            } else {
              let byte = 128;
              let scale = 1;
              length = 0;
              width = 0;
              while (byte >= 128) {
                if (p === limit || width === 10) {
                  width = 11;
                  break;
                }
                byte = bytes[p++]!;
                width++;
                length += (byte & 127) * scale;
                scale *= 128;
              }
              if (width === 11 || (width === 10 && byte > 1)) {
                met |= this.fault(limit - recordStart);
                p = limit;
                continue;
              }
              if (byte === 0) {
                cells[base + Cell.OVERLONG]! += overlongBytes(bytes, lengthStart, width);
                met |= Met.IRREGULAR;
              }
            }
            cells[base + Cell.LENGTH_WIDTHS - 1 + width]!++;
            const cut = length > limit - p;
            if (cut) {
              length = limit - p;
              met |= Met.FAULT | Met.IRREGULAR;
            }
            if (length > cells[base + Cell.MAX_SIZE]!) cells[base + Cell.MAX_SIZE] = length;
            if (cells[base + Cell.MIN_SIZE] === 0 || length < cells[base + Cell.MIN_SIZE]! - 1) {
              cells[base + Cell.MIN_SIZE] = length + 1;
            }
            if (action === Action.MESSAGE) {
              payload = length;
              break;
            }
            if (cut) {
              met |= this.fault(length);
              if (action === Action.UNKNOWN_LEN) met |= Met.NOTE;
              else if (action >= Action.PACKED_VARINT) {
                cells[base + Cell.PACKED_RUNS]!++;
                elements = 0;
              }
              p = limit;
              break;
            }
            switch (action) {
              case Action.STRING: {
                if (length === 0 && (entry & IMPLICIT) !== 0) cells[base + Cell.ZEROS]!++;
                cells[base + Cell.VALUE]! += length;
                if (length <= SHORT_TEXT) {
                  let or = 0;
                  let at = p;
                  for (const whole = p + length - 3; at < whole; at += 4) {
                    or |= bytes[at]! | bytes[at + 1]! | bytes[at + 2]! | bytes[at + 3]!;
                  }
                  for (const last = p + length; at < last; at++) or |= bytes[at]!;
                  if (or < 128) break;
                }
                met |= this.longText(bytes, p, p + length, base);
                break;
              }
              case Action.BYTES:
                if (length === 0 && (entry & IMPLICIT) !== 0) cells[base + Cell.ZEROS]!++;
                cells[base + Cell.VALUE]! += length;
                break;
              case Action.UNKNOWN_LEN:
                met |= Met.NOTE;
                cells[base + Cell.VALUE]! += length;
                break;
              case Action.PACKED_I64:
              case Action.PACKED_I32: {
                const size = action === Action.PACKED_I64 ? 8 : 4;
                cells[base + Cell.PACKED_RUNS]!++;
                elements = length / size;
                if (length % size !== 0) {
                  met |= this.fault(length);
                  elements = 0;
                }
                cells[base + Cell.PACKED_ELEMENTS]! += elements;
                break;
              }
              default: {
                cells[base + Cell.PACKED_RUNS]!++;
                elements = this.packedVarints(bytes, p, p + length, row);
                if (elements < 0) {
                  met |= this.fault(length);
                  elements = 0;
                } else {
                  met |= this.packedMet;
                  cells[base + Cell.PACKED_ELEMENTS]! += elements;
                }
              }
            }
            p += length;
          }
        }

        if ((met & OVERLONG_TAG) !== 0) {
          this.countOverlongTag(row, this.tagOverlong);
          met &= ~OVERLONG_TAG;
        }

        // Presence: the first record of its field in this message, or a further one.
        if (cells[base] !== instance) {
          if (this.folded > 0) this.journal.push(base, cells[base]!, cells[base + Cell.IN_INSTANCE]!);
          cells[base] = instance;
          if ((entry & REPEATED) !== 0) {
            cells[base + Cell.PRESENT]!++;
            cells[base + Cell.IN_INSTANCE] = elements;
            if (elements >= 128) cells[base + Cell.COUNT_EXTRA]! += extraCountBytes(elements);
          } else if ((entry & ONEOF) !== 0) {
            const oneof = this.plan.oneof[row]!;
            if (this.oneofLast[oneof] === instance) met |= Met.IRREGULAR;
            this.oneofLast[oneof] = instance;
          }
        } else if ((entry & REPEATED) !== 0) {
          const before = cells[base + Cell.IN_INSTANCE]!;
          const after = before + elements;
          cells[base + Cell.IN_INSTANCE] = after;
          if (after >= 128 && before < 268435456) {
            if (elements > 1) cells[base + Cell.COUNT_EXTRA]! += extraCountBytes(after) - extraCountBytes(before);
            else if (elements === 1 && (after === 128 || after === 16384 || after === 2097152 || after === 268435456)) {
              cells[base + Cell.COUNT_EXTRA]!++;
            }
          }
        } else {
          cells[base + Cell.REPEATS]!++;
          met |= Met.IRREGULAR;
        }

        if (action === Action.MESSAGE || action === Action.GROUP) {
          let cell = this.plan.child[row]!;
          if (cell < 0) {
            cell = this.plan.enter(row);
            this.makeRoom();
            ({ dispatch } = this.plan);
          }
          this.instances[cell >> 1]!++;
          if (depth === this.depths) stack = this.deepen();
          const top = depth << 3;
          stack[top] = limit;
          stack[top + 1] = block;
          stack[top + 4] = -1;
          stack[top + 5] = instance;
          if ((cell & 1) !== 0) {
            stack[top + 4] = this.journal.length;
            this.folded++;
            met |= Met.IRREGULAR;
          }
          if (action === Action.GROUP) {
            stack[top + 2] = tag >>> 3;
            stack[top + 3] = row;
          } else {
            stack[top + 2] = 0;
            limit = p + payload;
          }
          depth++;
          block = cell >> 1;
          instance = this.nextInstance();
        }
      }

      // The end of a message, or of everything.
      met &= ~OVERLONG_TAG;
      if (depth === 0) return met;
      depth--;
      const top = depth << 3;
      if (stack[top + 2] !== 0 && !this.closed) met |= Met.FAULT | Met.IRREGULAR;
      this.closed = false;
      limit = stack[top]!;
      block = stack[top + 1]!;
      instance = stack[top + 5]!;
      if (stack[top + 4]! >= 0) {
        this.folded--;
        this.restore(stack[top + 4]!);
      }
    }
  }

  /** Reads the tag at `start` into `tag`, `tagEntry` and `tagOverlong`; its end, or −1 if it is none. */
  private longTag(bytes: Uint8Array, start: number, limit: number, block: number): number {
    let p = start;
    let scale = 1;
    let byte = 128;
    let tag = 0;
    while (byte >= 128) {
      if (p === limit || p - start === 10) return -1;
      byte = bytes[p++]!;
      tag += (byte & 127) * scale;
      scale *= 128;
    }
    if ((p - start === 10 && byte > 1) || tag > MAX_NUMBER * 8 + 7) return -1;
    this.tag = tag;
    this.tagOverlong = byte === 0 ? p - start : 0;
    this.tagEntry = tag < 128 ? this.plan.dispatch[block * 128 + tag]! : this.lookUp(block, tag);
    return p;
  }

  private lookUp(block: number, tag: number): number {
    const { cacheBlock, cacheTag, cacheEntry } = this;
    const slot = (tag ^ (block << 4)) & CACHE_MASK;
    if (cacheBlock[slot] === block && cacheTag[slot] === tag) return cacheEntry[slot]!;
    const entry = this.plan.lookUp(block, tag);
    if (entry !== 0) {
      cacheBlock[slot] = block;
      cacheTag[slot] = tag;
      cacheEntry[slot] = entry;
    }
    return entry;
  }

  private longText(bytes: Uint8Array, start: number, end: number, base: number): number {
    const { cells, text } = this;
    if (measureText(bytes, start, end, text)) return 0;
    cells[base + Cell.TEXT_LENGTH]! += text.lengthDelta;
    cells[base + Cell.TEXT_BODY]! += text.bodyDelta;
    return text.valid ? 0 : Met.NOTE | Met.IRREGULAR;
  }

  private nextInstance(): number {
    this.instance = (this.instance + 1) | 0;
    return this.instance;
  }

  /** Makes room for the paths that the plan has met, be it through another scan. */
  private makeRoom(): void {
    if (this.plan.oneofCount > this.oneofLast.length) this.growOneofs();
    if (this.plan.oneof.length << STRIDE_BITS > this.cells.length) this.growCells();
    if (this.plan.blocks.length > this.instances.length) this.growInstances();
  }

  private fault(bytes: number): number {
    this.unattributed += bytes;
    return Met.FAULT | Met.IRREGULAR;
  }

  private countSize(base: number, size: number): void {
    const { cells } = this;
    const min = cells[base + Cell.MIN_SIZE]!;
    if (min === 0 || size < min - 1) cells[base + Cell.MIN_SIZE] = size + 1;
    if (size > cells[base + Cell.MAX_SIZE]!) cells[base + Cell.MAX_SIZE] = size;
  }

  private countOverlongTag(row: number, width: number): void {
    const shortest = this.plan.tagWidth[row]!;
    if (width === shortest) return;
    this.cells[(row << STRIDE_BITS) + Cell.TAG_EXTRA]! += width - shortest;
    const widths = this.overlongTags.get(row) ?? new Array<number>(10).fill(0);
    widths[width - 1]!++;
    this.overlongTags.set(row, widths);
  }

  /** A value whose last byte is 0 or that is as wide as its type hardly ever needs. Returns bits of Met. */
  private oddVarint(bytes: Uint8Array, start: number, width: number, row: number): number {
    const kind = this.plan.integer[row]!;
    let shortest: number;
    if (width === 10 && kind <= IntegerKind.INT64 && bytes[start + 9] === 1) {
      if (kind === IntegerKind.INT64) this.countNegative(row, bytes, start);
      return 0;
    }
    const low = varintLow(bytes, start, start + width);
    const high = varintHigh(bytes, start, start + width);
    if (kind <= IntegerKind.INT64) {
      shortest = varintWidth(low, high);
    } else if (kind === IntegerKind.BOOL) {
      shortest = 1;
    } else if (kind === IntegerKind.INT32) {
      shortest = low < 0 ? 10 : varintWidth(low, 0);
      // A value that is cut to 32 bits, or negative without its sign extension.
      if (width === 10 && low < 0 && high === -1) this.countNegative(row, bytes, start);
      else if (width !== shortest || high !== 0) shortest = Math.min(shortest, width - 1);
    } else {
      shortest = varintWidth(low, 0);
    }
    if (shortest === width) return 0;
    this.cells[(row << STRIDE_BITS) + Cell.OVERLONG]! += width - shortest;
    return Met.IRREGULAR;
  }

  /** A negative value v in ten bytes: its zigzag is ~v · 2 + 1, one bit more than ~v has. */
  private countNegative(row: number, bytes: Uint8Array, start: number): void {
    let at = start + 8;
    while (at > start && bytes[at] === 255) at--;
    const bits = (at - start) * 7 + 33 - Math.clz32(~bytes[at]! & 127);
    // Seven bits a byte: for up to 64 bits, · 37 / 256 divides by 7.
    const width = ((bits + 6) * 37) >> 8;
    this.cells[(row << STRIDE_BITS) + Cell.NEGATIVES - 1 + width]!++;
  }

  private packedMet = 0;
  private readonly packedWidths = new Int32Array(22);

  /** Elements of a packed run of varints, or −1 if it is malformed, and then nothing of it is counted. */
  private packedVarints(bytes: Uint8Array, start: number, end: number, row: number): number {
    const { cells } = this;
    const base = row << STRIDE_BITS;
    const odd = this.plan.oddWidth[row]!;
    this.packedMet = 0;
    if (end > start && bytes[end - 1]! >= 128) return -1;
    const { packedWidths } = this;
    let elements = 0;
    let p = start;
    for (; p < end; elements++) {
      let byte = bytes[p++]!;
      let width = 1;
      while (byte >= 128 && width < 10) {
        byte = bytes[p++]!;
        width++;
      }
      if (byte >= 128 || (width === 10 && byte > 1)) {
        elements = -1;
        p -= width;
        break;
      }
      packedWidths[width * 2 + (byte >> 6)]!++;
      if ((byte === 0 && width > 1) || width >= odd) this.packedMet |= this.oddVarint(bytes, p - width, width, row);
    }
    for (let at = 2; at < packedWidths.length; at++) {
      if (packedWidths[at] === 0) continue;
      cells[base + Cell.WIDTHS - 2 + at]! += packedWidths[at]!;
      packedWidths[at] = 0;
    }
    if (elements < 0) this.uncountPacked(bytes, start, p, row);
    return elements;
  }

  /** Takes back what a malformed run had counted before it turned out to be one. */
  private uncountPacked(bytes: Uint8Array, start: number, end: number, row: number): void {
    const scratch = new Scan(undefined, this.plan);
    scratch.growCells();
    scratch.packedVarints(bytes, start, end, row);
    const base = row << STRIDE_BITS;
    for (let cell = Cell.OVERLONG; cell < Cell.NEGATIVES + 10; cell++) {
      this.cells[base + cell]! -= scratch.cells[base + cell]!;
    }
  }

  /** A record of unknown number: its end, or −1 − the offset up to which it could be read. */
  private unknown(bytes: Uint8Array, p: number, limit: number, tag: number, base: number): number {
    const { cells } = this;
    let end: number;
    let endTag = 0;
    if ((tag & 7) === 3) {
      ({ end, endTag } = skipGroup(bytes, p, limit, tag >>> 3));
    } else {
      end = skipValue(bytes, p, limit, tag & 7);
      if (end < 0) return end;
    }
    cells[base + Cell.RECORDS]!++;
    cells[base + Cell.VALUE]! += end - p - endTag;
    cells[base + Cell.END_TAG]! += endTag;
    this.countSize(base, end - p - endTag);
    return (tag & 7) === 3 && endTag === 0 ? -1 - end : end;
  }

  /** What row `row` has added up in `cell`. Rows that another scan on the plan has met are empty here. */
  cellAt(row: number, cell: number): number {
    const at = (row << STRIDE_BITS) + cell;
    return (this.totals[at] ?? 0) + (this.cells[at] ?? 0);
  }

  /** Moves the sums to where they cannot overflow; instances and extremes stay. */
  private flush(next: number): void {
    const { cells } = this;
    if (this.totals.length < cells.length) {
      const totals = new Float64Array(cells.length);
      totals.set(this.totals);
      this.totals = totals;
    }
    for (let at = 0; at < cells.length; at++) {
      const cell = at & ((1 << STRIDE_BITS) - 1);
      if (cell === Cell.LAST || cell === Cell.IN_INSTANCE || cell === Cell.MIN_SIZE || cell === Cell.MAX_SIZE) continue;
      this.totals[at]! += cells[at]!;
      cells[at] = 0;
    }
    this.sinceFlush = next;
  }

  private growCells(): Int32Array<ArrayBuffer> {
    const size = Math.max(this.cells.length, this.plan.oneof.length << STRIDE_BITS);
    if (size > this.cells.length) {
      const cells = new Int32Array(size);
      cells.set(this.cells);
      this.cells = cells;
    }
    return this.cells;
  }

  private deepen(): Int32Array<ArrayBuffer> {
    this.depths *= 2;
    const stack = new Int32Array(this.depths << 3);
    stack.set(this.stack);
    this.stack = stack;
    return stack;
  }

  private growInstances(): void {
    const instances = new Float64Array(Math.max(this.instances.length * 2, this.plan.blocks.length));
    instances.set(this.instances);
    this.instances = instances;
  }

  private growOneofs(): void {
    const oneofLast = new Int32Array(this.plan.oneofCount * 2);
    oneofLast.set(this.oneofLast);
    this.oneofLast = oneofLast;
  }

  /** Leaves a folded message: its fields go back to the instance that surrounds it. */
  private restore(mark: number): void {
    const { cells, journal } = this;
    while (journal.length > mark) {
      const inInstance = journal.pop()!;
      const last = journal.pop()!;
      const base = journal.pop()!;
      cells[base + Cell.LAST] = last;
      cells[base + Cell.IN_INSTANCE] = inInstance;
    }
  }
}

function isZero(bytes: Uint8Array, p: number, size: number): boolean {
  for (let i = 0; i < size; i++) if (bytes[p + i] !== 0) return false;
  return true;
}

/** Bytes of a count beyond the one that every count takes, as VInt. */
const extraCountBytes = (count: number): number => varintWidth(count, 0) - 1;

/** Of a varint of `width` bytes, those it would not have needed. */
function overlongBytes(bytes: Uint8Array, start: number, width: number): number {
  let shortest = width;
  while (shortest > 1 && (bytes[start + shortest - 1]! & 127) === 0) shortest--;
  return width - shortest;
}
