/** The native side holds together: measured, written and read sizes agree, and values survive the way there and back. */

import fc from 'fast-check';
import protobuf from 'protobufjs';
import { describe, expect, test } from 'vitest';
import { arbitraryMessages } from '#testing/arbitrary-message.ts';
import { columnsOf } from '#testing/table-columns.ts';
import { totalIn } from '../cost/profile.ts';
import { Ledgers } from '../cost/type-profiler.ts';
import { endAt, parentAt, startAt } from '../model/annotation.ts';
import type { MessageDescriptor } from '../schema/descriptor.ts';
import { annotate } from '../wire/annotate.ts';
import { Scan } from '../wire/scan.ts';
import { deriveLayouts } from './derive.ts';
import { isMeasurable, measureNative, NATIVE_CELLS } from './measure.ts';
import { NATIVE_PROFILES, type NativeProfile } from './profiles.ts';
import { readNative } from './read.ts';
import { rollUpNative } from './roll-up.ts';
import { toWire } from './to-wire.ts';
import { writeNative } from './write.ts';

/** The first counterexample will do: shrinking compiles a schema a step. */
const RUNS = { numRuns: 1000, endOnFailure: true };
const anyProfile = fc.constantFrom(...NATIVE_PROFILES);

function write(bytes: Uint8Array, type: MessageDescriptor, profile: NativeProfile) {
  const layoutOf = deriveLayouts(profile);
  const written = writeNative(bytes, annotate(bytes, type).table, layoutOf(type), layoutOf);
  return { ...written, layoutOf };
}

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

/** Values as a second runtime reads them; NaN, 64-bit integers and map order compare as text. */
function decode(proto: string, bytes: Uint8Array): string {
  const decoder = protobuf.parse(proto, new protobuf.Root(), { keepCase: true }).root.lookupType('random.A');
  const options = { longs: String, bytes: String, json: false };
  return JSON.stringify(decoder.toObject(decoder.decode(bytes), options), (_, value) =>
    typeof value === 'number' && !Number.isFinite(value) ? String(value) : Object.is(value, -0) ? '-0' : value,
  );
}

describe('under any profile', () => {
  test('the written size equals the measured size, for any message', () => {
    fc.assert(
      fc.property(anyProfile, arbitraryMessages({ odd: true, any: true }), (profile, { type, messages }) => {
        const ledgers = new Ledgers(type, profile);
        let bytes = 0;
        for (const message of messages) {
          ledgers.add(message);
          bytes += write(message, type, profile).bytes.length;
        }
        expect(totalIn(ledgers.profile(), profile.id)).toBe(bytes);
      }),
      RUNS,
    );
  });

  test('a canonical message is measured without being written, field by field', () => {
    fc.assert(
      fc.property(
        anyProfile,
        arbitraryMessages({ odd: false, maxMessages: 1 }),
        (profile, { type, messages: [message] }) => {
          const { table, layoutOf } = write(message!, type, profile);
          const scan = new Scan(type);
          scan.add(message!, 0, message!.length);
          const measured = measureNative(scan, layoutOf, new Float64Array(scan.plan.rows * NATIVE_CELLS));
          const written = rollUpNative(table, scan.plan, new Float64Array(0));
          for (let row = 0; row < scan.plan.rows; row++) {
            const field = scan.plan.field[row];
            const layout = field && layoutOf(field.parent).fields.find((laidOut) => laidOut.field === field);
            if (layout !== undefined && !isMeasurable(layout)) continue;
            const at = (cells: Float64Array) => [...cells.subarray(row * NATIVE_CELLS, (row + 1) * NATIVE_CELLS)];
            const padded = (cells: number[]) => [...cells, ...new Array<number>(NATIVE_CELLS - cells.length).fill(0)];
            expect(padded(at(measured)), scan.plan.pathOf(row)).toEqual(padded(at(written)));
          }
        },
      ),
      RUNS,
    );
  });

  test('reading gives the rows that writing gave', () => {
    fc.assert(
      fc.property(
        anyProfile,
        arbitraryMessages({ odd: true, maxMessages: 1 }),
        (profile, { type, messages: [message] }) => {
          const { bytes, table, layoutOf } = write(message!, type, profile);
          const read = readNative(bytes, layoutOf(type), layoutOf);
          expect(read.diagnostics).toEqual([]);
          expect(read.table.length).toBe(table.length);
          expect(columnsOf(read.table).start).toEqual(columnsOf(table).start);
          expect(columnsOf(read.table).end).toEqual(columnsOf(table).end);
          expect(columnsOf(read.table).parent).toEqual(columnsOf(table).parent);
          expect(columnsOf(read.table).head).toEqual(columnsOf(table).head);
        },
      ),
      RUNS,
    );
  });

  test('values survive protobuf to native to protobuf', () => {
    fc.assert(
      fc.property(
        anyProfile,
        arbitraryMessages({ odd: false, maxMessages: 1 }),
        (profile, { proto, type, messages: [message] }) => {
          const { bytes, layoutOf } = write(message!, type, profile);
          const back = toWire(bytes, readNative(bytes, layoutOf(type), layoutOf));
          expect(back.diagnostics).toEqual([]);
          // Native twice is the stronger check: it compares NaN bits, map order and what a decoder would fold.
          expect(hex(write(back.bytes, type, profile).bytes)).toBe(hex(bytes));
          expect(decode(proto, back.bytes)).toBe(decode(proto, message!));
        },
      ),
      RUNS,
    );
  });
});

test('reading any bytes tiles them and never throws', () => {
  const profile = NATIVE_PROFILES[0]!;
  fc.assert(
    fc.property(arbitraryMessages({ maxMessages: 1 }), fc.uint8Array({ maxLength: 64 }), ({ type }, bytes) => {
      const layoutOf = deriveLayouts(profile);
      const { table, diagnostics } = readNative(bytes, layoutOf(type), layoutOf);
      const children = new Map<number, number[]>();
      for (let row = 1; row < table.length; row++) {
        const parent = parentAt(table, row);
        children.set(parent, [...(children.get(parent) ?? []), row]);
      }
      expect([startAt(table, 0), endAt(table, 0)]).toEqual([0, bytes.length]);
      for (const [parent, rows] of children) {
        expect(endAt(table, rows.at(-1)!)).toBe(endAt(table, parent));
        rows.slice(1).forEach((row, at) => {
          expect(startAt(table, row)).toBe(endAt(table, rows[at]!));
        });
      }
      for (const { start, end } of diagnostics) expect(start).toBeLessThanOrEqual(end);
    }),
    RUNS,
  );
});
