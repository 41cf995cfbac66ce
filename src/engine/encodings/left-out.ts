/**
 * The sentences about losses (losses.ts) after which a decoder has no value; the others change its form. Apart from their
 * list, which an embedded figure does not need.
 */
export const leftOut = (sentences: readonly string[]): readonly string[] =>
  sentences.filter((sentence) => /dropped|have no |does not hold/.test(sentence));
