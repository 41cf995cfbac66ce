/**
 * One message to the rows of its ledger, with a schema or without. protobuf.dev/programming-guides/encoding
 *
 *   record   VARINT  tag value          LEN     tag length payload
 *            I32     tag 4 bytes        SGROUP  tag records end-tag
 *            I64     tag 8 bytes
 *
 * Row 0 is the message, then there is a row for each record. A region is the message or the payload of a LEN record
 * that is descended; groups lie within the region that holds them. Where a record cannot be read, the rest of its
 * region is one unattributed row, and reading goes on behind the region. A schema decides which LEN records are
 * regions; it moves nothing else.
 *
 * A message is walked once into a scratch table, and once more into columns of the right size if it has more rows.
 */
import { type AnnotationTable, composeFlags, Flag, NO_WIRE_TYPE, unknownField } from '../annotation.ts';
import { invalidUtf8At } from '../bytes/utf8.ts';
import { VARINT_TRUNCATED, varintEnd, varintNumber } from '../bytes/varint.ts';
import type { Diagnostic } from '../diagnostic.ts';
import type { FieldDescriptor, MessageDescriptor } from '../schema/descriptor.ts';
import { allocateColumns, type Columns, copyTable, giveTable } from './columns.ts';
import { Fault, Findings } from './findings.ts';
import { badElementAt, packedFlags } from './packed.ts';
import { measureText, type TextMeasure } from './scan-text.ts';
import { FIELD_SHIFT, Kind, NO_BLOCK, Shape, TagPlan, Trait } from './tag-plan.ts';
import { ODD_WIDTH, varintFlags } from './varint-flags.ts';

export interface Annotation {
  readonly table: AnnotationTable<FieldDescriptor>;
  /** In the order in which reading met them. */
  readonly diagnostics: readonly Diagnostic[];
}

export interface AnnotateOptions {
  /** Which message of the input this is: copied to the diagnostics. */
  readonly ordinal?: number | undefined;
}

/** What one walk has room for; 20 bytes each, held from the first call on. */
export const SCRATCH_ROWS = 1 << 16;
let scratch: Columns | undefined;

/**
 * Rows of `bytes`, read as `descriptor` or, without one, by field numbers and wire types alone.
 * Total: any bytes give a table whose own bytes sum to their number. Takes 20 bytes a row.
 */
export function annotate(
  bytes: Uint8Array,
  descriptor: MessageDescriptor | undefined,
  { ordinal }: AnnotateOptions = {},
): Annotation {
  const plan = new TagPlan();
  const root = plan.blockOf(descriptor);
  scratch ??= allocateColumns(SCRATCH_ROWS, SCRATCH_ROWS - 1);
  const findings = new Findings(ordinal);
  const rows = walk(bytes, plan, root, scratch, findings);
  if (rows <= SCRATCH_ROWS) {
    return { table: copyTable(scratch, rows, plan.fields), diagnostics: findings.list() };
  }
  const columns = allocateColumns(rows, -1);
  const again = new Findings(ordinal);
  plan.forget();
  walk(bytes, plan, root, columns, again);
  return { table: giveTable(columns, plan.fields), diagnostics: again.list() };
}

/** A row's flags by shape, as if its field were unknown to nobody. */
const FLAGS_OF_SHAPE = [0, 0, 1, 5, 2, 3].map((wireType) => composeFlags(wireType, 'value'));
const UNATTRIBUTED = composeFlags(NO_WIRE_TYPE, 'unattributed', Flag.MALFORMED);
/** From `value` to `unattributed`, by exclusive or. */
const LOST = composeFlags(0, 'value') ^ composeFlags(0, 'unattributed');

/** What is open, in the stack: a region, a region cut short by the one around it, or a group by its number. */
const REGION = 0;
const CUT_REGION = -1;
const NOTHING = -2;
const STRIDE = 5;

const text: TextMeasure = { lengthDelta: 0, bodyDelta: 0, valid: true };

/** Writes the rows of a message and returns how many there are. */
function walk(bytes: Uint8Array, plan: TagPlan, root: number, columns: Columns, findings: Findings): number {
  const { start, end, parent, field, head, flags, mask } = columns;
  const room = start.length;
  const { children, open } = plan;
  let { seen } = plan;
  // By depth: owner, limit, block, what it is, journal length.
  let stack = new Int32Array(STRIDE * 32);
  let depth = 0;
  // Fields whose `seen` an inner message of the same type overwrote, with what was there.
  const journal: number[] = [];
  let recursion = 0;

  let p = 0;
  let limit = bytes.length;
  let owner = 0;
  let opened = REGION;
  let block = root;
  let table = plan.tables[block]!;
  let isBroken = false;
  let isClosed = false;

  start[0] = 0;
  end[0] = limit;
  parent[0] = -1;
  field[0] = -1;
  head[0] = 0;
  flags[0] = composeFlags(NO_WIRE_TYPE, 'value');
  open[root]!++;
  let rows = 1;

  for (;;) {
    while (p < limit) {
      const recordStart = p;
      let fault: number = Fault.NONE;
      let faultStart = p;
      let bits = 0;

      let tag = bytes[p++]!;
      if (tag > 127) {
        const second = p < limit ? bytes[p]! : 0;
        if (second > 0 && second < 128) {
          tag = (tag & 127) | (second << 7);
          p++;
        } else {
          const tagEnd = varintEnd(bytes, recordStart, limit);
          if (tagEnd > 0) {
            tag = varintNumber(bytes, recordStart, tagEnd);
            p = tagEnd;
            if (bytes[p - 1] === 0) bits = Flag.OVERLONG;
          } else {
            fault = tagEnd === VARINT_TRUNCATED ? Fault.TRUNCATED_TAG : Fault.OVERFLOW_TAG;
            tag = 0;
            p = Math.min(limit, recordStart + 10);
          }
        }
      }
      let entry = fault === Fault.NONE && tag < table.length ? table[tag]! : 0;
      if (entry === 0 && fault === Fault.NONE) {
        entry = plan.resolve(block, tag);
        seen = plan.seen;
        if (entry < 0) fault = -entry;
      }

      const tagEnd = p;
      const kind = (entry >> 3) & 15;
      const shape = entry & 7;
      let size = 0;
      let lengthSize = 0;
      let entered = NOTHING;

      if (fault === Fault.NONE) {
        bits |= FLAGS_OF_SHAPE[shape]!;
        switch (shape) {
          case Shape.VARINT: {
            faultStart = p;
            let byte = p < limit ? bytes[p]! : 128;
            if (byte < 128) {
              p++;
              if (byte === 0 && (entry & Trait.IMPLICIT) !== 0) bits |= Flag.DEFAULT;
            } else {
              const longest = Math.min(limit, p + 10);
              let valueEnd = p + 1;
              while (valueEnd < longest && byte > 127) byte = bytes[valueEnd++]!;
              if (byte > 127 || (byte > 1 && valueEnd - p === 10)) {
                const isTruncated = varintEnd(bytes, p, limit) === VARINT_TRUNCATED;
                fault = isTruncated ? Fault.TRUNCATED_VALUE : Fault.OVERFLOW_VALUE;
                p = longest;
              } else {
                if (byte === 0 || valueEnd - p >= ODD_WIDTH[kind]!) {
                  const found = varintFlags(kind, bytes, p, valueEnd);
                  bits |= (entry & Trait.IMPLICIT) === 0 ? found & ~Flag.DEFAULT : found;
                }
                p = valueEnd;
              }
            }
            break;
          }
          case Shape.I64:
          case Shape.I32: {
            faultStart = p;
            const width = shape === Shape.I64 ? 8 : 4;
            if (limit - p < width) {
              fault = Fault.TRUNCATED_FIXED;
              p = limit;
            } else {
              if ((entry & Trait.IMPLICIT) !== 0 && isZero(bytes, p, width)) bits |= Flag.DEFAULT;
              p += width;
            }
            break;
          }
          case Shape.LEN: {
            faultStart = p;
            size = p < limit ? bytes[p]! : 128;
            if (size < 128) {
              p++;
            } else {
              const lengthEnd = varintEnd(bytes, p, limit);
              if (lengthEnd < 0) {
                fault = lengthEnd === VARINT_TRUNCATED ? Fault.TRUNCATED_LENGTH : Fault.OVERFLOW_LENGTH;
                p = Math.min(limit, p + 10);
                break;
              }
              size = varintNumber(bytes, p, lengthEnd);
              p = lengthEnd;
              if (bytes[p - 1] === 0) bits |= Flag.OVERLONG;
            }
            lengthSize = p - tagEnd;
            if ((entry & Trait.PACKED) !== 0) bits |= Flag.PACKED;
            if (kind === Kind.MESSAGE) entered = REGION;
            if (size > limit - p) {
              findings.fault(Fault.LENGTH_PAST_END, tagEnd, p);
              size = limit - p;
              bits |= Flag.MALFORMED;
              if (kind === Kind.MESSAGE) {
                entered = CUT_REGION;
              } else {
                bits ^= LOST;
                isBroken = true;
              }
            } else if (rows < room) {
              if (kind === Kind.STRING) {
                if (!measureText(bytes, p, p + size, text) && !text.valid) {
                  const invalid = invalidUtf8At(bytes, p, p + size);
                  findings.invalidUtf8(plan.fields[entry >> FIELD_SHIFT], invalid, p + size);
                }
              } else if ((entry & Trait.PACKED) !== 0) {
                bits |= packedFlags(kind, bytes, p, p + size);
                if ((bits & Flag.MALFORMED) !== 0) {
                  bits ^= LOST;
                  findings.fault(Fault.MALFORMED_PACKED, badElementAt(), p + size);
                }
              }
              if (size === 0 && (entry & Trait.IMPLICIT) !== 0 && kind !== Kind.MESSAGE) bits |= Flag.DEFAULT;
            }
            if (kind !== Kind.MESSAGE) p += size;
            break;
          }
          case Shape.SGROUP:
            entered = tag >>> 3;
            break;
          default:
            // An end tag: of the innermost open group, or nothing behind it in the region can be read.
            if (opened > 0 && opened === tag >>> 3) {
              isClosed = true;
              head[owner & mask]! |= (p - recordStart) << 8;
              flags[owner & mask]! |= bits & Flag.OVERLONG;
              end[owner & mask] = p;
            } else {
              fault = opened > 0 ? Fault.MISMATCHED_END_GROUP : Fault.UNEXPECTED_END_GROUP;
              faultStart = recordStart;
            }
        }
        if (isClosed) break;
      }

      const row = rows++;
      const at = row & mask;
      start[at] = recordStart;
      parent[at] = owner;
      if (fault !== Fault.NONE) {
        findings.fault(fault, faultStart, p);
        end[at] = limit;
        field[at] = -1;
        head[at] = 0;
        flags[at] = UNATTRIBUTED;
        isBroken = true;
        p = limit;
        continue;
      }
      head[at] = (tagEnd - recordStart) | (lengthSize << 4);
      if (kind <= Kind.MISMATCH) {
        const number = tag >>> 3;
        field[at] = unknownField(number);
        if (kind === Kind.UNKNOWN) {
          bits |= Flag.UNKNOWN;
          if (block !== NO_BLOCK) findings.unknown(block, number, plan.typeName(block), recordStart, tagEnd);
        } else {
          bits |= Flag.MISMATCH;
          findings.mismatch(plan.fieldOf(block, number), tag & 7, recordStart, tagEnd);
        }
      } else {
        const index = entry >> FIELD_SHIFT;
        field[at] = index;
        if ((entry & Trait.GUESS) !== 0) bits |= Flag.GUESS;
        if ((entry & Trait.SINGULAR) !== 0) {
          if (seen[index] === owner) {
            bits |= Flag.DUPLICATE;
          } else {
            if (recursion > 0) journal.push(index, seen[index]!);
            seen[index] = owner;
          }
        }
      }
      flags[at] = bits;
      end[at] = p;

      if (entered !== NOTHING) {
        if ((depth + 1) * STRIDE > stack.length) {
          const grown = new Int32Array(stack.length * 2);
          grown.set(stack);
          stack = grown;
        }
        const base = depth++ * STRIDE;
        stack[base] = owner;
        stack[base + 1] = limit;
        stack[base + 2] = block;
        stack[base + 3] = opened;
        stack[base + 4] = journal.length;
        owner = row;
        opened = entered;
        if (shape === Shape.LEN) limit = p + size;
        end[at] = limit;
        block = kind <= Kind.MISMATCH ? NO_BLOCK : children[entry >> FIELD_SHIFT]!;
        table = plan.tables[block]!;
        if (block !== NO_BLOCK && open[block]!++ > 0) recursion++;
      }
    }

    // The end of a region, of a group, or of everything.
    if (opened > 0) {
      if (!isClosed) {
        if (!isBroken) findings.fault(Fault.UNENDED_GROUP, limit, limit);
        isBroken = true;
        flags[owner & mask]! |= Flag.MALFORMED;
      }
    } else {
      if (isBroken) flags[owner & mask]! |= Flag.MALFORMED;
      isBroken = opened === CUT_REGION;
    }
    isClosed = false;
    if (depth === 0) return rows;
    if (block !== NO_BLOCK && --open[block]! > 0) recursion--;
    const base = --depth * STRIDE;
    for (const mark = stack[base + 4]!; journal.length > mark; ) {
      const before = journal.pop()!;
      seen[journal.pop()!] = before;
    }
    owner = stack[base]!;
    limit = stack[base + 1]!;
    block = stack[base + 2]!;
    opened = stack[base + 3]!;
    table = plan.tables[block]!;
  }
}

function isZero(bytes: Uint8Array, start: number, width: number): boolean {
  for (let p = start; p < start + width; p++) if (bytes[p] !== 0) return false;
  return true;
}
