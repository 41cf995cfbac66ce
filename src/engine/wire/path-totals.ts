/**
 * The rows of a message, added up by field path. The scan of many messages must give the same totals.
 *
 *   timeseries.labels.name · map entries m.key, m.value · unknown numbers ?7 · extensions [full.name] ·
 *   of a guessed type, records of number 7 with another wire type than the guess ?7-other
 *
 * Start and end tag of a group are tag bytes. An unknown group is one record whose contents are its value.
 */
import {
  type AnnotationTable,
  Flag,
  fieldAt,
  flagsAt,
  parentAt,
  payloadCategoryAt,
  slotAt,
  unknownField,
} from '../model/annotation.ts';
import { packedElements } from './packed.ts';
import { OTHER_WIRE_TYPE, type PathTree, PathTreeBuilder, pathText } from './path-tree.ts';
import { headBytes, ownPayload } from './rows.ts';

export interface PathLedger {
  readonly number: number;
  /** Number of records. A packed run is one record. */
  occurrences: number;
  /** Number of values. Each element of a readable packed run is one value. */
  elements: number;
  packedRuns: number;
  /** Bytes: */
  tag: number;
  length: number;
  value: number;
}

export interface PathTotals {
  /** In the order in which the paths first occur. */
  readonly fields: Map<string, PathLedger>;
  unattributed: number;
}

export const emptyLedger = (): PathTotals => ({ fields: new Map(), unattributed: 0 });

export interface RowPaths {
  /** By row: an index into `paths`; −1 for the message, for unattributed bytes and for rows in an unknown group. */
  readonly path: Int32Array;
  readonly paths: PathTree;
}

/** The field path of each row. */
export function rowPaths(table: AnnotationTable): RowPaths {
  const path = new Int32Array(table.length).fill(-1);
  const paths = new PathTreeBuilder();
  for (let row = 1; row < path.length; row++) {
    const field = fieldAt(table, row);
    const parent = parentAt(table, row);
    if (field === -1 || (parent > 0 && fieldAt(table, parent) < 0)) continue;
    const isOther = table.isGuessed && (flagsAt(table, row) & Flag.MISMATCH) !== 0;
    path[row] = paths.indexOf(path[parent]!, isOther ? field - OTHER_WIRE_TYPE : field);
  }
  return { path, paths: paths.finish() };
}

/** Adds the rows of one message to a ledger: `Σ (tag + length + value) + unattributed` grows by the message's length. */
export function addRows(ledger: PathTotals, table: AnnotationTable, bytes: Uint8Array): void {
  const { path, paths } = rowPaths(table);
  const names = Array.from(paths.parent, (_, index) => pathText(paths, table, index));
  const entries = names.map((name): PathLedger | undefined => ledger.fields.get(name));
  // The outermost unknown row around a row in an unknown group; 0: the row is in no unknown group.
  const outer = new Uint32Array(path.length);
  for (let row = 0; row < path.length; row++) {
    const own = ownPayload(table, row);
    const isLost = payloadCategoryAt(table, row) === 'unattributed';
    if (isLost) ledger.unattributed += own;
    if (row === 0) continue;
    const parent = parentAt(table, row);
    const field = fieldAt(table, row);
    if (parent > 0 && fieldAt(table, parent) < 0) {
      outer[row] = outer[parent]!;
      entries[path[outer[row]!]!]!.value += headBytes(table, row) + (isLost ? 0 : own);
      continue;
    }
    outer[row] = row;
    if (field === -1) continue;
    const index = path[row]!;
    let entry = entries[index];
    if (entry === undefined) {
      entry = {
        number: field < 0 ? unknownField(field) : table.fields[field]!.number,
        occurrences: 0,
        elements: 0,
        packedRuns: 0,
        tag: 0,
        length: 0,
        value: 0,
      };
      entries[index] = entry;
      ledger.fields.set(names[index]!, entry);
    }
    entry.occurrences++;
    entry.tag += slotAt(table, row, 0) + slotAt(table, row, 2);
    entry.length += slotAt(table, row, 1);
    if (!isLost) entry.value += own;
    if ((flagsAt(table, row) & Flag.PACKED) === 0) {
      entry.elements++;
    } else {
      entry.packedRuns++;
      if (!isLost) entry.elements += packedElements(table, bytes, row, table.fields[field]!).offsets.length - 1;
    }
  }
}
