/** The five-byte header of each record: type, version, length (RFC 8446 §5.1). */

export const RecordType = {
  CHANGE_CIPHER_SPEC: 20,
  ALERT: 21,
  HANDSHAKE: 22,
  APPLICATION_DATA: 23,
  HEARTBEAT: 24,
} as const;

export const HEAD_LENGTH = 5;
/** Maximum bytes of a body: RFC 5246 §6.2.3. */
const LONGEST_BODY = 2 ** 14 + 2048;
export const LONGEST_RECORD = HEAD_LENGTH + LONGEST_BODY;

/** Whether the available bytes fit a record header; missing bytes are ignored. */
export function isRecordHead(bytes: Uint8Array, at: number): boolean {
  const left = bytes.length - at;
  if (left < 1 || bytes[at]! < RecordType.CHANGE_CIPHER_SPEC || bytes[at]! > RecordType.HEARTBEAT) return false;
  if (left >= 2 && bytes[at + 1] !== 3) return false;
  if (left >= 3 && bytes[at + 2]! > 4) return false;
  if (left < HEAD_LENGTH) return true;
  const body = recordLength(bytes, at) - HEAD_LENGTH;
  return body > 0 && body <= LONGEST_BODY;
}

/** Bytes of the record including its header, which must be complete. */
export const recordLength = (bytes: Uint8Array, at: number): number =>
  HEAD_LENGTH + ((bytes[at + 3]! << 8) | bytes[at + 4]!);
