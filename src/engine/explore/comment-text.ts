/**
 * A comment that was wrapped at about eighty columns → the comment without those line breaks, so that it can be shown
 * at any width. Paragraphs, lists, tables and code keep their line breaks. Several empty lines become one.
 */

/** Narrower text was not wrapped, and authors of wider lines do not wrap them. */
const NARROWEST = 40;
const WIDEST = 130;

/** Share of the widest line. A line was wrapped if the next word would have made it longer than this. */
const FULL = 0.8;
/** A line that ends with a sentence was only wrapped if there was no room at all for the next word. */
const FULL_AFTER_SENTENCE = 1;

/** Text that begins a line of its own: an element of a list or table, a heading, a tag, a remark. */
const OWN_LINE = /^(?:[-*+•#>|@=~]|```|\(?\d{1,3}[.):]\s|\(?[a-z][.)]\s|[A-Z]{3,}:)/;

export function unwrapped(written: string): string {
  const comment = written.replaceAll(/\n{3,}/g, '\n\n');
  const lines = comment.split('\n');
  const widest = lines.reduce((most, { length }) => Math.max(most, length), 0);
  if (widest < NARROWEST || widest > WIDEST) return comment;
  const joined: string[] = [];
  let isCode = false;
  /** The last line as written; null: nothing is appended to it. */
  let before: string | null = null;
  for (const line of lines) {
    const isFence = line.startsWith('```');
    if (before !== null && !isCode && !OWN_LINE.test(line) && isBrokenForRoom(before, line, widest)) {
      joined.push(`${joined.pop()} ${line}`);
    } else joined.push(line);
    if (isFence) isCode = !isCode;
    before = isFence || line === '' ? null : line;
  }
  return joined.join('\n');
}

function isBrokenForRoom(line: string, next: string, widest: number): boolean {
  if (next === '') return false;
  const firstWord = next.indexOf(' ') < 0 ? next.length : next.indexOf(' ');
  const full = /[.:!?;]$/.test(line) ? FULL_AFTER_SENTENCE : FULL;
  return line.length + 1 + firstWord > widest * full;
}
