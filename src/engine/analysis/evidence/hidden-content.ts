/** Detects content that contradicts a field's type: bytes that look like text or like a message. */
import { latin1 } from '../../bytes/latin1.ts';
import { isTextByte } from '../../bytes/text-byte.ts';
import { WireType } from '../../model/annotation.ts';
import { emptyRecord, readRecord } from '../../wire/raw-record.ts';

/** Escape sequences are allowed: logs contain colours. */
const ESCAPE = 27;

/** Whether the bytes have no control characters except the usual ones of texts and logs. The bytes must be UTF-8. */
export function looksLikeText(bytes: Uint8Array, start: number, end: number): boolean {
  for (let p = start; p < end; p++) if (!isTextByte(bytes[p]!) && bytes[p] !== ESCAPE) return false;
  return true;
}

/** `type.googleapis.com/a.B`. Some writers leave out the host, or the slash, too. */
export const isTypeUrl = (bytes: Uint8Array, start: number, end: number): boolean =>
  /^(?:[\w.:-]*\/)*[A-Za-z_]\w*(?:\.\w+)*$/.test(latin1(bytes, start, end)) && bytes.subarray(start, end).includes(DOT);

const DOT = 0x2e;

/** Shorter bytes often look like a message by chance. */
const MIN_MESSAGE = 6;
const MAX_RECORDS = 64;
const LARGEST_NUMBER = 100;

/**
 * Whether several records with small numbers tile the bytes, and at least one is LEN. Strings and numbers do not look
 * like this.
 */
export function readsAsMessage(bytes: Uint8Array, start: number, end: number): boolean {
  if (end - start < MIN_MESSAGE) return false;
  const record = emptyRecord();
  let records = 0;
  let texts = 0;
  let p = start;
  for (; p < end && records < MAX_RECORDS; records++) {
    const next = readRecord(bytes, p, end, record);
    if (next < 0 || record.number > LARGEST_NUMBER) return false;
    if (record.wireType === WireType.SGROUP || record.wireType === WireType.EGROUP) return false;
    if (record.wireType === WireType.LEN && record.end - record.start > 1) texts++;
    p = next;
  }
  return records >= 2 && texts >= 1;
}
