/** A usage with lists of ids written into it → the same in lines that a terminal shows whole. */

const WIDTH = 120;
/** The column at which options are explained. */
const EXPLAINED_FROM = 24;

export const wrapUsage = (usage: string): string => usage.split('\n').flatMap(wrapLine).join('\n');

/** A line continues where its explanation began. */
function wrapLine(line: string): readonly string[] {
  if (line.length <= WIDTH) return [line];
  const isOption = /^ {2}(-\w, | {4})--/.test(line);
  const indent = isOption ? EXPLAINED_FROM : line.length - line.trimStart().length;
  const end = line.lastIndexOf(' ', WIDTH);
  if (end <= indent) return [line];
  return [line.slice(0, end), ...wrapLine(' '.repeat(indent) + line.slice(end + 1))];
}
