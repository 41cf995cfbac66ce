/** Properties of the table for any bytes. */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { arbitraryMessages } from '#testing/arbitrary-message.ts';
import { columnsOf } from '#testing/table-columns.ts';
import {
  type AnnotationTable,
  endAt,
  Flag,
  parentAt,
  payloadCategoryAt,
  payloadEndAt,
  payloadStartAt,
  startAt,
} from '../model/annotation.ts';
import { annotate } from './annotate.ts';
import { inferDescriptor } from './infer-descriptor.ts';
import { hasChildren, headBytes, isDescended, ownPayload } from './rows.ts';

const RUNS = { numRuns: 1000 };

/** Throws where rows do not tile the message, and returns the sum of their own bytes. */
function checkTiling(table: AnnotationTable, bytes: number): number {
  let own = 0;
  // By open row: where its next child must start.
  const next: number[] = [];
  const open: number[] = [];
  const close = (): void => {
    const row = open.pop()!;
    if (hasChildren(table, row) && next.pop() !== payloadEndAt(table, row)) throw new Error(`row ${row} is not filled`);
  };
  for (let row = 0; row < table.length; row++) {
    own += headBytes(table, row) + ownPayload(table, row);
    if (payloadStartAt(table, row) > payloadEndAt(table, row)) throw new Error(`row ${row} is smaller than its head`);
    const parent = parentAt(table, row);
    if (row > 0) {
      while (open.length > 0 && open.at(-1) !== parent) close();
      if (open.length === 0) throw new Error(`row ${row} does not follow its parent`);
      if (next.at(-1) !== startAt(table, row)) throw new Error(`row ${row} does not begin where the one before ends`);
      next[next.length - 1] = endAt(table, row);
    } else if (parent !== -1 || startAt(table, 0) !== 0 || endAt(table, 0) !== bytes) {
      throw new Error('row 0 is not the message');
    }
    open.push(row);
    if (!hasChildren(table, row)) continue;
    if (!isDescended(table, row)) throw new Error(`row ${row} has children`);
    next.push(payloadStartAt(table, row));
  }
  while (open.length > 0) close();
  return own;
}

function boundaries(table: AnnotationTable): Set<number> {
  const all = new Set<number>();
  for (let row = 0; row < table.length; row++) {
    all.add(startAt(table, row)).add(payloadStartAt(table, row)).add(payloadEndAt(table, row)).add(endAt(table, row));
  }
  return all;
}

function lostIn(table: AnnotationTable): number {
  let lost = 0;
  for (let row = 0; row < table.length; row++) {
    if (payloadCategoryAt(table, row) === 'unattributed') lost += ownPayload(table, row);
  }
  return lost;
}

/** Cuts, changes and repeats bytes. */
const damage = fc.array(
  fc.record({ at: fc.nat(), action: fc.constantFrom('cut', 'set', 'flip', 'insert'), byte: fc.nat({ max: 255 }) }),
  { minLength: 1, maxLength: 4 },
);

function apply(bytes: Uint8Array, changes: readonly { at: number; action: string; byte: number }[]): Uint8Array {
  let all = [...bytes];
  for (const { at, action, byte } of changes) {
    const place = all.length === 0 ? 0 : at % all.length;
    if (action === 'cut') all = all.slice(0, place);
    else if (action === 'set') all[place] = byte;
    else if (action === 'flip') all[place] = (all[place] ?? 0) ^ (1 << (byte & 7));
    else all.splice(place, 0, byte);
  }
  return Uint8Array.from(all);
}

/** Valid messages, damaged ones and random bytes, for a random schema. */
const cases = fc
  .tuple(
    arbitraryMessages({ maxMessages: 1, any: true }),
    fc.option(damage),
    fc.option(fc.uint8Array({ maxLength: 60 })),
  )
  .map(([{ proto, type, messages }, changes, random]) => {
    const valid = messages[0]!;
    return { proto, type, bytes: random ?? (changes === null ? valid : apply(valid, changes)) };
  });

/** Bytes that are tags more often than chance would have it. */
const taglike = fc
  .array(fc.oneof(fc.constantFrom(0x0b, 0x0c, 0x13, 0x14, 0x0a, 0x08, 0x02, 0x80, 0x00), fc.nat({ max: 255 })), {
    maxLength: 40,
  })
  .map((bytes) => Uint8Array.from(bytes));

describe('for any schema and any bytes', () => {
  test('rows tile the message, in pre-order, and their own bytes sum to its length', () => {
    fc.assert(
      fc.property(cases, taglike, ({ type, bytes }, others) => {
        for (const input of [bytes, others]) {
          for (const descriptor of [type, undefined]) {
            const { table, diagnostics } = annotate(input, descriptor);
            expect(checkTiling(table, input.length)).toBe(input.length);
            // Errors are there where and only where bytes are left over or something ends early.
            const isBroken = columnsOf(table).flags.some((flags) => (flags & Flag.MALFORMED) !== 0);
            expect(diagnostics.some(({ severity }) => severity === 'error')).toBe(isBroken);
            expect(diagnostics.filter(({ start, end }) => start < 0 || end < start || end > input.length)).toEqual([]);
          }
        }
      }),
      RUNS,
    );
  });

  test('a schema moves no boundary', () => {
    fc.assert(
      fc.property(cases, taglike, ({ type, bytes }, others) => {
        for (const input of [bytes, others]) {
          const refined = boundaries(annotate(input, type).table);
          const coarse = boundaries(annotate(input, undefined).table);
          expect([...coarse].filter((offset) => !refined.has(offset))).toEqual([]);
        }
      }),
      RUNS,
    );
  });

  test('a guessed type of a message cut anywhere moves no boundary and loses no more bytes', () => {
    fc.assert(
      fc.property(arbitraryMessages({ maxMessages: 1 }), fc.nat(), ({ messages }, at) => {
        const whole = messages[0]!;
        const bytes = whole.subarray(0, at % (whole.length + 1));
        const guessed = annotate(bytes, inferDescriptor([bytes])).table;
        const coarse = annotate(bytes, undefined).table;
        const kept = boundaries(guessed);
        expect([...boundaries(coarse)].filter((offset) => !kept.has(offset))).toEqual([]);
        expect(checkTiling(guessed, bytes.length)).toBe(bytes.length);
        expect(lostIn(guessed)).toBeLessThanOrEqual(lostIn(coarse));
      }),
      RUNS,
    );
  });

  test('a valid message has no error', () => {
    fc.assert(
      fc.property(arbitraryMessages({ maxMessages: 2, any: true }), ({ type, messages }) => {
        for (const bytes of messages) {
          expect(annotate(bytes, type).diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
        }
      }),
      RUNS,
    );
  });
});

describe('large and hostile', () => {
  test.each([
    ['groups that begin and never end', new Uint8Array(100_000).fill(0x0b)],
    ['groups nested 50,000 deep', new Uint8Array(100_000).fill(0x0b).fill(0x0c, 50_000)],
    ['end tags', new Uint8Array(100_000).fill(0x0c)],
    ['a varint without end', new Uint8Array(100_000).fill(0x80)],
    ['40,000 records', new Uint8Array(80_000).fill(0x08)],
    ['tags alone', new Uint8Array(100_001).fill(0x0a)],
  ])('%s', (_, bytes) => {
    const { table, diagnostics } = annotate(bytes, undefined);
    expect(checkTiling(table, bytes.length)).toBe(bytes.length);
    expect(diagnostics.length).toBeLessThanOrEqual(2002);
  });

  test('a table has its exact size: 12 bytes per row', () => {
    const { table } = annotate(new Uint8Array(80_000).fill(0x08), undefined);
    expect(table.length).toBe(40_001);
    expect(table.cells.buffer.byteLength).toBe(40_001 * 12);
    expect([table.farParents, table.rareFields].map(({ length }) => length)).toEqual([0, 0]);
  });
});
