/** A usage with lists of ids written into it → the same in lines that a terminal shows whole. */

const WIDTH = 120;
/** The column at which options are explained. */
const EXPLAINED_FROM = 24;

export function wrapUsage(usage: string): string {
  const lines = usage.split('\n');
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!;
    if (line.length <= WIDTH) continue;
    // A line continues where its explanation began.
    const indent = OPTION.test(line) ? EXPLAINED_FROM : indentOf(line);
    const end = line.lastIndexOf(' ', WIDTH);
    if (end <= indent) continue;
    const rest = ' '.repeat(indent) + line.slice(end + 1);
    const next = lines[at + 1] ?? '';
    const goesOn = next.trim() !== '' && !OPTION.test(next) && indentOf(next) === indent;
    lines.splice(at, goesOn ? 2 : 1, line.slice(0, end), goesOn ? `${rest} ${next.trimStart()}` : rest);
  }
  return lines.join('\n');
}

const OPTION = /^ {2}(-\w, | {4})--/;
const indentOf = (line: string): number => line.length - line.trimStart().length;
