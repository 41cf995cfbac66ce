/** Messages that tests make of field numbers. */

export function varint(value: number): readonly number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return [...bytes, rest];
}

/** A message with `count` fields of different numbers, from 16 on; each has the value 1. */
export const numbers = (count: number): Uint8Array =>
  Uint8Array.from(Array.from({ length: count }, (_, at) => [...varint((at + 16) * 8), 1]).flat());
