/** Skimming is a shorter way to the same rows and the same findings, never another one. */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { arbitraryMessages } from '#testing/arbitrary-message.ts';
import { columnsOf } from '#testing/table-columns.ts';
import { readSchemaFiles } from '../../cli/inputs/schema-files.ts';
import { compileSchema } from '../schema/compile.ts';
import type { MessageDescriptor } from '../schema/descriptor.ts';
import { annotate } from '../wire/annotate.ts';
import { deriveLayouts } from './derive.ts';
import type { LayoutOf, MessageLayout } from './layout.ts';
import { NATIVE_PROFILES, type NativeProfile } from './profiles.ts';
import { readNative } from './read.ts';
import { type ReadStep, readPlanOf, Skimmed } from './read-plan.ts';
import { writeNative } from './write.ts';

/** Layouts of a profile, of which none is ever skimmed. */
function withoutSkimming(profile: NativeProfile): LayoutOf {
  const layoutOf = deriveLayouts(profile);
  const done = new Set<MessageLayout>();
  const stop = (step: ReadStep): void => {
    Object.assign(step, { skimmed: Skimmed.NEVER });
    for (const member of step.members?.values() ?? []) stop(member);
  };
  return (message) => {
    const layout = layoutOf(message);
    if (!done.has(layout)) for (const step of readPlanOf(layout).steps) stop(step);
    done.add(layout);
    return layout;
  };
}

function expectSame(bytes: Uint8Array, type: MessageDescriptor, skimming: LayoutOf, not: LayoutOf): void {
  const { table, diagnostics, layouts } = readNative(bytes, skimming(type), skimming);
  const other = readNative(bytes, not(type), not);
  expect(diagnostics).toEqual(other.diagnostics);
  expect(columnsOf(table)).toEqual(columnsOf(other.table));
  expect(table.fields.map(({ name }) => name)).toEqual(other.table.fields.map(({ name }) => name));
  expect(layouts.map(({ field }) => field.name)).toEqual(other.layouts.map(({ field }) => field.name));
}

/** Damage to a message's bytes: changed bytes, and an end that is cut off. */
const arbitraryDamage = fc.record({
  bytes: fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 3 }),
  keeps: fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { freq: 4 }),
});

test('messages, complete and damaged, have the same rows and findings with skimming, under any profile', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...NATIVE_PROFILES),
      arbitraryMessages({ odd: true, maxMessages: 1 }),
      arbitraryDamage,
      (profile, { type, messages: [message] }, damage) => {
        const layoutOf = deriveLayouts(profile);
        const { bytes } = writeNative(message!, annotate(message!, type).table, layoutOf(type), layoutOf);
        const not = withoutSkimming(profile);
        expectSame(bytes, type, layoutOf, not);
        for (const [at, byte] of damage.bytes) if (bytes.length > 0) bytes[at % bytes.length] = byte;
        expectSame(bytes.subarray(0, Math.ceil(bytes.length * (damage.keeps ?? 1))), type, layoutOf, not);
      },
    ),
    { numRuns: 1000, endOnFailure: true },
  );
});

/** A message of every kind of prefix and absence that is skimmed, and of some that are not. */
const OPTIONS = `syntax = "proto3"; import "native/options.proto";
  message M {
    repeated int32 a = 1 [(wirecost.native.write) = VINT, (wirecost.native.absent) = LENGTH_PLUS_ONE];
    optional bool b = 2 [(wirecost.native.absent) = ONE_BYTE];
    optional bytes c = 3 [(wirecost.native.absent) = LENGTH_PLUS_ONE];
    repeated string d = 4 [(wirecost.native.absent) = FLAG];
    optional string e = 5 [(wirecost.native.write) = TEXT, (wirecost.native.absent) = SENTINEL];
    repeated int32 f = 6 [(wirecost.native.write) = VINT, (wirecost.native.count) = FIXED];
    repeated int32 g = 7 [(wirecost.native.write) = ZLONG, (wirecost.native.count) = TWICE];
    bool h = 8 [(wirecost.native.write) = INVERTED];
    int32 i = 9 [(wirecost.native.write) = SHORT, (wirecost.native.when) = "h"];
    optional M j = 10;
    repeated M k = 11;
  }`;

const schemas = await readSchemaFiles([new URL('../../../schemas', import.meta.url).pathname]);
const { registry } = compileSchema([...schemas, { path: 'options-m.proto', content: OPTIONS }]);
const OPENSEARCH = [...registry.messages.values()].filter(
  ({ fullName, isMapEntry }) => fullName.startsWith('org.opensearch.') && !isMapEntry,
);
const LAID_OUT = NATIVE_PROFILES.find(({ id }) => id === 'laid-out')!;

test.each([
  ['any layout of OpenSearch', OPENSEARCH],
  ['each kind of prefix and absence', [registry.messages.get('M')!]],
])('any bytes have the same rows and findings with skimming, by %s', (_, types) => {
  const skimming = deriveLayouts(LAID_OUT);
  const not = withoutSkimming(LAID_OUT);
  // Small numbers are lengths, counts and flags that lead further than noise does; −1 is an absent text.
  const piece = fc.oneof(
    { weight: 6, arbitrary: fc.nat(2).map((byte) => [byte]) },
    { weight: 1, arbitrary: fc.constantFrom([255, 255, 255, 255], [128, 0], [0xc3, 0xa9], [0xe4, 0xb8, 0xad]) },
    { weight: 1, arbitrary: fc.nat(255).map((byte) => [byte]) },
  );
  fc.assert(
    fc.property(fc.constantFrom(...types), fc.array(piece, { maxLength: 120 }), (type, pieces) => {
      expectSame(Uint8Array.from(pieces.flat()), type, skimming, not);
    }),
    { numRuns: 1500 },
  );
});
