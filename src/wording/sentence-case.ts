/** `Fixed …` → `fixed …` within a sentence; names and abbreviations such as `UTF-8` stay. */
export const lowerFirst = (text: string): string =>
  /^[A-Z][a-z]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;

/** `Protobuf` → `protobuf`, `Native as captured` → `native as captured` within a sentence; names such as `JSON` stay. */
export const encodingInSentence = (label: string): string => label.replace(/^[PN]/, (letter) => letter.toLowerCase());
