/**
 * Dispatch and skip, and nothing else: what the scan cannot be faster than in WebAssembly. A table has 128 words a
 * type, one for each tag of one byte. The message is at `MESSAGE`.
 *
 * `walk` trusts its input. It does not check that a varint has at most ten bytes, nor that a value ends inside of its
 * message, nor that a field has its declared wire type: damaged input moves it beyond the message. `checkedWalk` checks
 * all of that, as every reader of untrusted bytes must, and skips fields that its table does not have.
 */

/** The low bits of a word are a kind, or 0 for no field. Above them is 1 + the type of the messages that are descended. */
export const KIND_BITS = 3;
export const VARINT: u32 = 1;
export const FIXED64: u32 = 2;
export const FIXED32: u32 = 3;
export const LEN: u32 = 4;
export const MESSAGES: u32 = 5;
export const TABLES: usize = 65536;
export const MESSAGE: usize = 1048576;
const TOP_BITS: u64 = (u64(0x80808080) << 32) | 0x80808080;

/** Records of the message that ends at `end`; −1: it cannot be read. */
export function walk(end: usize): i32 {
  let p = MESSAGE;
  let limit = end;
  let table = TABLES;
  let top: usize = 1024;
  let records = 0;
  for (;;) {
    if (p >= limit) {
      if (top === 1024) break;
      top -= 8;
      limit = load<u32>(top);
      table = load<u32>(top, 4);
      continue;
    }
    const tag: u32 = load<u8>(p);
    p++;
    let child: u32 = 0;
    if (tag < 128) child = load<u32>(table + (tag << 2)) >>> KIND_BITS;
    else while (load<u8>(p++) >= 128) {}
    records++;
    const wireType = tag & 7;
    if (wireType === 2) {
      let length: u32 = load<u8>(p);
      p++;
      if (length >= 128) {
        length &= 127;
        let byte: u32 = 128;
        for (let shift = 7; byte >= 128; shift += 7) {
          byte = load<u8>(p);
          p++;
          length |= (byte & 127) << shift;
        }
      }
      if (child !== 0) {
        store<u32>(top, u32(limit));
        store<u32>(top, u32(table), 4);
        top += 8;
        limit = p + length;
        table = TABLES + ((child - 1) << 9);
      } else {
        p += length;
      }
    } else if (wireType === 0) {
      const stop = ~load<u64>(p) & TOP_BITS;
      p += stop === 0 ? 10 : usize(ctz(stop) >> 3) + 1;
    } else if (wireType === 1) {
      p += 8;
    } else if (wireType === 5) {
      p += 4;
    } else {
      break;
    }
  }
  return p === limit ? records : -1;
}

/** The width of the varint at `p`; 0: it has more than ten bytes, or more than 64 bits. */
function varintWidth(p: usize): usize {
  const stop = ~load<u64>(p) & TOP_BITS;
  if (stop !== 0) return usize(ctz(stop) >> 3) + 1;
  if (load<u8>(p, 8) < 128) return 9;
  return load<u8>(p, 9) < 2 ? 10 : 0;
}

/** As `walk`, for any bytes: −1 where a record cannot be read. Fields that the table does not have are skipped. */
export function checkedWalk(end: usize): i32 {
  let p = MESSAGE;
  let limit = end;
  let table = TABLES;
  let top: usize = 1024;
  let records = 0;
  for (;;) {
    if (p >= limit) {
      if (top === 1024) break;
      top -= 8;
      limit = load<u32>(top);
      table = load<u32>(top, 4);
      continue;
    }
    const tag: u32 = load<u8>(p);
    let word: u32 = 0;
    if (tag < 128) {
      word = load<u32>(table + (tag << 2));
      p++;
    } else {
      const width = varintWidth(p);
      if (width === 0 || width > 5) return -1;
      p += width;
    }
    let kind = word & ((1 << KIND_BITS) - 1);
    if (kind === 0) {
      const wireType = tag & 7;
      kind = wireType === 0 ? VARINT : wireType === 1 ? FIXED64 : wireType === 5 ? FIXED32 : wireType === 2 ? LEN : 0;
    }
    records++;
    if (kind >= LEN) {
      let length: u32 = load<u8>(p);
      if (length < 128) {
        p++;
      } else {
        const width = varintWidth(p);
        if (width === 0 || width > 5) return -1;
        length = 0;
        for (let at: usize = 0; at < width; at++) length |= (u32(load<u8>(p + at)) & 127) << (7 * u32(at));
        p += width;
      }
      if (p > limit || length > u32(limit - p)) return -1;
      if (kind === MESSAGES) {
        if (top >= TABLES - 8) return -1;
        store<u32>(top, u32(limit));
        store<u32>(top, u32(table), 4);
        top += 8;
        limit = p + length;
        table = TABLES + (((word >>> KIND_BITS) - 1) << 9);
      } else {
        p += length;
      }
    } else {
      if (kind === VARINT) {
        const width = varintWidth(p);
        if (width === 0) return -1;
        p += width;
      } else if (kind === FIXED64) {
        p += 8;
      } else if (kind === FIXED32) {
        p += 4;
      } else {
        return -1;
      }
      if (p > limit) return -1;
    }
  }
  return records;
}
