/** Random schemas with random native options: values survive the way to native and back, as another runtime reads them. */
import fc from 'fast-check';
import protobuf from 'protobufjs';
import { expect, test } from 'vitest';
import { arbitraryMessages } from '#testing/arbitrary-message.ts';
import { annotate } from '../wire/annotate.ts';
import { deriveLayouts } from './derive.ts';
import { SCHEMA_LAYOUT_PROFILE } from './profiles.ts';
import { readNative } from './read.ts';
import { toWire } from './to-wire.ts';
import { writeNative } from './write.ts';

/** NaN, 64-bit integers and map order compare as text. */
function decoderOf(proto: string): (bytes: Uint8Array) => string {
  // The other runtime ignores the options.
  const plain = proto
    .replace(/import .*;/, '')
    .replace(/option \(wirecost[^;]*;/g, '')
    .replace(/\(wirecost[^,\]]*(, )?/g, '')
    .replaceAll('[]', '');
  const decoder = protobuf.parse(plain, new protobuf.Root(), { keepCase: true }).root.lookupType('random.A');
  const options = { longs: String, bytes: String, json: false };
  const asText = (_: string, value: unknown) =>
    typeof value === 'number' && !Number.isFinite(value) ? String(value) : Object.is(value, -0) ? '-0' : value;
  return (bytes) => JSON.stringify(decoder.toObject(decoder.decode(bytes), options), asText);
}

test('values survive protobuf to native to protobuf, by any layout that can hold them', () => {
  let whole = 0;
  fc.assert(
    fc.property(arbitraryMessages({ odd: false, native: { lossless: true } }), ({ proto, type, messages }) => {
      const layoutOf = deriveLayouts(SCHEMA_LAYOUT_PROFILE);
      const decode = decoderOf(proto);
      for (const message of messages) {
        const written = writeNative(message, annotate(message, type).table, layoutOf(type), layoutOf);
        expect(written.diagnostics.filter(({ code }) => code !== 'native/none-chosen')).toEqual([]);
        const back = toWire(written.bytes, readNative(written.bytes, layoutOf(type), layoutOf));
        expect(back.diagnostics).toEqual([]);
        // Where no member is set, the first one stands: that is said, and is another value.
        if (written.diagnostics.length > 0) continue;
        whole++;
        expect(decode(back.bytes)).toBe(decode(message));
      }
    }),
    // The first counterexample will do: shrinking compiles a schema a step.
    { numRuns: 600, endOnFailure: true },
  );
  expect(whole).toBeGreaterThan(600);
});
