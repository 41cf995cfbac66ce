/**
 * CBOR (RFC 8949): definite lengths, shortest headers, no tags; a float in 5 bytes, a double in 9, or each in the
 * shortest of 2, 4 and 8 bytes that keeps its value; enums as numbers; well-known types as ordinary messages.
 */
import { writeReversed, writeUint } from './big-endian.ts';
import type { EncodingRow } from './encoding-row.ts';
import { isUsualNaN, withValidUtf8 } from './json-scalar.ts';
import { countLoss } from './losses.ts';
import { encodeStructured, type Keys, type ValueTokens } from './structured.ts';
import type { TokenWriter } from './token-writer.ts';

function head(writer: TokenWriter, major: number, value: number | bigint): void {
  const { out } = writer;
  const type = major << 5;
  if (value < 24) out.byte(type | Number(value));
  else if (value < 256) sized(writer, type | 24, 1, value);
  else if (value < 65536) sized(writer, type | 25, 2, value);
  else if (value < 4294967296) sized(writer, type | 26, 4, value);
  else sized(writer, type | 27, 8, value);
}

function sized(writer: TokenWriter, first: number, size: 1 | 2 | 4 | 8, value: number | bigint): void {
  writer.out.byte(first);
  writeUint(writer, size, value);
}

const TOKENS: ValueTokens = {
  nil: ({ out }) => out.byte(0xf6),
  bool: ({ out }, value) => out.byte(value ? 0xf5 : 0xf4),
  int(writer, value) {
    if (value >= 0) head(writer, 0, value);
    else head(writer, 1, typeof value === 'bigint' ? -1n - value : -1 - value);
  },
  float(writer, value) {
    writer.out.byte(value.length === 4 ? 0xfa : 0xfb);
    writeReversed(writer, value);
  },
  text(writer, utf8) {
    // Decoders refuse a text that is not UTF-8: it is well-formed, but invalid. RFC 8949 §3.1
    const text = withValidUtf8(utf8, writer);
    head(writer, 3, text.length);
    writer.out.raw(text);
  },
  bytesHead: (writer, length) => head(writer, 2, length),
  arrayHead: (writer, length) => head(writer, 4, length),
  mapHead: (writer, length) => head(writer, 5, length),
};

const SHORTEST: ValueTokens = { ...TOKENS, float: shortestFloat };
const scratch = new DataView(new ArrayBuffer(4));

function shortestFloat(writer: TokenWriter, value: Uint8Array): void {
  const view = new DataView(value.buffer, value.byteOffset, value.length);
  const number = value.length === 4 ? view.getFloat32(0, true) : view.getFloat64(0, true);
  if (Number.isNaN(number)) {
    if (!isUsualNaN(value)) countLoss(writer.losses, 'nan-bits');
    sized(writer, 0xf9, 2, 0x7e00);
    return;
  }
  if (!Object.is(Math.fround(number), number)) {
    TOKENS.float(writer, value);
    return;
  }
  scratch.setFloat32(0, number);
  const bits = scratch.getUint32(0);
  const half = halfOf(bits);
  if (half === undefined) sized(writer, 0xfa, 4, bits);
  else sized(writer, 0xf9, 2, half);
}

/** The 16 bits of a half-precision float with the same value; undefined: there is no such float. IEEE 754 */
function halfOf(bits: number): number | undefined {
  const sign = (bits >>> 16) & 0x8000;
  const exponent = (bits >>> 23) & 255;
  const fraction = bits & 0x7fffff;
  if (exponent === 255) return fraction === 0 ? sign | 0x7c00 : undefined;
  if (exponent === 0) return fraction === 0 ? sign : undefined;
  const scale = exponent - 127;
  if (scale > 15) return undefined;
  if (scale >= -14) return (fraction & 0x1fff) === 0 ? sign | ((scale + 15) << 10) | (fraction >> 13) : undefined;
  // A subnormal number: a multiple of 2^−24.
  const dropped = -scale - 1;
  const whole = fraction | 0x800000;
  return scale >= -24 && whole % 2 ** dropped === 0 ? sign | (whole / 2 ** dropped) : undefined;
}

const rowOf = (
  id: string,
  label: string,
  mapping: string,
  keys: Keys,
  tokens: ValueTokens = TOKENS,
  isCommon = false,
): EncodingRow => ({
  id,
  label,
  mapping,
  isCommon,
  write: (subject, rows) => encodeStructured(subject, rows, tokens, keys),
});

export const CBOR_NAMED = rowOf(
  'cbor-named',
  'CBOR by name',
  'A map of the fields that are there, by their JSON names; float in 4 bytes, double in 8, also NaN and infinities.',
  'name',
);
export const CBOR_NUMBERED = rowOf(
  'cbor-numbered',
  'CBOR by number',
  'As CBOR by name, with the field’s number for a key.',
  'number',
  TOKENS,
  true,
);
export const CBOR_ARRAY = rowOf(
  'cbor-array',
  'CBOR by position',
  'An array with a slot for each declared field by ascending number: null where it is absent, else its default.',
  'position',
);
export const CBOR_SHORT_NAMED = rowOf(
  'cbor-short-named',
  'CBOR by name, shortest floats',
  'As CBOR by name, each float in the shortest of 2, 4 and 8 bytes that keeps its value: preferred serialization, RFC 8949.',
  'name',
  SHORTEST,
);
