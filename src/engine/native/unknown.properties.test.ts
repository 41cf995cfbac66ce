/** A name that no layout has, anywhere in a message: what was read before it stays, and nothing behind it is read. */

import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { arbitraryMessages } from '#testing/arbitrary-message.ts';
import { arbitraryWire } from '#testing/arbitrary-wire.ts';
import { columnsOf } from '#testing/table-columns.ts';
import { readSchemaFiles } from '../../cli/schema-files.ts';
import { endAt, fieldAt, payloadCategoryAt, startAt } from '../model/annotation.ts';
import { compileSchema } from '../schema/compile.ts';
import type { MessageDescriptor } from '../schema/descriptor.ts';
import { annotate } from '../wire/annotate.ts';
import { deriveLayouts } from './derive.ts';
import type { LayoutOf } from './layout.ts';
import { SCHEMA_LAYOUT_PROFILE } from './profiles.ts';
import { type NativeRead, readNative } from './read.ts';
import { unattributedBytes } from './roll-up.ts';
import { writeNative } from './write.ts';

const OPTIONS = {
  path: 'native/options.proto',
  content: readFileSync(new URL('../../../schemas/native/options.proto', import.meta.url), 'utf8'),
};

/** The row `name` becomes a name that no layout has: rows before it stay, and nothing is attributed after it. */
function expectNothingAfter(
  name: number,
  bytes: Uint8Array,
  whole: NativeRead['table'],
  type: MessageDescriptor,
  layoutOf: LayoutOf,
): void {
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
        expectNothingAfter(name, bytes, whole, type, layoutOf);
      }
    }),
    { numRuns: 500, endOnFailure: true },
  );
  expect(unknown).toBeGreaterThan(8);
});

const bundled = compileSchema(await readSchemaFiles([new URL('../../../schemas', import.meta.url).pathname])).registry;
const laidOut = [...bundled.messages.values()].filter(
  ({ fullName, isMapEntry }) =>
    !isMapEntry && /^org\.(opensearch\.(?!protobufs\.)|apache\.|elasticsearch\.)/.test(fullName),
);

test('an unknown name in any position of any message that the app has a layout for', () => {
  const layoutOf = deriveLayouts(SCHEMA_LAYOUT_PROFILE);
  let unknown = 0;
  /** Choices by name of which no message held a member. */
  const unmet = new Set(
    laidOut.flatMap(({ oneofs }) => oneofs).filter(({ options }) => options['wirecost.native.chosen_by'] === 'BY_NAME'),
  );
  const choices = unmet.size;
  for (const [at, type] of laidOut.entries()) {
    for (const message of fc.sample(arbitraryWire(type, { odd: false }), { numRuns: 5, seed: at })) {
      const { bytes } = writeNative(message, annotate(message, type).table, layoutOf(type), layoutOf);
      const { table: whole, diagnostics } = readNative(bytes, layoutOf(type), layoutOf);
      // A number that its writer does not hold ends what is read.
      if (diagnostics.length > 0) continue;
      for (let name = 1; name < whole.length; name++) {
        if (payloadCategoryAt(whole, name) !== 'type') continue;
        unmet.delete(whole.fields[fieldAt(whole, name)]!.oneof!);
        unknown++;
        expectNothingAfter(name, bytes, whole, type, layoutOf);
      }
    }
  }
  expect([...unmet].map(({ fullName }) => fullName)).toEqual([]);
  expect(choices).toBeGreaterThan(20);
  expect(unknown).toBeGreaterThan(1000);
});

test('a list whose end is a text, of elements that may take no bytes, is not read', () => {
  const text = unknownRest('repeated Nothing a = 1 [(wirecost.native.ends_with) = "x"];');
  expect(text).toBe('native/unknown-end');
});

test('a “rest” field is read only at the end of the message', () => {
  // In options.test.ts are the bytes of REST at the end.
  expect(unknownRest('bytes a = 1 [(wirecost.native.write) = REST]; bytes b = 2;')).toBe('native/unknown-end');
  expect(unknownRest('bytes a = 1 [(wirecost.native.write) = REST];')).toBeUndefined();
});

function unknownRest(fields: string): string | undefined {
  const { registry } = compileSchema([
    OPTIONS,
    {
      path: 'a.proto',
      content: `syntax = "proto3"; import "native/options.proto"; message M { ${fields} } message Nothing {}`,
    },
  ]);
  const layoutOf = deriveLayouts(SCHEMA_LAYOUT_PROFILE);
  const type = registry.messages.get('M')!;
  return readNative(Uint8Array.of(1, 2, 3), layoutOf(type), layoutOf).diagnostics[0]?.code;
}
