/** Detects content that contradicts a field's type: bytes that look like a text, or like a message. */
import { isTextByte } from '../bytes/text-byte.ts';
import { WireType } from '../model/annotation.ts';
import { emptyRecord, readRecord } from '../wire/raw-record.ts';

/** Logs have colours. */
const ESCAPE = 27;

/** No control characters but those of texts and logs. The bytes are UTF-8. */
export function looksLikeText(bytes: Uint8Array, start: number, end: number): boolean {
  for (let p = start; p < end; p++) if (!isTextByte(bytes[p]!) && bytes[p] !== ESCAPE) return false;
  return true;
}

/** Fewer bytes are a message by chance. */
const LEAST_MESSAGE = 6;
const MOST_RECORDS = 64;
const LARGEST_NUMBER = 100;

/** Several records of small numbers tile the bytes, some LEN among them: no encoder of bytes or numbers writes that. */
export function readsAsMessage(bytes: Uint8Array, start: number, end: number): boolean {
  if (end - start < LEAST_MESSAGE) return false;
  const record = emptyRecord();
  let records = 0;
  let texts = 0;
  let p = start;
  for (; p < end && records < MOST_RECORDS; records++) {
    const next = readRecord(bytes, p, end, record);
    if (next < 0 || record.number > LARGEST_NUMBER) return false;
    if (record.wireType === WireType.SGROUP || record.wireType === WireType.EGROUP) return false;
    if (record.wireType === WireType.LEN && record.end - record.start > 1) texts++;
    p = next;
  }
  return records >= 2 && texts >= 1;
}
