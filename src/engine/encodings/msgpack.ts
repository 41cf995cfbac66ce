/**
 * MessagePack: integers and headers in their shortest forms, with unsigned forms for non-negative integers; a float in
 * 5 bytes, a double in 9, for any value; enums as numbers; well-known types as ordinary messages. Keys are names as in
 * JSON, or numbers. github.com/msgpack/msgpack/blob/master/spec.md
 */
import { writeReversed, writeUint } from './big-endian.ts';
import type { EncodingRow } from './encoding-row.ts';
import { encodeStructured, type Keys, type ValueTokens } from './structured.ts';
import type { TokenWriter } from './token-writer.ts';

function int(writer: TokenWriter, value: number | bigint): void {
  const { out } = writer;
  if (value >= 0) {
    if (value < 128) out.byte(Number(value));
    else if (value < 256) sized(writer, 0xcc, 1, value);
    else if (value < 65536) sized(writer, 0xcd, 2, value);
    else if (value < 4294967296) sized(writer, 0xce, 4, value);
    else sized(writer, 0xcf, 8, value);
  } else if (value >= -32) out.byte(Number(value) & 255);
  else if (value >= -128) sized(writer, 0xd0, 1, value);
  else if (value >= -32768) sized(writer, 0xd1, 2, value);
  else if (value >= -2147483648) sized(writer, 0xd2, 4, value);
  else sized(writer, 0xd3, 8, value);
}

function sized(writer: TokenWriter, head: number, size: 1 | 2 | 4 | 8, value: number | bigint): void {
  writer.out.byte(head);
  writeUint(writer, size, value);
}

/**
 * Writes a header: one byte for small lengths; `heads` are the types for lengths of 1, 2 and 4 bytes, if they exist.
 */
function head(writer: TokenWriter, length: number, fixed: number, below: number, heads: readonly number[]): void {
  const [one, two, four] = heads;
  if (length < below) writer.out.byte(fixed | length);
  else if (one! > 0 && length < 256) sized(writer, one!, 1, length);
  else if (length < 65536) sized(writer, two!, 2, length);
  else sized(writer, four!, 4, length);
}

const TOKENS: ValueTokens = {
  nil: ({ out }) => out.byte(0xc0),
  bool: ({ out }, value) => out.byte(value ? 0xc3 : 0xc2),
  int,
  float(writer, value) {
    writer.out.byte(value.length === 4 ? 0xca : 0xcb);
    writeReversed(writer, value);
  },
  text(writer, utf8) {
    head(writer, utf8.length, 0xa0, 32, [0xd9, 0xda, 0xdb]);
    writer.out.raw(utf8);
  },
  bytesHead: (writer, length) => head(writer, length, 0, 0, [0xc4, 0xc5, 0xc6]),
  arrayHead: (writer, length) => head(writer, length, 0x90, 16, [0, 0xdc, 0xdd]),
  mapHead: (writer, length) => head(writer, length, 0x80, 16, [0, 0xde, 0xdf]),
};

const rowOf = (id: string, label: string, mapping: string, keys: Keys): EncodingRow => ({
  id,
  label,
  mapping,
  isCommon: keys !== 'position',
  write: (subject, rows) => encodeStructured(subject, rows, TOKENS, keys),
});

export const MSGPACK_NAMED = rowOf(
  'msgpack-named',
  'MessagePack by name',
  'A map of the fields that are there, by their JSON names; shortest integers, float in 4 bytes, double in 8.',
  'name',
);
export const MSGPACK_NUMBERED = rowOf(
  'msgpack-numbered',
  'MessagePack by number',
  'As MessagePack by name, with the field’s number for a key.',
  'number',
);
export const MSGPACK_ARRAY = rowOf(
  'msgpack-array',
  'MessagePack by position',
  'An array with a slot for each declared field by ascending number: nil where it is absent, else its default.',
  'position',
);
