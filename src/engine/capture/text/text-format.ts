/** Recognises messages in protobuf's text format by the grammar. */
import { skim } from '../../text-format/skim.ts';
import { textKind } from './ascii.ts';

export interface TextFormat {
  readonly fields: number;
  /** false: the grammar has a fault after these fields. */
  readonly isSound: boolean;
}

/** Minimum number of fields before a fault that is evidence of the format. */
const MIN_FIELDS = 4;
/** Ordinary text of names and values rarely has a nested message or a quoted string. */
const [OPEN_BRACE, QUOTE] = [0x7b, 0x22];

/** null: not a message. @param head the first bytes, or all of them if `head.length === size` */
export function textFormat(head: Uint8Array, size: number): TextFormat | null {
  if (textKind(head) === 'none') return null;
  const { fields, end } = skim(head, head.length === size);
  if (fields === 0) return null;
  if (end === head.length) return { fields, isSound: true };
  const isEnough = fields >= MIN_FIELDS && end * 2 >= head.length;
  return isEnough && (head.includes(OPEN_BRACE) || head.includes(QUOTE)) ? { fields, isSound: false } : null;
}
