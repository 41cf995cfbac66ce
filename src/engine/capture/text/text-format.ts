/** Whether a text is a message in protobuf's text format, by its grammar. */
import { skim } from '../../text-format/skim.ts';
import { textKind } from './ascii.ts';

export interface TextFormat {
  readonly fields: number;
  /** false: a fault follows. */
  readonly isSound: boolean;
}

/** Fields before a fault that are evidence enough. */
const LEAST_FIELDS = 4;
/** Text of names and values alone seldom has a message, or a text in quotes. */
const [OPEN_BRACE, QUOTE] = [0x7b, 0x22];

/** null: it is not. @param head the first bytes; all of them where `head.length === size` */
export function textFormat(head: Uint8Array, size: number): TextFormat | null {
  if (textKind(head) === 'none') return null;
  const { fields, end } = skim(head, head.length === size);
  if (fields === 0) return null;
  if (end === head.length) return { fields, isSound: true };
  const isEnough = fields >= LEAST_FIELDS && end * 2 >= head.length;
  return isEnough && (head.includes(OPEN_BRACE) || head.includes(QUOTE)) ? { fields, isSound: false } : null;
}
