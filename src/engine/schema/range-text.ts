import type { NumberRange } from './descriptor.ts';

/** A range as a schema writes it: `5`, `5 to 10`, `100 to max`. @param max the largest number that the type allows */
export function rangeText({ start, end }: NumberRange, max: number): string {
  if (end - start === 1) return String(start);
  return `${start} to ${end > max ? 'max' : end - 1}`;
}
