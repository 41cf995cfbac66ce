/** Skipping over what has no field: a value of unknown number, or a whole group. */

/** The end of a varint, I64, LEN or I32 value; −1 − the offset up to which it could be read, if it cannot be. */
export function skipValue(bytes: Uint8Array, p: number, limit: number, wireType: number): number {
  if (wireType === 1 || wireType === 5) {
    const size = wireType === 1 ? 8 : 4;
    return limit - p < size ? -1 - p : p + size;
  }
  let byte = 128;
  let width = 0;
  let value = 0;
  let scale = 1;
  let at = p;
  while (byte >= 128) {
    if (at === limit || width === 10) return -1 - p;
    byte = bytes[at++]!;
    width++;
    value += (byte & 127) * scale;
    scale *= 128;
  }
  if (width === 10 && byte > 1) return -1 - p;
  if (wireType === 0) return at;
  return value > limit - at ? -1 - at : at + value;
}

export interface SkippedGroup {
  /** Where reading stopped: behind the end tag, or where the rest of the region cannot be read. */
  readonly end: number;
  /** Bytes of the end tag; 0: the group ends nowhere. */
  readonly endTag: number;
}

/**
 * A group whose start tag ends at `p`. A record that cannot be read counts as not read from its tag on; of one that is cut short, tag and length are read.
 */
export function skipGroup(bytes: Uint8Array, p: number, limit: number, number: number): SkippedGroup {
  const open = [number];
  let at = p;
  while (at < limit) {
    const recordStart = at;
    let byte = 128;
    let width = 0;
    let tag = 0;
    let scale = 1;
    while (byte >= 128) {
      if (at === limit || width === 10) return { end: recordStart, endTag: 0 };
      byte = bytes[at++]!;
      width++;
      tag += (byte & 127) * scale;
      scale *= 128;
    }
    const wireType = tag & 7;
    if ((width === 10 && byte > 1) || tag < 8 || tag > 0xffffffff || wireType > 5)
      return { end: recordStart, endTag: 0 };
    if (wireType === 3) {
      open.push(tag >>> 3);
    } else if (wireType === 4) {
      if (open.pop() !== tag >>> 3) return { end: recordStart, endTag: 0 };
      if (open.length === 0) return { end: at, endTag: at - recordStart };
    } else {
      const end = skipValue(bytes, at, limit, wireType);
      if (end < 0) return { end: wireType === 2 && -1 - end > at ? -1 - end : recordStart, endTag: 0 };
      at = end;
    }
  }
  return { end: at, endTag: 0 };
}
