/**
 * A comment wrapped at some eighty columns → the same without the line breaks that only wrap it,
 * so that it can be shown in any width. Paragraphs, lists, tables and code keep their lines; of empty ones one stays.
 */

/** Narrower text was not broken for lack of room, and authors of wider lines do not break them. */
const NARROWEST = 40;
const WIDEST = 130;

/** Share of the widest line. A line that the next word would have made longer than this was broken for lack of room. */
const FULL = 0.8;
/** Where a sentence ends the line may end for that, unless it has no room. */
const FULL_AFTER_SENTENCE = 1;

/** Begins a line of its own: an element of a list or table, a heading, a tag, a remark. */
const OWN_LINE = /^(?:[-*+•#>|@=~]|```|\(?\d{1,3}[.):]\s|\(?[a-z][.)]\s|[A-Z]{3,}:)/;

export function unwrapped(written: string): string {
  const comment = written.replaceAll(/\n{3,}/g, '\n\n');
  const lines = comment.split('\n');
  const widest = lines.reduce((most, { length }) => Math.max(most, length), 0);
  if (widest < NARROWEST || widest > WIDEST) return comment;
  const joined: string[] = [];
  let isCode = false;
  /** The last line as it was written; null: nothing follows on it. */
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
