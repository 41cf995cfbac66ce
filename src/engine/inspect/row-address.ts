/** Rows of an inspected message ⇄ stable addresses: the nth row of a field path. */
import type { Encoding } from '../model/annotation.ts';
import { findPath, pathText } from '../wire/path-tree.ts';
import type { Inspected, InspectedSide } from './inspect.ts';

/** The address of a row: the nth row of a path, counted from 0 in the order of the bytes. */
export interface RowAddress {
  /** The side: `protobuf` is the first one. */
  readonly encoding: Encoding;
  /** Field path; empty for rows that belong to no field (the message itself is the first of them). */
  readonly path: string;
  readonly occurrence: number;
}

export const pathAt = ({ path, paths, table }: InspectedSide, row: number): string =>
  pathText(paths, table, path[row] ?? -1);

/** @param encoding which of both sides it is */
export function rowAddressOf(encoding: Encoding, side: InspectedSide, row: number): RowAddress {
  const index = side.path[row];
  let occurrence = 0;
  for (let before = 0; before < row; before++) if (side.path[before] === index) occurrence++;
  return { encoding, path: pathAt(side, row), occurrence };
}

/** The addressed row; −1: this message does not have it. */
export function rowOf(side: InspectedSide, { path, occurrence }: Omit<RowAddress, 'encoding'>): number {
  const index = path === '' ? -1 : findPath(side.paths, side.table, path);
  if (path !== '' && index < 0) return -1;
  let left = occurrence;
  for (let row = 0; row < side.path.length; row++) if (side.path[row] === index && left-- === 0) return row;
  return -1;
}

/** The addressed row on both sides; −1: that side does not have it. */
export function rowsOf(
  { protobuf, native }: Pick<Inspected, 'protobuf' | 'native'>,
  address: RowAddress | null,
): { readonly protobuf: number; readonly native: number } {
  if (address === null) return { protobuf: -1, native: -1 };
  if (address.encoding === 'protobuf') {
    const row = rowOf(protobuf, address);
    return { protobuf: row, native: row < 0 ? -1 : (protobuf.counterpart[row] ?? -1) };
  }
  const row = native === null ? -1 : rowOf(native, address);
  return { protobuf: row < 0 ? -1 : (native?.counterpart[row] ?? -1), native: row };
}

/** The first row of a path: on the wire, else on the native side, which also has values that are absent in protobuf. */
export function firstRow(
  { protobuf, native }: Pick<Inspected, 'protobuf' | 'native'>,
  path: string,
): RowAddress | null {
  if (path !== '' && rowOf(protobuf, { path, occurrence: 0 }) >= 0)
    return { encoding: 'protobuf', path, occurrence: 0 };
  if (path !== '' && native !== null && rowOf(native, { path, occurrence: 0 }) >= 0) {
    return { encoding: 'native', path, occurrence: 0 };
  }
  return null;
}
