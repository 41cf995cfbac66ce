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

/**
 * An object by any names: `constructor`, `prototype` and `__proto__` are names of fields as others are. `v.record` drops
 * them. In the path of a fault, an entry is its number, and its value is 1.
 */
export const namedRecord = <Name extends v.GenericSchema<string>, Value extends v.GenericSchema>(
  name: Name,
  of: Value,
) =>
  v.pipe(
    v.custom<object>((value) => typeof value === 'object' && value !== null),
    v.transform(Object.entries),
    v.array(v.tuple([name, of])),
    v.transform((entries) => Object.fromEntries(entries) as v.InferOutput<v.RecordSchema<Name, Value, undefined>>),
  );

/** @param most maximum length */
export const bytesUpTo = (most: number) =>
  v.custom<Uint8Array<ArrayBuffer>>((value) => value instanceof Uint8Array && value.length <= most);

/** Text of a schema file: 8 MiB. */
export const LONG_TEXT = v.pipe(v.string(), v.maxLength(8 << 20));
