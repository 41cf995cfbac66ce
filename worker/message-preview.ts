/** A message in one line: its first texts, or its first bytes in hex. */
import {
  type AnnotationTable,
  parentAt,
  payloadEndAt,
  payloadStartAt,
  WireType,
  wireTypeAt,
} from '#engine/model/annotation.ts';
import type { MessageDescriptor } from '#engine/schema/descriptor.ts';
import { annotate } from '#engine/wire/annotate.ts';

/** Bytes of a message that a preview reads. */
export const PREVIEW_BYTES = 2048;
const MAX_CHARACTERS = 80;
const MAX_HEX_BYTES = 16;
const SEPARATOR = ' · ';

/** `head`: the first bytes of the message, at most PREVIEW_BYTES of them. */
export function previewMessage(head: Uint8Array, type: MessageDescriptor | undefined): string {
  const { table } = annotate(head, type);
  let line = '';
  for (let row = 1; row < table.length && line.length < MAX_CHARACTERS; row++) {
    if (wireTypeAt(table, row) !== WireType.LEN || parentAt(table, row + 1) === row) continue;
    const text = readableText(table, row, head);
    if (text !== null) line += line === '' ? text : SEPARATOR + text;
  }
  if (line !== '') return line.length > MAX_CHARACTERS ? `${line.slice(0, MAX_CHARACTERS)}…` : line;
  const hex = Array.from(head.subarray(0, MAX_HEX_BYTES), (byte) => byte.toString(16).padStart(2, '0')).join(' ');
  return head.length > MAX_HEX_BYTES ? `${hex} …` : hex;
}

const strict = new TextDecoder('utf-8', { fatal: true });

/** null: not text that a person would read. */
function readableText(table: AnnotationTable, row: number, head: Uint8Array): string | null {
  const start = payloadStartAt(table, row);
  const end = Math.min(payloadEndAt(table, row), start + 4 * MAX_CHARACTERS, head.length);
  if (end - start < 2) return null;
  try {
    const text = strict.decode(head.subarray(start, end)).replace(/\s+/g, ' ').trim();
    return text.length < 2 || /\p{Cc}/u.test(text) ? null : text;
  } catch {
    return null;
  }
}
