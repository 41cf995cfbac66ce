/**
 * Messages and candidate types → how well each explains them, best first.
 *
 * A byte counts as explained where a field of the type holds it. Almost any bytes pass for a string or bytes field,
 * so a string with control characters and a bytes field count less: the type that sees structure there wins.
 */
import { type AnnotationTable, Flag, payloadEndAt, payloadStartAt } from './annotation.ts';
import type { FieldDescriptor, MessageDescriptor, Registry } from './schema/descriptor.ts';
import { annotate } from './wire/annotate.ts';
import { hasChildren, headBytes, ownPayload } from './wire/rows.ts';

export interface RankedType {
  readonly type: MessageDescriptor;
  /** Share of the bytes that the type explains, 0 to 1, doubtful ones counted less. */
  readonly score: number;
  /** Share of the bytes that have a field in the type, 0 to 1. */
  readonly share: number;
  /** Rows of known fields: of two types that explain the same bytes, the one that sees more in them. */
  readonly rows: number;
}

const CONTROL_TEXT = 0.3;
const OPAQUE = 0.8;

export function rankTypes(registry: Registry, messages: readonly Uint8Array[]): readonly RankedType[] {
  const types = [...registry.messages.values()].filter(
    (type) => !type.isMapEntry && !type.file.startsWith('google/protobuf/'),
  );
  return types.map((type) => explain(type, messages)).sort((a, b) => b.score - a.score || b.rows - a.rows);
}

/** The one type to take without asking; undefined where two explain the messages alike, or none does. */
export function clearWinner([first, second]: readonly RankedType[]): RankedType | undefined {
  if (first === undefined || first.score < 0.5) return undefined;
  if (second === undefined || second.score < 0.98 * first.score) return first;
  return second.score === first.score && second.rows === first.rows
    ? undefined
    : first.rows > 1.2 * second.rows
      ? first
      : undefined;
}

function explain(type: MessageDescriptor, messages: readonly Uint8Array[]): RankedType {
  let bytes = 0;
  let explained = 0;
  let named = 0;
  let rows = 0;
  for (const message of messages) {
    const { table } = annotate(message, type);
    bytes += message.length;
    for (let row = 1; row < table.length; row++) {
      if (table.field[row]! < 0 || (table.flags[row]! & (Flag.MISMATCH | Flag.MALFORMED)) !== 0) continue;
      rows++;
      explained += weightedBytes(table, row, message);
      named += headBytes(table, row) + ownPayload(table, row);
    }
  }
  return bytes === 0
    ? { type, score: 0, share: 0, rows }
    : { type, score: explained / bytes, share: named / bytes, rows };
}

/** The own bytes of a row, its payload weighted by how much its type says. */
function weightedBytes(table: AnnotationTable<FieldDescriptor>, row: number, message: Uint8Array): number {
  const start = payloadStartAt(table, row);
  const end = payloadEndAt(table, row);
  const head = table.end[row]! - table.start[row]! - (end - start);
  if (hasChildren(table, row)) return head;
  const { type } = table.fields[table.field[row]!]!;
  if (type === 'bytes') return head + OPAQUE * (end - start);
  if (type !== 'string') return head + end - start;
  for (let at = start; at < end; at++) {
    const byte = message[at]!;
    if (byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d) return head + CONTROL_TEXT * (end - start);
  }
  return head + end - start;
}
