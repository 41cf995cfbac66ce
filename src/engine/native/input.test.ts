/** Where texts counted in UTF-16 units end, and what is said where they do not. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Input, ReadStopped } from './input.ts';
import { Output } from './output.ts';

const texts = fc
  .array(
    fc.oneof(
      fc.string({ maxLength: 20 }),
      fc.string({ unit: 'binary', maxLength: 5 }),
      fc.constantFrom('\0', '\ud83d', 'é', '中'),
    ),
  )
  .map((parts) => parts.join(''));

function skip(bytes: Uint8Array, start: number, end: number, units: number): number | string {
  const input = new Input();
  input.begin(bytes, start, end);
  try {
    input.skipUnits(units);
    return input.at;
  } catch (stop) {
    if (!(stop instanceof ReadStopped)) throw stop;
    return stop.code;
  }
}

test('a string at any offset ends exactly where its writer ended it', () => {
  fc.assert(
    fc.property(texts, fc.nat(9), fc.nat(9), fc.nat(100), (text, before, behind, cut) => {
      const output = new Output();
      output.raw(new Uint8Array(before));
      output.cesu8(text);
      const end = output.length;
      output.raw(new Uint8Array(behind).fill(0x41));
      const buffer = new Uint8Array(output.length + 1);
      buffer.set(output.finish(), 1);
      const bytes = buffer.subarray(1);
      expect(skip(bytes, before, bytes.length, text.length)).toBe(end);
      expect(skip(bytes, before, end, text.length)).toBe(end);
      // A limit inside it; its bytes continue after the limit.
      if (end > before) {
        const limit = before + (cut % (end - before));
        expect(skip(bytes, before, limit, text.length)).toBe('native/truncated');
        expect(skip(bytes.subarray(0, limit), before, limit, text.length)).toBe('native/truncated');
      }
    }),
    { numRuns: 2000 },
  );
});

test('a truncated string is not read past the last byte', () => {
  const bytes = Uint8Array.from([0xe4, 0xb8, 0xad, 0xe4, 0xb8, 0xad, ...new Array<number>(14).fill(0x61)]);
  for (let length = 17; length <= 20; length++) {
    expect(skip(bytes.slice(0, length), 0, length, 17)).toBe('native/truncated');
  }
});

test.each([
  ['a continuation byte', 0x80],
  ['the last continuation byte', 0xbf],
  ['the lead of four bytes, which no unit takes', 0xf0],
  ['0xff', 0xff],
])('no code unit begins with %s, after any number of letters', (_, lead) => {
  for (let letters = 0; letters < 20; letters++) {
    const bytes = new Uint8Array(30).fill(0x61);
    bytes[letters] = lead;
    expect(skip(bytes, 0, bytes.length, 25)).toBe('native/bad-text');
    expect(skip(bytes, 0, bytes.length, letters)).toBe(letters);
  }
});
