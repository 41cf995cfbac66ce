/** The basic values of shared data, with their limits. */
import * as v from 'valibot';

/** Counts, sizes, offsets: integers from 0, exact. */
export const COUNT = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

/** Names, paths, filters. */
export const NAME = v.pipe(v.string(), v.maxLength(4096));

/** Text of a schema file: 8 MiB. */
export const LONG_TEXT = v.pipe(v.string(), v.maxLength(8 << 20));
