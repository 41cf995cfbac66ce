/**
 * One line on standard error that says how far a long command is, if standard error is a terminal. The line is written
 * again and again in its place, and erased before anything else is printed.
 */
import { visible } from '#wording/visible.ts';
import { printPercent } from './text-table.ts';

interface ProgressLine {
  readonly write: (text: string) => void;
  /** Characters that fit in a line. */
  readonly width: number;
  /** Milliseconds since the start of the program before the line appears, and between two updates. */
  readonly after: number;
  readonly between: number;
}

let line: ProgressLine | null = null;
let updated = Number.NEGATIVE_INFINITY;
let isShown = false;

const ERASE = '\r\x1b[K';

/** @param shown null: standard error is not a terminal */
export function showProgress(shown: ProgressLine | null): void {
  eraseProgress();
  line = shown;
}

export function eraseProgress(): void {
  if (isShown) line?.write(ERASE);
  isShown = false;
  updated = Number.NEGATIVE_INFINITY;
}

/** @param doing subject of the line: `Reading big.pcap` @returns takes the finished part of a total, in any unit */
export const progressOf =
  (doing: string) =>
  (done: number, total: number): void => {
    if (line === null) return;
    const now = performance.now();
    if (now < line.after || now - updated < line.between) return;
    updated = now;
    isShown = true;
    const share = total > 0 ? ` ${printPercent(done / total)}` : '';
    const subject = visible(doing).slice(0, Math.max(0, line.width - share.length - 2));
    line.write(`${ERASE}${subject} …${share}`);
  };
