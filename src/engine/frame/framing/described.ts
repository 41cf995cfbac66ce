/** A framing that a person describes (described-fields.ts). Any bytes pass for it, so it is never detected. */
import { varintNumber } from '../../bytes/varint.ts';
import { type Description, type Field, readDescription } from './described-fields.ts';
import type { Framing } from './framing.ts';
import { framed, type SizePrefix } from './size-prefixed-framer.ts';

/** Longer varints are not accepted as sizes, as in `sizes.ts`. */
const VARINT_BYTES = 8;

/** Returns a sentence if the text describes no framing. */
export function describedFraming(text: string): Framing | string {
  const description = readDescription(text);
  if (typeof description === 'string') return description;
  const { id, before } = description;
  return framed({
    id,
    label: `Described: ${id}`,
    prefix: prefixOf(description),
    longest: before.reduce((sum, field) => sum + widthOf(field, VARINT_BYTES), 0),
  });
}

function prefixOf({ before, behind }: Description): SizePrefix {
  const after = behind.reduce((sum, { width }) => sum + width, 0);
  const countedBehind = behind.reduce((sum, { width, isCounted }) => sum + (isCounted ? width : 0), 0);
  return (header, length) => {
    let at = 0;
    let size = 0;
    /** Counted bytes that are not the message's. */
    let counted = countedBehind;
    for (const field of before) {
      let width = widthOf(field, 0);
      if (field.kind === 'constant' && field.bytes.some((byte, n) => at + n < length && header[at + n] !== byte))
        return 'bad';
      if (field.kind === 'size' && field.width === 'varint') {
        while (at + width < length && header[at + width]! >= 0x80) width++;
        width++;
        if (width > VARINT_BYTES) return 'bad';
      }
      if (at + width > length) return 'more';
      if (field.kind === 'size')
        size =
          field.width === 'varint' ? varintNumber(header, at, at + width) : integer(header, at, width, field.isLittle);
      if (field.isCounted) counted += width;
      at += width;
    }
    size -= counted;
    return size < 0 ? 'bad' : { size, kind: 'plain', after };
  };
}

/** In bytes. @param varint the width of a varint */
function widthOf(field: Field, varint: number): number {
  if (field.kind === 'constant') return field.bytes.length;
  return field.width === 'varint' ? varint : field.width;
}

/** An integer of more than 53 bits is not exact, but larger than any input. */
function integer(bytes: Uint8Array, from: number, width: number, isLittle: boolean): number {
  let value = 0;
  for (let n = 0; n < width; n++) value = value * 256 + bytes[from + (isLittle ? width - 1 - n : n)]!;
  return value;
}
