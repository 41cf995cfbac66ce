/** The scan of many messages is what their rows add up to, for any schema, damaged or not. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { arbitraryMessages } from '#testing/arbitrary-message.ts';
import { annotate } from './annotate.ts';
import { addRows, emptyLedger, type PathLedger } from './row-ledger.ts';
import { Scan } from './scan.ts';
import { statisticsAt } from './statistics.ts';

const damage = fc.array(fc.record({ at: fc.nat(), cut: fc.boolean(), byte: fc.nat({ max: 255 }) }), { maxLength: 3 });

test('scan and rows agree by field path', () => {
  fc.assert(
    fc.property(arbitraryMessages(), damage, ({ type, messages }, changes) => {
      const scan = new Scan(type);
      const ledger = emptyLedger();
      for (const message of messages) {
        let bytes = message.slice();
        for (const { at, cut, byte } of changes) {
          if (bytes.length === 0) break;
          if (cut) bytes = bytes.slice(0, at % bytes.length);
          else bytes[at % bytes.length] = byte;
        }
        scan.add(bytes, 0, bytes.length);
        addRows(ledger, annotate(bytes, type).table, bytes);
      }
      const scanned = new Map<string, PathLedger>();
      for (let row = 0; row < scan.plan.rows; row++) {
        const { number, records, elements, packedRuns, tag, length, value } = statisticsAt(scan, row);
        if (records === 0) continue;
        scanned.set(scan.plan.pathOf(row), { number, occurrences: records, elements, packedRuns, tag, length, value });
      }
      expect(Object.fromEntries(scanned)).toEqual(Object.fromEntries(ledger.fields));
      expect(scan.unattributed).toBe(ledger.unattributed);
    }),
    { numRuns: 1000 },
  );
});
