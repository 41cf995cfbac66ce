/**
 * A protobuf message beside the same message in another encoding. Two rows are a pair if one was written from the
 * other.
 */
import { type EncodingRow, encode } from '../encodings/encoding-row.ts';
import { encodingSubject } from '../encodings/encodings.ts';
import type { MessageDescriptor } from '../schema/descriptor.ts';
import { annotate } from '../wire/annotate.ts';
import { rowPaths } from '../wire/path-totals.ts';
import { counterparts, type Inspected, withFacts } from './inspect.ts';
import { tokenPaths } from './inspect-captured.ts';

/** @param bytes kept, not copied */
export function inspectAgainst(
  bytes: Uint8Array,
  type: MessageDescriptor,
  row: EncodingRow,
  ordinal: number,
): Inspected {
  const { table, diagnostics } = annotate(bytes, type, { ordinal });
  const subject = encodingSubject(bytes, type, table);
  const encoded = subject.ok ? encode(row, subject.subject) : subject;
  const protobuf = { bytes, table: withFacts(table), ...rowPaths(table) };
  if (!encoded.ok) {
    const none = { ...protobuf, counterpart: new Int32Array(table.length).fill(-1) };
    const refused = {
      code: 'encoding/refused',
      severity: 'info' as const,
      message: `${row.label}: ${encoded.reason}`,
      space: 'message' as const,
      start: 0,
      end: bytes.length,
      ordinal,
    };
    return { protobuf: none, native: null, diagnostics: [...diagnostics, refused] };
  }
  const { table: other, origin } = encoded;
  return {
    protobuf: { ...protobuf, counterpart: counterparts(table.length, other, origin) },
    native: {
      bytes: encoded.bytes,
      label: row.label,
      table: withFacts(other),
      ...tokenPaths(other),
      counterpart: origin,
    },
    diagnostics,
  };
}
