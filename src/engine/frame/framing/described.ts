/** A framing that a person describes (described-fields.ts), of a payload. Any bytes pass for it, so it is never detected. */
import { LONGEST_SIZE, prefixReader, readDescription, widthOf } from './described-fields.ts';
import type { Framing } from './framing.ts';
import { framed } from './size-prefixed-framer.ts';

/** Returns a sentence if the text describes no framing. */
export function describedFraming(text: string): Framing | string {
  const description = readDescription(text);
  if (typeof description === 'string') return description;
  const { id, before } = description;
  const readPrefix = prefixReader(description);
  return framed({
    id,
    label: `Described: ${id}`,
    prefix(header, length) {
      const found = readPrefix(header, 0, length);
      if (found === null) return 'more';
      return found === 'no' ? 'bad' : { size: found.size, kind: 'plain', after: found.after };
    },
    longest: before.reduce((sum, field) => sum + widthOf(field, LONGEST_SIZE), 0),
  });
}
