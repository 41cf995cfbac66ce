/** Edits of a text as a unified diff in the format of `git apply`. */
import { applyTextEdits, type TextEdit } from './text-edit.ts';

/** Unchanged lines around each change. */
const CONTEXT = 3;

interface Region {
  /** Lines of the old text, half-open. */
  readonly from: number;
  readonly to: number;
  readonly lines: readonly string[];
}

/** Empty if nothing changes. @param path the path after `a/` and `b/` */
export function unifiedDiff(path: string, text: string, edits: readonly TextEdit[]): string {
  const lines = linesOf(text);
  return printed(path, lines, regionsOf(text, lines, edits));
}

function printed(path: string, lines: readonly string[], regions: readonly Region[]): string {
  if (regions.length === 0) return '';
  let diff = `--- a/${path}\n+++ b/${path}\n`;
  let grown = 0;
  for (let at = 0; at < regions.length; ) {
    let last = at;
    while (last + 1 < regions.length && regions[last + 1]!.from - regions[last]!.to <= 2 * CONTEXT) last++;
    const some = regions.slice(at, last + 1);
    const from = Math.max(0, some[0]!.from - CONTEXT);
    const to = Math.min(lines.length, some.at(-1)!.to + CONTEXT);
    let body = '';
    let line = from;
    let added = 0;
    for (const region of some) {
      for (; line < region.from; line++) body += marked(' ', lines[line]!);
      for (; line < region.to; line++) body += marked('-', lines[line]!);
      for (const text of region.lines) body += marked('+', text);
      added += region.lines.length - (region.to - region.from);
    }
    for (; line < to; line++) body += marked(' ', lines[line]!);
    diff += `@@ -${range(from, to - from)} +${range(from + grown, to - from + added)} @@\n${body}`;
    grown += added;
    at = last + 1;
  }
  return diff;
}

/** The diff of two texts, by lines. Empty if they are equal. */
export function lineDiff(path: string, before: string, after: string): string {
  const [a, b] = [linesOf(before), linesOf(after)];
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && a.at(-1 - tail) === b.at(-1 - tail)) tail++;
  const regions: Region[] = [];
  let from = head;
  for (const { gone, come } of runsBetween(a.slice(head, a.length - tail), b.slice(head, b.length - tail))) {
    const to = from + gone.length;
    if (gone !== come) regions.push({ from, to, lines: come });
    from = to;
  }
  return printed(path, a, regions);
}

interface Run {
  readonly gone: readonly string[];
  /** The same list as the old lines if the lines stay. */
  readonly come: readonly string[];
}

/** Maximum cells of the table of common lines. In longer texts, all lines between the common ends are one run. */
const MAX_CELLS = 4_000_000;

/** Divides lines into runs that stay and runs that change, by the longest common subsequence. */
function runsBetween(a: readonly string[], b: readonly string[]): readonly Run[] {
  if (a.length === 0 && b.length === 0) return [];
  if (a.length * b.length > MAX_CELLS) return [{ gone: a, come: b }];
  const width = b.length + 1;
  const common = new Uint32Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      const [right, below] = [common[i * width + j + 1]!, common[(i + 1) * width + j]!];
      common[i * width + j] = a[i] === b[j] ? common[(i + 1) * width + j + 1]! + 1 : Math.max(right, below);
    }
  }
  const runs: Run[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    const [from, to] = [i, j];
    while (i < a.length && j < b.length && a[i] === b[j]) {
      i++;
      j++;
    }
    if (i > from) {
      const same = a.slice(from, i);
      runs.push({ gone: same, come: same });
      continue;
    }
    while ((i < a.length || j < b.length) && (i === a.length || j === b.length || a[i] !== b[j])) {
      if (j === b.length || (i < a.length && common[(i + 1) * width + j]! >= common[i * width + j + 1]!)) i++;
      else j++;
    }
    runs.push({ gone: a.slice(from, i), come: b.slice(to, j) });
  }
  return runs;
}

/** Applies a diff of one file, given as lines. undefined: it is not a diff of this text. */
export function applyUnifiedDiff(text: string, diff: readonly string[]): string | undefined {
  const lines = linesOf(text);
  const out: string[] = [];
  let at = 0;
  for (let row = 0; row < diff.length; ) {
    const [, from, count] = /^@@ -(\d+),(\d+) \+\d+,\d+ @@/.exec(diff[row++]!) ?? [];
    if (from === undefined) continue;
    const start = Number(count) === 0 ? Number(from) : Number(from) - 1;
    if (start < at || start > lines.length) return undefined;
    out.push(...lines.slice(at, start));
    at = start;
    for (; row < diff.length && !diff[row]!.startsWith('@@'); row++) {
      const [mark, body] = [diff[row]![0], diff[row]!.slice(1)];
      if (mark === '\\') continue;
      const line = diff[row + 1]?.startsWith('\\') ? body : `${body}\n`;
      if (mark !== '+' && lines[at++] !== line) return undefined;
      if (mark !== '-') out.push(line);
    }
  }
  return [...out, ...lines.slice(at)].join('');
}

/** A diff that creates a file. */
export function newFileDiff(path: string, text: string): string {
  const lines = linesOf(text);
  const body = lines.map((line) => marked('+', line)).join('');
  return `diff --git a/${path} b/${path}\nnew file mode 100644\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1,${lines.length} @@\n${body}`;
}

const range = (from: number, count: number): string => `${count === 0 ? from : from + 1},${count}`;

const marked = (mark: string, line: string): string =>
  line.endsWith('\n') ? mark + line : `${mark}${line}\n\\ No newline at end of file\n`;

const linesOf = (text: string): readonly string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

/** Runs of lines that edits touch, without unchanged lines at their ends. */
function regionsOf(text: string, lines: readonly string[], edits: readonly TextEdit[]): readonly Region[] {
  const starts: number[] = [];
  let offset = 0;
  for (const line of lines) {
    starts.push(offset);
    offset += line.length;
  }
  const lineAt = (position: number): number => {
    let low = 0;
    let high = starts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (starts[middle]! <= position) low = middle + 1;
      else high = middle;
    }
    return Math.max(0, low - 1);
  };
  const groups: { from: number; to: number; edits: TextEdit[] }[] = [];
  for (const edit of edits) {
    const from = lineAt(edit.start);
    const to = lineAt(Math.max(edit.start, edit.end - 1)) + 1;
    const last = groups.at(-1);
    if (last !== undefined && from < last.to) {
      last.to = Math.max(last.to, to);
      last.edits.push(edit);
    } else groups.push({ from, to, edits: [edit] });
  }
  return groups.flatMap((group): Region[] => {
    const start = starts[group.from] ?? 0;
    const end = starts[group.to] ?? text.length;
    const moved = group.edits.map((edit) => ({ ...edit, start: edit.start - start, end: edit.end - start }));
    const after = linesOf(applyTextEdits(text.slice(start, end), moved));
    let head = 0;
    while (head < after.length && group.from + head < group.to && after[head] === lines[group.from + head]) head++;
    let tail = 0;
    while (
      tail < after.length - head &&
      group.to - tail > group.from + head &&
      after.at(-1 - tail) === lines[group.to - 1 - tail]
    ) {
      tail++;
    }
    const region = {
      from: group.from + head,
      to: group.to - tail,
      lines: after.slice(head, after.length - tail),
    };
    return region.from === region.to && region.lines.length === 0 ? [] : [region];
  });
}
