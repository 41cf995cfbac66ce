/** The accumulators of one row of a scan: 64 numbers, so that a row's place is a shift. */
export const STRIDE_BITS = 6;

export const Cell = {
  /** The message instance that was last seen with this field, and how many elements it has so far. */
  LAST: 0,
  IN_INSTANCE: 1,
  /** Instances in which a repeated field is present; of a singular one, those are its records less REPEATS. */
  PRESENT: 2,
  /** Records of fixed width, groups and unknown numbers; all others are counted by the widths of length or value. */
  RECORDS: 3,
  /** Payload bytes of strings, bytes and unknown records. */
  VALUE: 4,
  PACKED_RUNS: 5,
  PACKED_ELEMENTS: 6,
  /** Bytes that VInt counts of the elements take beyond one per instance. */
  COUNT_EXTRA: 7,
  /** Smallest payload (plus one, 0: none yet) and largest, of length-prefixed and unknown records. */
  MIN_SIZE: 8,
  MAX_SIZE: 9,
  /** Bytes of overlong tags beyond the shortest form. */
  TAG_EXTRA: 10,
  END_TAG: 11,
  /** Records that hold the default value of a field with implicit presence. */
  ZEROS: 12,
  /** Bytes of overlong lengths and values beyond the shortest form. */
  OVERLONG: 13,
  /** What counting UTF-16 units instead of bytes adds to the length prefixes (≤ 0), and CESU-8 to the bodies (≥ 0). */
  TEXT_LENGTH: 14,
  TEXT_BODY: 15,
  /**
   * Varint values, packed elements included: two cells a width, (width − 1) · 2, and one more for the values whose last
   * byte uses all seven bits: as zigzag they are one byte wider.
   */
  WIDTHS: 16,
  /** Length prefixes by width − 1. */
  LENGTH_WIDTHS: 36,
  /** Negative int32, int64 and enum values by their zigzag width − 1. */
  NEGATIVES: 46,
  /** Further records of a singular field in the same message. */
  REPEATS: 56,
} as const;
