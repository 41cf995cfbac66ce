import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type AnnotationTable,
  CATEGORIES,
  composeFlags,
  endAt,
  NO_WIRE_TYPE,
  parentAt,
  SLOTS,
  startAt,
  subtreeEnds,
} from '#engine/model/annotation.ts';
import { builtRows } from '#testing/built-rows.ts';
import { packRows } from '../model/pack-rows.ts';
import { deriveLayouts } from '../native/derive.ts';
import { NATIVE_PROFILES } from '../native/profiles.ts';
import { compileSchema } from '../schema/compile.ts';
import {
  categoriesOf,
  categoryAtOffset,
  messageLength,
  nameOfRow,
  ownSpans,
  remarksOfRow,
  rowAtOffset,
  wireTypeOfRow,
} from './encoded-message.ts';
import { inspect } from './inspect.ts';

const VALUE = composeFlags(NO_WIRE_TYPE, 'value');

interface Shape {
  /** Sizes of the slots, in the order of SLOTS. */
  readonly slots: readonly number[];
  /** Own payload where there are no children. */
  readonly payload: number;
  readonly children: readonly Shape[];
}

/** Rows in pre-order that tile the message, as both encodings produce them. */
function tableOf(encoding: AnnotationTable['encoding'], shape: Shape, flags?: readonly number[]): AnnotationTable {
  const start: number[] = [];
  const end: number[] = [];
  const parent: number[] = [];
  const head: number[] = [];
  const enter = ({ slots, payload, children }: Shape, at: number, above: number): number => {
    const row = start.push(at) - 1;
    parent.push(above);
    head.push(slots.reduce((sum, size, slot) => sum | (size << (slot * 4)), 0));
    end.push(0);
    const groupEnd = encoding === 'protobuf' ? (slots[2] ?? 0) : 0;
    let next = at + slots.reduce((sum, size) => sum + size, 0) - groupEnd;
    if (children.length === 0) next += payload;
    for (const child of children) next = enter(child, next, row);
    end[row] = next + groupEnd;
    return end[row]!;
  };
  enter(shape, 0, -1);
  const field = start.map(() => -1);
  return packRows(
    encoding,
    start.length,
    builtRows({ start, end, parent, field, head, flags: flags ?? field.map(() => VALUE) }),
    [],
  );
}

/** Any shape, rows of no bytes included: native messages without fields take none. */
const tables = fc.constantFrom('protobuf' as const, 'native' as const).chain((encoding) => {
  const slots = fc.array(fc.nat(3), { minLength: SLOTS[encoding].length, maxLength: SLOTS[encoding].length });
  const payload = fc.nat(6);
  const { shape } = fc.letrec<{ shape: Shape }>((tie) => ({
    shape: fc.oneof(
      { maxDepth: 4 },
      fc.record({ slots, payload, children: fc.constant([]) }),
      fc.record({ slots, payload, children: fc.array(tie('shape'), { maxLength: 4 }) }),
    ),
  }));
  return shape.map((drawn) => tableOf(encoding, { ...drawn, slots: [] }));
});

/** The last row that holds the byte, looked for one by one: children come after their parents. */
function linearRow(table: AnnotationTable, offset: number): number {
  let found = -1;
  for (let row = 0; row < table.length; row++) {
    if (startAt(table, row) <= offset && offset < endAt(table, row)) found = row;
  }
  return found;
}

describe('for any table', () => {
  test('the row of a byte is the innermost row around it', () => {
    fc.assert(
      fc.property(tables, (table) => {
        for (let offset = -1; offset <= messageLength(table); offset++) {
          expect(rowAtOffset(table, offset)).toBe(linearRow(table, offset));
        }
      }),
      { numRuns: 2000 },
    );
  });

  test('own spans tile the message, and each byte’s category is its row’s', () => {
    fc.assert(
      fc.property(tables, fc.nat(40), (table, from) => {
        const length = messageLength(table);
        const painted = new Uint8Array(length).fill(255);
        let own = 0;
        for (let row = 0; row < table.length; row++) {
          for (const { category, start, end } of ownSpans(table, row)) {
            own += end - start;
            painted.fill(CATEGORIES.indexOf(category), start, end);
          }
        }
        expect(own).toBe(length);
        const begin = Math.min(from, length);
        expect([...categoriesOf(table, begin, length)]).toEqual([...painted.slice(begin)]);
        for (let offset = begin; offset < length; offset++) {
          expect(CATEGORIES.indexOf(categoryAtOffset(table, rowAtOffset(table, offset), offset))).toBe(painted[offset]);
        }
      }),
      { numRuns: 1000 },
    );
  });

  test('a subtree ends before the first row that is not below', () => {
    fc.assert(
      fc.property(tables, (table) => {
        const ends = subtreeEnds(table);
        const isBelow = (row: number, above: number): boolean =>
          row === above || (row > above && parentAt(table, row) >= 0 && isBelow(parentAt(table, row), above));
        for (let row = 0; row < table.length; row++) {
          let end = row + 1;
          while (end < table.length && isBelow(end, row)) end++;
          expect(ends[row]).toBe(end);
        }
      }),
      { numRuns: 1000 },
    );
  });
});

test('only rows with a tag have a wire type', () => {
  const leaf = { slots: [1, 0, 0], payload: 1, children: [] };
  const shape = { slots: [0, 0, 0], payload: 0, children: [leaf] };
  const flags = [VALUE, composeFlags(0, 'value')];
  const typesOf = (encoding: AnnotationTable['encoding']) =>
    [0, 1].map((row) => wireTypeOfRow({ table: tableOf(encoding, shape, flags) }, row));
  expect([typesOf('protobuf'), typesOf('native')]).toEqual([
    ['', 'VARINT'],
    ['', ''],
  ]);
});

describe('ownSpans', () => {
  const leaf = { payload: 3, children: [] };
  test.each([
    [
      'a value behind tag and length',
      tableOf('protobuf', { slots: [1, 2, 0], ...leaf }),
      ['tag 0-1', 'length 1-3', 'value 3-6'],
    ],
    [
      'a group: its end comes last',
      tableOf('protobuf', { slots: [1, 0, 1], ...leaf }),
      ['tag 0-1', 'value 1-4', 'group-end 4-5'],
    ],
    [
      'native: flag, type, count, length',
      tableOf('native', { slots: [1, 1, 2, 1], ...leaf }),
      ['flag 0-1', 'type 1-2', 'count 2-4', 'length 4-5', 'value 5-8'],
    ],
    [
      'children own the payload',
      tableOf('protobuf', { slots: [1, 1, 0], payload: 0, children: [{ slots: [1, 0, 0], ...leaf }] }),
      ['tag 0-1', 'length 1-2'],
    ],
    ['an absent optional', tableOf('native', { slots: [1], payload: 0, children: [] }), ['flag 0-1']],
  ])('%s', (_, table, spans) => {
    expect(ownSpans(table, 0).map(({ category, start, end }) => `${category} ${start}-${end}`)).toEqual(spans);
  });
});

describe('remarks', () => {
  const { registry } = compileSchema([
    {
      path: 'm.proto',
      content: `syntax = "proto3";
message M { oneof choice { int32 one = 1; string two = 2; } int32 plain = 3; M inner = 4; }`,
    },
  ]);
  const remarks = (hex: string): readonly string[] => {
    const bytes = Uint8Array.from(Buffer.from(hex.replaceAll(' ', ''), 'hex'));
    const { protobuf } = inspect(bytes, {
      type: registry.messages.get('M'),
      layoutOf: deriveLayouts(NATIVE_PROFILES[0]!),
    });
    return Array.from({ length: protobuf.table.length }, (_, row) => row).flatMap((row) =>
      remarksOfRow(protobuf, row).map((remark) => `${nameOfRow(protobuf, row)}: ${remark}`),
    );
  };
  const lost = (name: string, later: string) => `${name}: does not count: ${later} of the same oneof comes later`;

  test.each<[string, string, readonly string[]]>([
    ['one member of a oneof', '08 05', []],
    ['two of them: the first is reported', '08 05  18 01  12 01 61', [lost('one', 'two')]],
    [
      'three times',
      '12 01 61  08 05  12 01 62',
      [lost('two', 'one'), lost('one', 'two'), 'two: given again, the last counts'],
    ],
    ['one of them given twice', '08 05  08 06', ['one: given again, the last counts']],
    ['in messages of their own', '08 05  22 03 12 01 61', []],
    ['in an inner one', '22 05 12 01 61 08 05  08 01', [lost('two', 'one')]],
    ['a field given twice', '18 01  18 02', ['plain: given again, the last counts']],
  ])('%s', (_name, hex, expected) => {
    expect(remarks(hex)).toEqual(expected);
  });
});
