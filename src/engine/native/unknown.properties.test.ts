/** A name that no layout has, anywhere in a message: what was read before it stays, and nothing behind it is read. */

import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { arbitraryMessages } from '#testing/arbitrary-message.ts';
import { columnsOf } from '#testing/table-columns.ts';
import { endAt, payloadCategoryAt, startAt } from '../model/annotation.ts';
import { compileSchema } from '../schema/compile.ts';
import { annotate } from '../wire/annotate.ts';
import { deriveLayouts } from './derive.ts';
import { SCHEMA_LAYOUT_PROFILE } from './profiles.ts';
import { readNative } from './read.ts';
import { unattributedBytes } from './roll-up.ts';
import { writeNative } from './write.ts';

const OPTIONS = {
  path: 'native/options.proto',
  content: readFileSync(new URL('../../../schemas/native/options.proto', import.meta.url), 'utf8'),
};

test('an unknown name in any position: no byte after it is attributed, up to the end of the blob around it', () => {
  let unknown = 0;
  fc.assert(
    fc.property(arbitraryMessages({ native: { lossless: true } }), ({ type, messages }) => {
      const layoutOf = deriveLayouts(SCHEMA_LAYOUT_PROFILE);
      const { bytes } = writeNative(messages[0]!, annotate(messages[0]!, type).table, layoutOf(type), layoutOf);
      const whole = readNative(bytes, layoutOf(type), layoutOf).table;
      for (let name = 1; name < whole.length; name++) {
        if (payloadCategoryAt(whole, name) !== 'type') continue;
        unknown++;
        const changed = bytes.slice();
        changed[endAt(whole, name) - 1] = 0x21;
        const { table, diagnostics } = readNative(changed, layoutOf(type), layoutOf);
        expect(diagnostics).toMatchObject([{ code: 'native/unknown-name', start: startAt(whole, name) }]);
        const [changedColumns, wholeColumns] = [columnsOf(table), columnsOf(whole)];
        for (const column of ['start', 'end', 'field', 'head'] as const) {
          // Rows that hold the name end elsewhere.
          for (let row = 1; row < name; row++) {
            if (column !== 'end' || endAt(whole, row) <= startAt(whole, name)) {
              expect(changedColumns[column][row]).toBe(wholeColumns[column][row]);
            }
          }
        }
        const { end } = diagnostics[0]!;
        expect(unattributedBytes(table)).toBe(end - endAt(whole, name));
        for (let row = name + 1; row < table.length; row++) {
          const isBehind = startAt(table, row) >= end;
          expect(isBehind || payloadCategoryAt(table, row) === 'unattributed').toBe(true);
        }
      }
    }),
    { numRuns: 500, endOnFailure: true },
  );
  expect(unknown).toBeGreaterThan(8);
});

test('a rest that fields follow is not read; one that ends the message is', () => {
  // In options.test.ts are the bytes of REST at the end.
  expect(unknownRest('bytes a = 1 [(wirecost.native.write) = REST]; bytes b = 2;')).toBe('native/unknown-end');
  expect(unknownRest('bytes a = 1 [(wirecost.native.write) = REST];')).toBeUndefined();
});

function unknownRest(fields: string): string | undefined {
  const { registry } = compileSchema([
    OPTIONS,
    { path: 'a.proto', content: `syntax = "proto3"; import "native/options.proto"; message M { ${fields} }` },
  ]);
  const layoutOf = deriveLayouts(SCHEMA_LAYOUT_PROFILE);
  const type = registry.messages.get('M')!;
  return readNative(Uint8Array.of(1, 2, 3), layoutOf(type), layoutOf).diagnostics[0]?.code;
}
