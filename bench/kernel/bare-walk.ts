/**
 * Dispatch and skip, and nothing else: what the scan cannot be faster than in WebAssembly. A table has 128 words a
 * type, one for each tag of one byte: 0, or 1 + the type of the messages that are descended. The message is at
 * `MESSAGE`.
 */
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
    if (tag < 128) child = load<u32>(table + (tag << 2));
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
