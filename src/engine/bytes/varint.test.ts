import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  unzigzag32,
  unzigzag64,
  VARINT_OVERFLOW,
  VARINT_TRUNCATED,
  varintBigInt,
  varintEnd,
  varintHigh,
  varintLow,
  varintNumber,
  varintWidth,
} from './varint.ts';

const hex = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text.replaceAll(' ', ''), 'hex'));

describe('varintEnd', () => {
  test.each([
    ['one byte', '00', 1],
    ['two bytes', 'ac 02 ff', 2],
    ['overlong', '80 80 00', 3],
    ['the largest', 'ff ff ff ff ff ff ff ff ff 01', 10],
    ['nothing', '', VARINT_TRUNCATED],
    ['ends within', '80 80', VARINT_TRUNCATED],
    ['nine bytes, all with the continuation bit', 'ff ff ff ff ff ff ff ff ff', VARINT_TRUNCATED],
    ['a bit too many', 'ff ff ff ff ff ff ff ff ff 02', VARINT_OVERFLOW],
    ['eleven bytes', '80 80 80 80 80 80 80 80 80 80 00', VARINT_OVERFLOW],
  ])('%s', (_, bytes, end) => expect(varintEnd(hex(bytes), 0, hex(bytes).length)).toBe(end));

  test('stops at the limit', () => expect(varintEnd(hex('80 80 00'), 0, 2)).toBe(VARINT_TRUNCATED));
});

const uint64 = fc.oneof(
  fc.bigInt({ min: 0n, max: (1n << 64n) - 1n }),
  fc.nat({ max: 64 }).map((bits) => (1n << BigInt(bits)) - 1n),
);

function write(value: bigint, padding: number): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  while (rest > 127n) {
    bytes.push(Number(rest & 127n) | 128);
    rest >>= 7n;
  }
  bytes.push(Number(rest));
  for (let i = 0; i < padding && bytes.length < 10; i++) {
    bytes[bytes.length - 1]! |= 128;
    bytes.push(0);
  }
  return Uint8Array.from([0xff, ...bytes, 0xff]);
}

test('every 64-bit value is read as it was written, however long', () => {
  fc.assert(
    fc.property(uint64, fc.nat({ max: 9 }), (value, padding) => {
      const bytes = write(value, padding);
      const end = varintEnd(bytes, 1, bytes.length - 1);
      expect(end).toBe(bytes.length - 1);
      expect(varintBigInt(bytes, 1, end)).toBe(value);
      expect(varintLow(bytes, 1, end)).toBe(Number(BigInt.asIntN(32, value)));
      expect(varintHigh(bytes, 1, end)).toBe(Number(BigInt.asIntN(32, value >> 32n)));
      if (value <= BigInt(Number.MAX_SAFE_INTEGER)) expect(varintNumber(bytes, 1, end)).toBe(Number(value));
      expect(varintWidth(varintLow(bytes, 1, end), varintHigh(bytes, 1, end))).toBe(write(value, 0).length - 2);
    }),
    { numRuns: 2000 },
  );
});

test('zigzag is undone', () => {
  expect([0, 1, 2, 3, -2, -1].map(unzigzag32)).toEqual([0, -1, 1, -2, 2147483647, -2147483648]);
  expect([0n, 1n, 2n, (1n << 64n) - 1n, (1n << 64n) - 2n].map(unzigzag64)).toEqual([
    0n,
    -1n,
    1n,
    -(1n << 63n),
    (1n << 63n) - 1n,
  ]);
});
