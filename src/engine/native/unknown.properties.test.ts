/** A name or a type's number that no layout has, anywhere in a message: what was read before it stays, and nothing behind it is read. */

import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { arbitraryMessages } from '#testing/arbitrary-message.ts';
import { arbitraryWire } from '#testing/arbitrary-wire.ts';
import { columnsOf } from '#testing/table-columns.ts';
import { readSchemaFiles } from '../../cli/inputs/schema-files.ts';
import { endAt, fieldAt, payloadCategoryAt, slotAt, startAt } from '../model/annotation.ts';
import { compileSchema } from '../schema/compile.ts';
import type { MessageDescriptor } from '../schema/descriptor.ts';
import { annotate } from '../wire/annotate.ts';
import { deriveLayouts } from './derive.ts';
import { type LayoutOf, NativeSlot } from './layout.ts';
import { SCHEMA_LAYOUT_PROFILE } from './profiles.ts';
import { type NativeRead, readNative } from './read.ts';
import { unattributedBytes } from './roll-up.ts';
import { writeNative } from './write.ts';

/** Each byte of a number that no layout has. */
const UNKNOWN_NUMBER = 0xf7;

const OPTIONS = {
  path: 'native/options.proto',
  content: readFileSync(new URL('../../../schemas/native/options.proto', import.meta.url), 'utf8'),
};

/** Rows before the unknown name or number, which begins at `start` in the row `at`, stay; nothing is attributed from `from` on. */
function expectNothingAfter(
  { at, start, from, code }: { at: number; start: number; from: number; code: string },
  whole: NativeRead['table'],
  { table, diagnostics }: NativeRead,
): void {
  expect(diagnostics).toMatchObject([{ code, start }]);
  const [changedColumns, wholeColumns] = [columnsOf(table), columnsOf(whole)];
  // An assertion for each row takes longer than all else.
  const wrong: string[] = [];
  for (const column of ['start', 'end', 'field', 'head'] as const) {
    // Rows that hold what is unknown end elsewhere.
    for (let row = 1; row < at; row++) {
      const isBefore = column !== 'end' || endAt(whole, row) <= start;
      if (isBefore && changedColumns[column][row] !== wholeColumns[column][row]) wrong.push(`${column} of row ${row}`);
    }
  }
  const { end } = diagnostics[0]!;
  expect(unattributedBytes(table)).toBe(end - from);
  for (let row = at; row < table.length; row++) {
    const isOutside = startAt(table, row) >= end || (row === at && from > start);
    if (!isOutside && payloadCategoryAt(table, row) !== 'unattributed') wrong.push(`category of row ${row}`);
  }
  expect(wrong).toEqual([]);
}

/** Every name becomes one that no layout has, one after the other. @returns how many */
function changeNames(
  bytes: Uint8Array,
  whole: NativeRead['table'],
  type: MessageDescriptor,
  layoutOf: LayoutOf,
): number {
  let count = 0;
  for (let at = 1; at < whole.length; at++) {
    if (payloadCategoryAt(whole, at) !== 'type') continue;
    count++;
    const changed = bytes.slice();
    changed[endAt(whole, at) - 1] = 0x21;
    const place = { at, start: startAt(whole, at), from: endAt(whole, at), code: 'native/unknown-name' };
    expectNothingAfter(place, whole, readNative(changed, layoutOf(type), layoutOf));
  }
  return count;
}

/** Every number of a type becomes one that no layout has, one after the other. @returns how many */
function changeNumbers(
  bytes: Uint8Array,
  whole: NativeRead['table'],
  type: MessageDescriptor,
  layoutOf: LayoutOf,
): number {
  let count = 0;
  for (let at = 1; at < whole.length; at++) {
    const size = slotAt(whole, at, NativeSlot.TYPE);
    const members = whole.fields[fieldAt(whole, at)]?.oneof?.fields ?? [];
    if (size === 0 || members.some(({ options }) => options['wirecost.native.any_type'] === true)) continue;
    count++;
    const start = startAt(whole, at);
    const changed = bytes.slice();
    changed.fill(UNKNOWN_NUMBER, start, start + size - 1);
    // A VInt ends with a byte below 128.
    changed[start + size - 1] = UNKNOWN_NUMBER & 0x7f;
    const place = { at, start, from: start, code: 'native/unknown-type' };
    expectNothingAfter(place, whole, readNative(changed, layoutOf(type), layoutOf));
  }
  return count;
}

test('an unknown name in any position: no byte after it is attributed, up to the end of the blob around it', () => {
  let unknown = 0;
  fc.assert(
    fc.property(arbitraryMessages({ native: { lossless: true } }), ({ type, messages }) => {
      const layoutOf = deriveLayouts(SCHEMA_LAYOUT_PROFILE);
      const { bytes } = writeNative(messages[0]!, annotate(messages[0]!, type).table, layoutOf(type), layoutOf);
      const whole = readNative(bytes, layoutOf(type), layoutOf);
      // A size field that the message sets otherwise is written as it is: what follows cannot be read.
      fc.pre(whole.diagnostics.length === 0);
      unknown += changeNames(bytes, whole.table, type, layoutOf);
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

test('an unknown name or number in any position of any message that the app has a layout for', () => {
  const layoutOf = deriveLayouts(SCHEMA_LAYOUT_PROFILE);
  let unknown = 0;
  let numbers = 0;
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
      for (let row = 1; row < whole.length; row++) {
        if (payloadCategoryAt(whole, row) === 'type') unmet.delete(whole.fields[fieldAt(whole, row)]!.oneof!);
      }
      unknown += changeNames(bytes, whole, type, layoutOf);
      numbers += changeNumbers(bytes, whole, type, layoutOf);
    }
  }
  expect([...unmet].map(({ fullName }) => fullName)).toEqual([]);
  expect(choices).toBeGreaterThan(20);
  expect(unknown).toBeGreaterThan(1000);
  expect(numbers).toBeGreaterThan(1000);
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

test('a list up to the end, inside a message that is not at the end, takes no bytes of the next field', () => {
  const types = 'message Inner { repeated int32 list = 1 [(wirecost.native.count) = TO_END]; }';
  const inner = 'Inner inner = 1 [(wirecost.native.absent) = DEFAULT];';
  expect(unknownRest(`${inner} int32 next = 2;`, types)).toBe('native/unknown-end');
  // A blob has an end of its own: 7 bytes, of which 2 are there.
  const blob = 'Inner inner = 1 [(wirecost.native.absent) = DEFAULT, (wirecost.native.write) = BYTES];';
  expect(unknownRest(`${blob} int32 next = 2;`, types)).toBe('native/truncated');
});

// As OpenSearch reads the weights of a cluster state, where others follow: it asks only whether bytes are left.
test('a value that the end marks as absent is read where bytes are left, also those of fields around it', () => {
  const types =
    'message Inner { optional int32 value = 1 [(wirecost.native.write) = BYTE, (wirecost.native.absent) = AT_END]; }';
  const { diagnostics } = readFields(
    'Inner inner = 1 [(wirecost.native.absent) = DEFAULT]; int32 next = 2 [(wirecost.native.write) = SHORT];',
    types,
  );
  expect(diagnostics).toEqual([]);
});

test.each([
  ['a list up to the end', 'repeated Nothing a = 2 [(wirecost.native.count) = TO_END];', 'native/unknown-end'],
  ['more elements than bytes', 'repeated string a = 2 [(wirecost.native.sized_by) = "x"];', 'native/count-too-large'],
])('%s that cannot be read takes nothing of the field before it', (_, fields, code) => {
  const { table, diagnostics } = readFields(`int32 x = 1 [(wirecost.native.write) = BYTE]; ${fields}`);
  expect(diagnostics).toMatchObject([{ code, start: 1, end: 3 }]);
  const rows = Array.from({ length: table.length }, (_, row) => [
    table.fields[fieldAt(table, row)]?.name,
    startAt(table, row),
    endAt(table, row),
    payloadCategoryAt(table, row),
  ]);
  expect(rows.slice(1)).toEqual([
    ['x', 0, 1, 'value'],
    ['a', 1, 3, 'unattributed'],
  ]);
});

const unknownRest = (fields: string, types = ''): string | undefined => readFields(fields, types).diagnostics[0]?.code;

/** Reads the bytes 7, 2 and 3 as a message of these fields. */
function readFields(fields: string, types = ''): NativeRead {
  const { registry } = compileSchema([
    OPTIONS,
    {
      path: 'a.proto',
      content: `syntax = "proto3"; import "native/options.proto"; message M { ${fields} }
        message Nothing { string none = 1 [(wirecost.native.until) = "1.0.0"]; } ${types}`,
    },
  ]);
  const layoutOf = deriveLayouts(SCHEMA_LAYOUT_PROFILE);
  const type = registry.messages.get('M')!;
  return readNative(Uint8Array.of(7, 2, 3), layoutOf(type), layoutOf);
}
