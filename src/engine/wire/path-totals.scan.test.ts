/** The scan of many messages is what their rows add up to, for any schema, damaged or not. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { arbitraryMessages } from '#testing/arbitrary-message.ts';
import { varintBigInt, varintWidth } from '../bytes/varint.ts';
import {
  type AnnotationTable,
  Flag,
  fieldAt,
  flagsAt,
  payloadCategoryAt,
  payloadEndAt,
  slotAt,
  startAt,
  WireType,
  wireTypeAt,
} from '../model/annotation.ts';
import type { FieldType } from '../schema/descriptor.ts';
import { annotate } from './annotate.ts';
import { tagWidth } from './encoding-facts.ts';
import { inferDescriptor } from './infer-descriptor.ts';
import { packedElements } from './packed.ts';
import { addRows, emptyLedger, type PathLedger, rowPaths } from './path-totals.ts';
import { pathText } from './path-tree.ts';
import { Scan } from './scan.ts';
import { statisticsAt } from './statistics.ts';

const damage = fc.array(fc.record({ at: fc.nat(), cut: fc.boolean(), byte: fc.nat({ max: 255 }) }), { maxLength: 3 });

/** Bytes of the shortest varint that a reader of the type takes for the same value. */
function shortest(value: bigint, type: FieldType | undefined): number {
  let proper = value;
  if (type === 'int32' || type === 'enum') proper = BigInt.asUintN(64, BigInt.asIntN(32, value));
  else if (type === 'uint32' || type === 'sint32') proper = BigInt.asUintN(32, value);
  else if (type === 'bool') proper = value === 0n ? 0n : 1n;
  return varintWidth(Number(proper & 0xffffffffn) | 0, Number(proper >> 32n) | 0);
}

/** Bytes of tag, length, value and end tag that the row would not need. */
function overlongBytes(table: AnnotationTable, bytes: Uint8Array, row: number): number {
  const index = fieldAt(table, row);
  const field = index < 0 ? undefined : table.fields[index]!;
  const [tag, length, end] = [slotAt(table, row, 0), slotAt(table, row, 1), slotAt(table, row, 2)];
  const tagEnd = startAt(table, row) + tag;
  const shortTag = tagWidth(field?.number ?? -2 - index);
  let overlong = tag - shortTag + (end > 0 ? end - shortTag : 0);
  if (length > 0) overlong += length - shortest(varintBigInt(bytes, tagEnd, tagEnd + length), undefined);
  if (payloadCategoryAt(table, row) === 'unattributed') return overlong;
  // A negative int32 without its sign extension is shorter than it should be: that makes up for nothing.
  const value = (start: number, stop: number) =>
    Math.max(0, stop - start - shortest(varintBigInt(bytes, start, stop), field?.type));
  if (wireTypeAt(table, row) === WireType.VARINT) overlong += value(tagEnd, payloadEndAt(table, row));
  if ((flagsAt(table, row) & Flag.PACKED) !== 0 && !/fixed|float|double/.test(field!.type)) {
    const { offsets } = packedElements(table, bytes, row, field!);
    for (let i = 0; i + 1 < offsets.length; i++) overlong += value(offsets[i]!, offsets[i + 1]!);
  }
  return overlong;
}

/** Adds what rows are longer than they need to be by field path; rows say by a flag whether they are. */
function addOverlong(sums: Map<string, number>, table: AnnotationTable, bytes: Uint8Array): void {
  const { path, paths } = rowPaths(table);
  for (let row = 1; row < table.length; row++) {
    if (fieldAt(table, row) === -1) continue;
    const overlong = overlongBytes(table, bytes, row);
    expect((flagsAt(table, row) & Flag.OVERLONG) !== 0).toBe(overlong > 0);
    if (path[row]! >= 0 && overlong > 0) {
      const name = pathText(paths, table, path[row]!);
      sums.set(name, (sums.get(name) ?? 0) + overlong);
    }
  }
}

test('scan and rows agree by field path', () => {
  fc.assert(
    fc.property(
      arbitraryMessages({ any: true }),
      damage,
      fc.boolean(),
      fc.boolean(),
      (given, changes, areTogether, isGuess) => {
        const { messages } = given;
        const type = isGuess ? inferDescriptor(messages.slice(0, 1)) : given.type;
        const scan = new Scan(type);
        const alone = new Scan(type);
        const entered: Uint8Array[] = [];
        const flags: number[] = [];
        const ledger = emptyLedger();
        const overlong = new Map<string, number>();
        for (const message of messages) {
          let bytes = message.slice();
          for (const { at, cut, byte } of changes) {
            if (bytes.length === 0) break;
            if (cut) bytes = bytes.slice(0, at % bytes.length);
            else bytes[at % bytes.length] = byte;
          }
          entered.push(bytes);
          flags.push((areTogether ? alone : scan).add(bytes, 0, bytes.length));
          const { table } = annotate(bytes, type);
          addRows(ledger, table, bytes);
          addOverlong(overlong, table, bytes);
        }
        if (areTogether && entered.length > 0) {
          let size = 1;
          const ends = Uint32Array.from(entered, (bytes) => (size += bytes.length));
          // Other bytes lie in front of the first message.
          const joined = new Uint8Array(Buffer.concat([Uint8Array.of(255), ...entered]));
          expect([...scan.addMany(joined, 1, ends, 0, ends.length)]).toEqual(flags);
          expect(scan.messages).toBe(entered.length);
        }
        const scanned = new Map<string, PathLedger>();
        const scannedOverlong = new Map<string, number>();
        for (let row = 0; row < scan.plan.rows; row++) {
          const { number, records, elements, packedRuns, tag, length, value } = statisticsAt(scan, row);
          if (records === 0) continue;
          const waste = statisticsAt(scan, row).overlong;
          if (waste > 0) scannedOverlong.set(scan.plan.pathOf(row), waste);
          scanned.set(scan.plan.pathOf(row), {
            number,
            occurrences: records,
            elements,
            packedRuns,
            tag,
            length,
            value,
          });
        }
        expect(Object.fromEntries(scanned)).toEqual(Object.fromEntries(ledger.fields));
        expect(Object.fromEntries(scannedOverlong)).toEqual(Object.fromEntries(overlong));
        expect(scan.unattributed).toBe(ledger.unattributed);
      },
    ),
    { numRuns: 1000 },
  );
});

test('sums are kept after the memory of a large message is released', () => {
  const small = Uint8Array.of(8, 1, 0x1a, 2, 65, 66);
  const large = new Uint8Array(12 << 20);
  // Field 2 with all other bytes.
  large.set([0x12, 0xfb, 0xff, 0xff, 0x05]);
  const cells = (...order: readonly Uint8Array[]): unknown => {
    const scan = new Scan(undefined);
    for (const bytes of order) scan.add(bytes, 0, bytes.length);
    return [
      scan.unattributed,
      scan.messages,
      Array.from({ length: scan.plan.rows }, (_, row) => [
        scan.plan.pathOf(row),
        [...scan.cellsAt(row)].slice(2, 57),
      ]).sort(),
    ];
  };
  expect(cells(small, large, small)).toEqual(cells(small, small, large));
  expect(cells(small, large, small)).not.toEqual(cells(small, large));
});
