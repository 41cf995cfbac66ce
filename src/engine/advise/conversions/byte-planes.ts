/**
 * `byte planes`: a list of numbers of one width becomes bytes: the lowest byte of each number, then the next byte of
 * each, and so on. Bytes that resemble each other stand together, so a compressor finds more.
 * https://github.com/apache/parquet-format/blob/master/Encodings.md, BYTE_STREAM_SPLIT
 */
import { fixedSize } from '../../wire/encoding-facts.ts';
import { nodesOfType } from '../changes/target.ts';
import type { FieldForm } from '../forms.ts';
import { readScalar } from '../read-tree.ts';
import { BYTE_STREAM_SPLIT, UPDATING_RULES_URL } from '../rule-links.ts';
import type { TreeScalar } from '../value-tree.ts';
import type { Conversion } from './conversion.ts';

export const BYTE_PLANES = 'byte planes';

/** Whether the field is a list of numbers of one width. */
export const hasPlanes = ({ cardinality, type }: FieldForm): boolean =>
  cardinality === 'repeated' && fixedSize(type) > 0;

export const bytePlanes: Conversion = {
  read({ value, message, field }, from, to) {
    if (value !== BYTE_PLANES || !hasPlanes(from) || to.type !== 'bytes') return undefined;
    return {
      forward(tree) {
        for (const node of nodesOfType(tree, message)) {
          const values = node.fields.get(field);
          if (values !== undefined) node.fields.set(field, [split(values as TreeScalar[], from)]);
        }
      },
      backward(tree) {
        for (const node of nodesOfType(tree, message)) {
          const [planes] = node.fields.get(field) ?? [];
          if (planes !== undefined) node.fields.set(field, join(planes as Uint8Array, from));
        }
      },
      compatibility: {
        binary: 'unsafe',
        json: 'unsafe',
        source: 'unsafe',
        reasons: [
          { about: 'json', text: 'A list of numbers becomes base64 of bytes.', link: UPDATING_RULES_URL },
          { about: 'source', text: 'Code splits the bytes, and joins them again.', link: BYTE_STREAM_SPLIT },
        ],
      },
    };
  },
};

function split(values: readonly TreeScalar[], { type }: FieldForm): Uint8Array {
  const width = fixedSize(type);
  const run = new Uint8Array(values.length * width);
  const view = new DataView(run.buffer);
  values.forEach((value, index) => {
    const at = index * width;
    if (value instanceof Uint8Array) run.set(value, at);
    else if (type === 'float') view.setFloat32(at, value as number, true);
    else if (type === 'double') view.setFloat64(at, value as number, true);
    else if (width === 4) view.setInt32(at, Number(value), true);
    else view.setBigInt64(at, BigInt(value), true);
  });
  return transposed(run, values.length, width);
}

function join(planes: Uint8Array, { type }: FieldForm): TreeScalar[] {
  const width = fixedSize(type);
  const count = planes.length / width;
  const run = transposed(planes, width, count);
  return Array.from({ length: count }, (_, at) => readScalar(run, at * width, (at + 1) * width, type));
}

/** Rows become columns. */
function transposed(table: Uint8Array, rows: number, columns: number): Uint8Array {
  const turned = new Uint8Array(table.length);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) turned[column * rows + row] = table[row * columns + column]!;
  }
  return turned;
}
