/** The first bytes of a large record have the rows that the whole record has there. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compileProto } from '#testing/arbitrary-message.ts';
import { arbitraryProto } from '#testing/arbitrary-schema.ts';
import { arbitraryWire } from '#testing/arbitrary-wire.ts';
import {
  type AnnotationTable,
  endAt,
  Flag,
  fieldAt,
  flagsAt,
  headerSizesAt,
  parentAt,
  payloadCategoryAt,
  startAt,
} from '../model/annotation.ts';
import { compileSchema } from '../schema/compile.ts';
import { annotate } from '../wire/annotate.ts';
import { describeRow } from '../wire/value.ts';
import { inspectCut } from './cut-message.ts';

function rowsUpTo(table: AnnotationTable, end: number, isWhole: (row: number) => boolean): readonly string[] {
  const rows: string[] = [];
  for (let row = 0; row < table.length; row++) {
    if (startAt(table, row) >= end && row > 0) continue;
    const name = table.fields[fieldAt(table, row)]?.fullName ?? fieldAt(table, row);
    const facts = [startAt(table, row), Math.min(end, endAt(table, row)), parentAt(table, row), name];
    // A run may lack the elements that its remarks are about.
    const flags = isWhole(row) ? flagsAt(table, row) : payloadCategoryAt(table, row);
    rows.push([...facts, headerSizesAt(table, row), flags].join(' '));
  }
  return rows;
}

/** A varint of the width that it needs. */
function varint(value: number): number[] {
  const bytes = [];
  let rest = value;
  for (; rest > 0x7f; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80);
  return [...bytes, rest];
}

const arbitraryRecord = arbitraryProto
  // A group is read by its end.
  .filter((proto) => !proto.includes('group'))
  .chain((proto) => {
    const wrapped = `${proto}\nmessage Outer { repeated A inner = 1; }`;
    const outer = compileSchema([{ path: 'random.proto', content: wrapped }]).registry.messages.get('random.Outer')!;
    return fc.record({
      type: fc.constant(outer),
      // Unknown fields may be groups.
      message: arbitraryWire(compileProto(proto), { unknown: false }),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
    });
  })
  .map(({ type, message, share }) => {
    const prefix = [0x0a, ...varint(message.length)];
    const bytes = Uint8Array.from([...prefix, ...message]);
    return { type, bytes, size: prefix.length + Math.floor(share * message.length) };
  });

test('its rows are those of the whole record, as far as they go, and all bytes are explained', () => {
  fc.assert(
    fc.property(arbitraryRecord, ({ type, bytes, size }) => {
      const first = bytes.slice(0, size);
      const { protobuf } = inspectCut(first, type);
      const end = protobuf.bytes.length;
      // A varint, with its tag, or an element takes at most 15 bytes; a character fewer.
      expect(size - end).toBeLessThan(20);
      expect(protobuf.bytes).toEqual(bytes.subarray(0, end));
      const whole = annotate(bytes, type).table;
      expect(endAt(protobuf.table, 0)).toBe(end);
      expect(rowsUpTo(protobuf.table, end, (row) => endAt(whole, row) <= end)).toEqual(
        rowsUpTo(whole, end, (row) => endAt(whole, row) <= end),
      );
    }),
    { numRuns: 500 },
  );
});

const unhex = (hex: string) => Uint8Array.from(hex.split(' '), (byte) => Number.parseInt(byte, 16));

const { registry } = compileSchema([
  {
    path: 't.proto',
    content: `syntax = "proto3"; package t;
message Box { string text = 1; repeated float floats = 2; repeated int32 ints = 3; bytes raw = 4; Box box = 5; }`,
  },
]);

test.each([
  {
    what: 'a text ends before a character that is cut',
    hex: '0a 06 61 62 c3',
    rows: ['0 4', '0 4'],
    last: 'of 6 bytes, the first "ab"',
  },
  {
    what: 'a text ends after a character that is whole',
    hex: '0a 06 61 c3 bc',
    rows: ['0 5', '0 5'],
    last: 'of 6 bytes, the first "aü"',
  },
  {
    what: 'a run ends with its last whole element',
    hex: '12 08 00 00 80 3f 00 00',
    rows: ['0 6', '0 6'],
    last: 'of 8 bytes, the first 1 element: 1',
  },
  {
    what: 'a run of varints, too',
    hex: '1a 05 01 96 01 96',
    rows: ['0 5', '0 5'],
    last: 'of 5 bytes, the first 2 elements: 1, 150',
  },
  {
    what: 'bytes are any bytes',
    hex: '22 03 ff c3',
    rows: ['0 4', '0 4'],
    last: 'of 3 bytes, the first 2 bytes: ff c3',
  },
  {
    what: 'a record in a record that continues',
    hex: '2a 08 0a 01 61 22 03 ff',
    rows: ['0 8', '0 8', '2 5', '5 8'],
    last: 'of 3 bytes, the first 1 byte: ff',
  },
  {
    what: 'before a number that is cut',
    hex: '2a 08 0a 01 61 18 96',
    rows: ['0 5', '0 5', '2 5'],
    last: '"a"',
  },
  {
    what: 'bytes that cannot be a record stay unattributed',
    hex: '2a 08 0a 01 61 07 07',
    rows: ['0 7', '0 7', '2 5', '5 7'],
    last: '2 bytes that cannot be read: 07 07',
  },
])('$what', ({ hex, rows, last }) => {
  const bytes = unhex(hex);
  const { protobuf, native, diagnostics } = inspectCut(bytes, registry.messages.get('t.Box'));
  const { table } = protobuf;
  expect(Array.from({ length: table.length }, (_, row) => `${startAt(table, row)} ${endAt(table, row)}`)).toEqual(rows);
  expect(describeRow(table, protobuf.bytes, table.length - 1).value).toBe(last);
  expect([native, diagnostics]).toEqual([null, []]);
  // Captured bytes stay as they are, and the lengths in them are not longer than they need to be.
  expect(bytes).toEqual(unhex(hex));
  expect(Array.from({ length: table.length }, (_, row) => flagsAt(table, row) & Flag.OVERLONG)).toEqual(
    rows.map(() => 0),
  );
});
