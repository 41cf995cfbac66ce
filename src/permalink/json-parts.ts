/**
 * A document → its JSON, indented by two, in parts: the text is never in memory as a whole. Lists that are `made` exist
 * one element at a time.
 */

const MADE = Symbol('made');

interface Made {
  readonly [MADE]: () => Iterable<unknown>;
}

/** The list of what `make` gives for each of `items`, made when it is printed. */
export const made = <T>(items: Iterable<T>, make: (item: T) => unknown): Made => ({
  *[MADE]() {
    for (const item of items) yield make(item);
  },
});

const isMade = (value: unknown): value is Made => typeof value === 'object' && value !== null && MADE in value;

/** In place of a value that JSON does not have. */
type Replace = (value: unknown) => unknown;

/** Values below this level are printed at once. */
const LEVELS = 4;
/** Characters of a part. */
const PART = 1 << 16;

/** @param replace is called for each value */
export function* jsonParts(value: unknown, replace?: Replace): Generator<string> {
  let part = '';
  for (const piece of piecesOf(value, replace, '')) {
    part += piece;
    if (part.length < PART) continue;
    yield part;
    part = '';
  }
  yield part;
}

function* piecesOf(given: unknown, replace: Replace | undefined, indent: string): Generator<string> {
  const value = replace === undefined ? given : replace(given);
  const within = `${indent}  `;
  const isSplit = typeof value === 'object' && value !== null && within.length <= 2 * LEVELS;
  if (isMade(value) || (isSplit && Array.isArray(value) && value.some((item) => typeof item !== 'number'))) {
    let before = '[';
    for (const item of isMade(value) ? value[MADE]() : value) {
      yield `${before}\n${within}`;
      yield* piecesOf(item ?? null, replace, within);
      before = ',';
    }
    yield before === '[' ? '[]' : `\n${indent}]`;
  } else if (isSplit && !Array.isArray(value)) {
    let before = '{';
    for (const [key, part] of Object.entries(value)) {
      if (part === undefined) continue;
      yield `${before}\n${within}${JSON.stringify(key)}: `;
      yield* piecesOf(part, replace, within);
      before = ',';
    }
    yield before === '{' ? '{}' : `\n${indent}}`;
  } else yield printed(value, replace).replaceAll('\n', `\n${indent}`);
}

/** The document of `jsonParts`, for a value without lists that are `made`. */
export const jsonText = (value: unknown): string => printed(value, undefined);

/** Lists of numbers in one line; no string can match, because its line ends are escaped. */
const printed = (value: unknown, replace: Replace | undefined): string =>
  JSON.stringify(value, replace && ((_, inner: unknown) => replace(inner)), 2).replace(
    /\[\n\s*\d+(?:,\n\s*\d+)*\n\s*\]/g,
    (list) => list.replace(/\s+/g, ' ').replace('[ ', '[').replace(' ]', ']'),
  );
