/** Messages and types that tests make. */

export function varint(value: number): readonly number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return [...bytes, rest];
}

/** A message with `count` fields of different numbers, from 16 on; each has the value 1. */
export const numbers = (count: number): Uint8Array =>
  Uint8Array.from(Array.from({ length: count }, (_, at) => [...varint((at + 16) * 8), 1]).flat());

/** Field 1 in itself. */
export function nested(depth: number, inside: readonly number[] = []): Uint8Array {
  let bytes = inside;
  for (let level = 0; level < depth; level++) bytes = [10, ...varint(bytes.length), ...bytes];
  return Uint8Array.from(bytes);
}

/** A type that has itself, and other fields. */
export const wide = (fields: number, name: string): string =>
  `syntax = "proto3"; message M { M ${name} = 1; ${Array.from({ length: fields }, (_, at) => `optional int32 ${name}_${at} = ${at + 2};`).join(' ')} }`;
