/** A document → its JSON, indented by two, in parts. Lists that are `made` exist one element at a time. */

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

export function* jsonParts(value: unknown, indent = ''): Generator<string> {
  const within = `${indent}  `;
  if (isMade(value)) {
    let isEmpty = true;
    for (const item of value[MADE]()) {
      yield `${isEmpty ? '[' : ','}\n${within}`;
      yield* jsonParts(item, within);
      isEmpty = false;
    }
    yield isEmpty ? '[]' : `\n${indent}]`;
  } else if (typeof value === 'object' && value !== null && Object.values(value).some(isMade)) {
    let before = '{';
    for (const [key, part] of Object.entries(value)) {
      if (part === undefined) continue;
      yield `${before}\n${within}${JSON.stringify(key)}: `;
      yield* jsonParts(part, within);
      before = ',';
    }
    yield `\n${indent}}`;
  } else yield printed(value).replaceAll('\n', `\n${indent}`);
}

/** Lists of numbers in one line; no string can match, because its line ends are escaped. */
const printed = (value: unknown): string =>
  JSON.stringify(value, null, 2).replace(/\[\s+\d+(?:,\s+\d+)*\s+\]/g, (list) =>
    list.replace(/\s+/g, ' ').replace('[ ', '[').replace(' ]', ']'),
  );
