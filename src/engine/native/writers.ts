/** The writers that the user can choose for a field, by their names in `schemas/native/options.proto`. */
import type { FieldType } from '../schema/descriptor.ts';
import type { FieldStatistics } from '../wire/statistics.ts';
import type { ValueForm } from './layout.ts';
import { STREAM_OUTPUT, type StreamOutputWriter } from './profiles.ts';

/** Values of `wirecost.native.Writer`, by number, named after StreamOutput's methods. */
export const WRITERS = [
  ['BYTE', 'Byte'],
  ['SHORT', 'Short'],
  ['INT', 'Int'],
  ['VINT', 'VInt'],
  ['LONG', 'Long'],
  ['VLONG', 'VLong'],
  ['ZLONG', 'ZLong'],
  ['FLOAT', 'Float'],
  ['DOUBLE', 'Double'],
  ['BOOLEAN', 'Boolean'],
  ['STRING', 'String'],
  ['TEXT', 'Text'],
  ['BYTES', 'BytesReference'],
] as const satisfies readonly (readonly [name: string, writer: StreamOutputWriter])[];
export type WriterName = (typeof WRITERS)[number][0];

/** The name of the writer of a form; undefined: StreamOutput has no such form. */
export const writerOf = (form: ValueForm): WriterName | undefined =>
  form.kind === 'content'
    ? undefined
    : WRITERS.find(([, writer]) => JSON.stringify(STREAM_OUTPUT[writer]) === JSON.stringify(form))?.[0];

const ALL_32 = ['INT', 'VINT', 'LONG', 'VLONG', 'ZLONG'] as const;
const ALL_64 = ['LONG', 'VLONG', 'ZLONG'] as const;
const TEXTS = ['STRING', 'TEXT'] as const;
const NO_CHOICE = [] as const;

/** Fixed writers, each with the varint width up to which values fit: seven bits a byte. */
const NARROW = [
  ['BYTE', 1],
  ['SHORT', 2],
  ['INT', 4],
] as const;

/**
 * Writers that can hold every value of the field's type, and narrow ones that can hold the values that occurred. Empty:
 * there is no choice.
 */
export function writersFor(type: FieldType, stats: FieldStatistics): readonly WriterName[] {
  const all = writersOfType(type);
  if (stats.valueWidths === null || all.length === 0) return all;
  const widths = type.startsWith('u') ? stats.valueWidths : stats.zigzagWidths;
  if (widths === null) return all;
  const widest = widths.findLastIndex((count) => count > 0) + 1;
  const narrow = NARROW.filter(([name, width]) => widest <= width && !all.some((known) => known === name));
  return [...narrow.map(([name]) => name), ...all];
}

function writersOfType(type: FieldType): readonly WriterName[] {
  switch (type) {
    case 'int32':
    case 'uint32':
    case 'sint32':
    case 'fixed32':
    case 'sfixed32':
    case 'enum':
      return ALL_32;
    case 'int64':
    case 'uint64':
    case 'sint64':
    case 'fixed64':
    case 'sfixed64':
      return ALL_64;
    case 'string':
      return TEXTS;
    default:
      return NO_CHOICE;
  }
}
