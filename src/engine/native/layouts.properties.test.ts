/** Random schemas with random native options: what is measured is written, and read back to the last byte. */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { arbitraryMessages } from '#testing/arbitrary-message.ts';
import { columnsOf } from '#testing/table-columns.ts';
import { compareFieldCost, compareProfile } from '../cost/compare.ts';
import { bytesIn, type FieldProfile, PROTOBUF, totalIn } from '../cost/profile.ts';
import { Ledgers } from '../cost/type-profiler.ts';
import type { MessageDescriptor } from '../schema/descriptor.ts';
import { annotate } from '../wire/annotate.ts';
import { type DeriveOptions, deriveLayouts } from './derive.ts';
import { SCHEMA_LAYOUT_PROFILE } from './profiles.ts';
import { readNative } from './read.ts';
import { toWire } from './to-wire.ts';
import { parseVersion } from './version.ts';
import { nativeBytes, writeNative } from './write.ts';

function write(bytes: Uint8Array, type: MessageDescriptor, options?: DeriveOptions) {
  const layoutOf = deriveLayouts(SCHEMA_LAYOUT_PROFILE, {}, options);
  return { ...writeNative(bytes, annotate(bytes, type).table, layoutOf(type), layoutOf), layoutOf };
}

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0);

/** The newest version whose layouts these are. */
const NEWEST = '2.19.2';

/** A message that was written is read in the same rows, through protobuf gives the same bytes again, and costs the same. */
function readsBack(message: Uint8Array, type: MessageDescriptor, version: string): boolean {
  const at = { version: parseVersion(version)! };
  const { bytes, table, layoutOf, diagnostics } = write(message, type, at);
  if (diagnostics.some(({ code }) => code === 'native/overflow' || code === 'native/size-differs')) return false;
  expect(hex(nativeBytes(message, annotate(message, type).table, layoutOf(type), layoutOf))).toBe(hex(bytes));
  const read = readNative(bytes, layoutOf(type), layoutOf);
  expect(read.diagnostics).toEqual([]);
  const [own, again] = [columnsOf(table), columnsOf(read.table)];
  for (const column of ['start', 'end', 'parent', 'head'] as const) expect(again[column]).toEqual(own[column]);
  const back = toWire(bytes, read);
  const wire = back.bytes.slice();
  if (back.diagnostics.length > 0) {
    // Values that only the stream has are lost on the way, and with them fields whose condition they are.
    expect(new Set(back.diagnostics.map(({ code }) => code))).toEqual(new Set(['native/native-only']));
    const again = write(wire, type, at).bytes;
    expect(readNative(again, layoutOf(type), layoutOf).diagnostics).toEqual([]);
    return true;
  }
  expect(hex(write(wire, type, at).bytes)).toBe(hex(bytes));
  const captured = new Ledgers(type, SCHEMA_LAYOUT_PROFILE);
  captured.addNative(bytes, read);
  const made = new Ledgers(type, SCHEMA_LAYOUT_PROFILE);
  made.add(wire);
  if (version === NEWEST) expect(costsOf(captured)).toEqual(costsOf(made));
  else expect(captured.profile().fields.filter(isOutside)).toEqual([]);
  return true;
}

/** Its native bytes are of no field of the layout. */
const isOutside = (field: FieldProfile): boolean =>
  field.writer === null && bytesIn(field, SCHEMA_LAYOUT_PROFILE.id) > 0;

/** The costs of other writers are not known for captured messages. */
const costsOf = (ledgers: Ledgers) => ({
  ...ledgers.profile(),
  fields: ledgers.profile().fields.map(({ writers: _, ...field }) => field),
});

test('measured, written and read sizes are equal unless a number did not fit, and causes sum to the difference', () => {
  let whole = 0;
  fc.assert(
    fc.property(arbitraryMessages({ native: { lossless: false } }), ({ type, messages }) => {
      const ledgers = new Ledgers(type, SCHEMA_LAYOUT_PROFILE);
      for (const message of messages) ledgers.add(message);
      const profile = ledgers.profile();
      expect(totalIn(profile, SCHEMA_LAYOUT_PROFILE.id)).toBe(
        sum(messages.map((message) => write(message, type).bytes.length)),
      );
      const difference = totalIn(profile, PROTOBUF) - totalIn(profile, SCHEMA_LAYOUT_PROFILE.id);
      expect(sum(compareProfile(profile).map(({ bytes }) => bytes))).toBe(difference);
      for (const field of profile.fields) {
        const own = bytesIn(field, PROTOBUF) - bytesIn(field, SCHEMA_LAYOUT_PROFILE.id);
        expect(sum(compareFieldCost(field, profile.pair).map(({ bytes }) => bytes)), field.path).toBe(own);
      }
      for (const version of ['1.3.0', NEWEST]) {
        for (const message of messages) if (readsBack(message, type, version)) whole++;
      }
    }),
    // The first counterexample will do: shrinking compiles a schema a step.
    { numRuns: 600, endOnFailure: true },
  );
  expect(whole).toBeGreaterThan(1000);
});
