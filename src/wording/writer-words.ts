/** A field's native writers in words, and the .proto option that sets it. */
import type { WriterCost } from '#engine/cost/alternatives.ts';
import type { FieldProfile, Profile } from '#engine/cost/profile.ts';
import { WRITERS, type WriterName } from '#engine/native/writers.ts';

/** `ZLong`, as StreamOutput calls it. */
export const writerLabel = (writer: string): string => WRITERS.find(([name]) => name === writer)?.[1] ?? writer;

const NOTES: Readonly<Record<WriterName, string>> = {
  BYTE: '1 byte',
  SHORT: '2 bytes',
  INT: '4 bytes',
  VINT: '1 to 5 bytes, 5 if negative',
  LONG: '8 bytes',
  VLONG: '1 to 10 bytes, 10 if negative',
  ZLONG: '1 to 10 bytes, short near 0',
  FLOAT: '4 bytes',
  DOUBLE: '8 bytes',
  BOOLEAN: '1 byte',
  STRING: 'VInt length, UTF-16 units',
  TEXT: '4-byte length, UTF-8',
  BYTES: 'VInt length, bytes',
};

export const writerNote = (writer: WriterName): string => NOTES[writer];

/** In the order of the options file, narrow to wide, so that the list never changes its order. */
export const inOrder = (writers: readonly WriterCost[]): readonly WriterCost[] =>
  WRITERS.flatMap(([name]) => writers.filter(({ writer }) => writer === name));

/**
 * The option that sets a field's writer, between number and semicolon of a declaration, in a file that imports
 * native/options.proto; and where that declaration is. Keys and values of a map have none of their own.
 */
export function writerOption(
  { parent, number }: Pick<FieldProfile, 'parent' | 'number'>,
  { fields }: Pick<Profile, 'fields'>,
  writer: string,
): { readonly text: string; readonly place: string } {
  const map = fields.find(({ path, declared }) => path === parent && declared?.cardinality === 'map');
  if (map === undefined) return { text: `[(wirecost.native.write) = ${writer}]`, place: 'In the .proto file' };
  const option = number === 1 ? 'write_key' : 'write_value';
  return { text: `[(wirecost.native.${option}) = ${writer}]`, place: `In the .proto file, at the map ${map.name}` };
}
