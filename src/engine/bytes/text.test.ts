import fc from 'fast-check';
import { expect, test } from 'vitest';
import { printDouble, printFloat } from './float-text.ts';
import { printHex } from './hex.ts';

const double = (value: number): [number, Uint8Array, number] => {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setFloat64(0, value, true);
  return [value, bytes, 0];
};

test.each([
  [0.1, '0.1'],
  [-0, '-0'],
  [16777216, '16777216'],
  [3.4028234663852886e38, '3.4028235e+38'],
  [1.401298464324817e-45, '1e-45'],
  [1048576.25, '1048576.2'],
  [1048576.75, '1048576.8'],
  [-2500000.25, '-2500000.2'],
  [Number.NEGATIVE_INFINITY, '-Infinity'],
])('float %d is %s', (value, text) => {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setFloat32(0, value, true);
  expect(printFloat(Math.fround(value), bytes, 0)).toBe(text);
});

test('a float reads back from its text', () => {
  fc.assert(
    fc.property(fc.float({ noNaN: true }), (value) => {
      const bytes = new Uint8Array(4);
      expect(Math.fround(Number(printFloat(value, bytes, 0)))).toBe(value);
    }),
    { numRuns: 2000 },
  );
});

test('a double is printed as JavaScript does, with the sign of zero', () => {
  expect(printDouble(...double(0.1))).toBe('0.1');
  expect(printDouble(...double(-0))).toBe('-0');
});

test('a NaN with a payload shows its bits', () => {
  expect(printDouble(...double(Number.NaN))).toBe('NaN');
  const odd = Uint8Array.of(1, 0, 0, 0, 0, 0, 0xf8, 0x7f);
  expect(printDouble(Number.NaN, odd, 0)).toBe('NaN (7ff8000000000001)');
  expect(printFloat(Number.NaN, Uint8Array.of(0xff, 0xff, 0xff, 0xff), 0)).toBe('NaN (ffffffff)');
});

test('hex of many bytes is cut', () => {
  expect(printHex(Uint8Array.of(0, 1, 0xab), 0, 3)).toBe('00 01 ab');
  expect(printHex(Uint8Array.of(0, 1, 0xab), 1, 3, 1)).toBe('01 …');
  expect(printHex(Uint8Array.of(), 0, 0)).toBe('');
});
