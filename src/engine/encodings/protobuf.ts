/** Protobuf itself: the message unchanged, including unknown fields. */
import type { EncodingRow } from './encoding-row.ts';

export const PROTOBUF: EncodingRow = {
  id: 'protobuf',
  label: 'Protobuf',
  mapping: 'The message as it was captured.',
  isCommon: true,
  write({ bytes, table }, rows) {
    rows.take(table, () => Int32Array.from({ length: table.length }, (_, row) => row));
    return { ok: true, bytes, losses: {} };
  },
};
