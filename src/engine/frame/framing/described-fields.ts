/**
 * A framing of the user's own, described by the fields around each message, in their order:
 *
 *   le32 [1 message]            a size, which counts a byte and the message after it
 *   0xcafe 2 be32 message 4     two bytes that are always these, two to skip, the size of the message, four behind it
 *   [be16 1 message]            a size that counts itself
 *
 *   u8 be16 be24 be32 be64 le16 le24 le32 le64 varint    the size
 *   a number                                             bytes to skip
 *   0x and digits                                        bytes that are always these
 *   message                                              the message
 *   [ ]                                                  what the size counts; without them, the message alone
 */
import { integerAt } from '../../bytes/integers.ts';
import { varintNumber } from '../../bytes/varint.ts';
import { countText } from '../../model/count-text.ts';

/** Limits of a description: a link may hold any. All fields are read again for each byte of a header. */
const MAX_BYTES = 65_536;
const MAX_FIELDS = 16;
const MAX_CONSTANTS = 16;

/** Longer varints are not accepted as sizes, as in `sizes.ts`. */
export const LONGEST_SIZE = 8;

const SIZE = /^(?:u8|varint|(?<order>be|le)(?<bits>16|24|32|64))$/;

const FORM =
  'For example: le32 [1 message], a size that counts a byte and the message. Sizes are u8, be16, be24, be32, be64, le16, le24, le32, le64 and varint; a number skips bytes; 0x and digits are bytes that are always there.';

export type Field = Size | Skipped | Constant;

/** The size. `width` in bytes. */
export interface Size {
  readonly kind: 'size';
  readonly width: number | 'varint';
  readonly isLittle: boolean;
  readonly isCounted: boolean;
}

interface Skipped {
  readonly kind: 'skipped';
  readonly width: number;
  readonly isCounted: boolean;
}

interface Constant {
  readonly kind: 'constant';
  readonly bytes: readonly number[];
  readonly isCounted: boolean;
}

export interface Description {
  /** The same description in one form, with any spaces. */
  readonly id: string;
  readonly before: readonly Field[];
  readonly behind: readonly Skipped[];
}

/** Returns a sentence if the text describes no framing. */
export function readDescription(text: string): Description | string {
  const words = text.match(/[[\]]|[^\s[\],]+/g) ?? [];
  const brackets = words.filter((word) => word === '[' || word === ']').join('');
  if (brackets !== '' && brackets !== '[]') return 'Brackets stand once, around what the size counts.';
  const before: Field[] = [];
  const behind: Skipped[] = [];
  let isCounted = false;
  let hasMessage = false;
  for (const word of words) {
    if (word === '[' || word === ']') {
      isCounted = word === '[';
      continue;
    }
    if (word === 'message' && !hasMessage) {
      if (brackets !== '' && !isCounted) return 'The message has to stand between the brackets.';
      hasMessage = true;
      continue;
    }
    const field = readField(word, isCounted);
    if (field === null) return `${word} is not a field. ${FORM}`;
    if (!hasMessage) before.push(field);
    else if (field.kind === 'skipped') behind.push(field);
    else return 'Only a number of bytes may stand behind the message.';
  }
  if (!hasMessage || before.filter(({ kind }) => kind === 'size').length !== 1)
    return `There has to be one size, and the message behind it. ${FORM}`;
  const fields = [...before, ...behind];
  const constants = fields.reduce((sum, field) => sum + (field.kind === 'constant' ? field.bytes.length : 0), 0);
  const bytes = fields.reduce((sum, field) => sum + widthOf(field, LONGEST_SIZE), 0);
  if (fields.length > MAX_FIELDS || constants > MAX_CONSTANTS || bytes > MAX_BYTES)
    return `At most ${MAX_FIELDS} fields, ${MAX_CONSTANTS} bytes that are always there and ${countText(MAX_BYTES)} bytes in all are read around a message.`;
  return { id: words.join(' ').replace('[ ', '[').replace(' ]', ']'), before, behind };
}

/** Why an id that is not one of `ids` is refused, in a sentence. @param fault that of its description */
export const framingFault = (id: string, ids: readonly string[], fault: string): string =>
  /\bmessage\b/.test(id)
    ? `${id} does not describe a framing. ${fault}`
    : `There is no framing ${id}. There are ${ids.join(', ')}, or a description as le32 [1 message].`;

function readField(word: string, isCounted: boolean): Field | null {
  const size = SIZE.exec(word);
  if (size !== null) {
    const { order, bits } = size.groups!;
    const width = word === 'varint' ? word : bits === undefined ? 1 : Number(bits) / 8;
    return { kind: 'size', width, isLittle: order === 'le', isCounted };
  }
  if (/^0x(?:[0-9a-f]{2})+$/i.test(word)) {
    const bytes = word
      .slice(2)
      .match(/../g)!
      .map((pair) => Number.parseInt(pair, 16));
    return { kind: 'constant', bytes, isCounted };
  }
  const width = /^\d{1,5}$/.test(word) ? Number(word) : 0;
  return width > 0 && width <= MAX_BYTES ? { kind: 'skipped', width, isCounted } : null;
}

/** Sizes of the fields before a message, of the message and of the fields behind it. */
interface Sizes {
  readonly prefix: number;
  readonly size: number;
  readonly after: number;
}

/** Reads the fields before a message, within `[at, end)`. null: more bytes are needed; `no`: they are others. */
export function prefixReader({
  before,
  behind,
}: Description): (bytes: Uint8Array, at: number, end: number) => Sizes | null | 'no' {
  const after = behind.reduce((sum, { width }) => sum + width, 0);
  const countedBehind = behind.reduce((sum, { width, isCounted }) => sum + (isCounted ? width : 0), 0);
  return (bytes, start, end) => {
    let at = start;
    let size = 0;
    /** Counted bytes that are not the message's. */
    let counted = countedBehind;
    for (const field of before) {
      let width = widthOf(field, 0);
      if (field.kind === 'constant' && field.bytes.some((byte, n) => at + n < end && bytes[at + n] !== byte))
        return 'no';
      if (field.kind === 'size' && field.width === 'varint') {
        while (at + width < end && bytes[at + width]! >= 0x80) width++;
        width++;
        if (width > LONGEST_SIZE) return 'no';
      }
      if (at + width > end) return null;
      if (field.kind === 'size')
        size =
          field.width === 'varint' ? varintNumber(bytes, at, at + width) : integerAt(bytes, at, width, field.isLittle);
      if (field.isCounted) counted += width;
      at += width;
    }
    size -= counted;
    return size < 0 ? 'no' : { prefix: at - start, size, after };
  };
}

/** In bytes. @param varint the width of a varint */
export function widthOf(field: Field, varint: number): number {
  if (field.kind === 'constant') return field.bytes.length;
  return field.width === 'varint' ? varint : field.width;
}
