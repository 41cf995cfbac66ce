import fc from 'fast-check';
import { expect, test } from 'vitest';
import { annotate } from '#engine/wire/annotate.ts';
import { inferDescriptor } from '#engine/wire/infer-descriptor.ts';
import { readingsOfRow, readingsTitle } from './row-readings.ts';

const bytes = Uint8Array.from([0x0a, 3, 0x6a, 0x6f, 0x62, 0x10, 0xac, 2]);

test.each([
  ['a guessed type', inferDescriptor([bytes])],
  ['no type', undefined],
])('%s: every reading, best first', (_, type) => {
  const side = { table: annotate(bytes, type).table, bytes };
  expect([1, 2].map((row) => readingsOfRow(side, row).map(({ reading }) => reading))).toEqual([
    ['string', 'packed varint', 'bytes'],
    ['uint64', 'sint64'],
  ]);
  expect(readingsOfRow(side, 0)).toEqual([]);
  expect(readingsTitle(readingsOfRow(side, 1)).split('\n')[1]).toBe(
    'string "job". Valid UTF-8 without control characters.',
  );
});

test('any bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), (any) => {
      for (const type of [undefined, inferDescriptor([any])]) {
        const { table } = annotate(any, type);
        for (let row = 0; row < table.length; row++) readingsOfRow({ table, bytes: any }, row);
      }
    }),
    { numRuns: 1000 },
  );
});
