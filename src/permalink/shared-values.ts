/** The basic values of shared data, with their limits. */
import * as v from 'valibot';

/** Counts, sizes, offsets: integers from 0, exact. */
export const COUNT = v.pipe(
  v.number(),
  v.check((count) => Number.isSafeInteger(count)),
  v.minValue(0),
);

/** Times and errors. */
export const FINITE = v.pipe(
  v.number(),
  v.check((value) => Number.isFinite(value)),
);

/** Names, paths, filters. */
export const NAME = v.pipe(v.string(), v.maxLength(4096));

/** @param most maximum length */
export const bytesUpTo = (most: number) =>
  v.custom<Uint8Array<ArrayBuffer>>((value) => value instanceof Uint8Array && value.length <= most);

/** Text of a schema file: 8 MiB. */
export const LONG_TEXT = v.pipe(v.string(), v.maxLength(8 << 20));
