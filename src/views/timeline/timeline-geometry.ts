/**
 * Bins of a timeline → areas about a middle line: requests above, responses below, on one scale.
 *
 *   ▂▅▁ ▂   requests
 *   ───────
 *   ▇█▃ ▂   responses
 */
import type { Timeline } from '#state/session-state.ts';

export interface TimelinePaths {
  /** SVG paths: everything, and what is chosen of it. */
  readonly all: string;
  readonly chosen: string;
  /** y of the line between the lanes. */
  readonly middle: number;
  /** Bytes of the fullest bin. */
  readonly peak: number;
}

export function layOutTimeline(timeline: Timeline, width: number, height: number): TimelinePaths {
  const { requests, responses, chosenRequests, chosenResponses } = timeline;
  const up = Math.max(0, ...requests);
  const down = Math.max(0, ...responses);
  const peak = Math.max(up, down);
  // Both lanes are to one scale, and each gets the room that its fullest bin needs.
  const perByte = up + down === 0 ? 0 : height / (up + down);
  const middle = up * perByte;
  const step = width / requests.length;
  const bars = (above: Float64Array, below: Float64Array): string => {
    let path = '';
    for (let bin = 0; bin < above.length; bin++) {
      const top = above[bin]! === 0 ? 0 : Math.max(0.75, above[bin]! * perByte);
      const bottom = below[bin]! === 0 ? 0 : Math.max(0.75, below[bin]! * perByte);
      if (top + bottom === 0) continue;
      path += `M${round(bin * step)} ${round(middle - top)}h${round(step)}v${round(top + bottom)}h${round(-step)}z`;
    }
    return path;
  };
  return { all: bars(requests, responses), chosen: bars(chosenRequests, chosenResponses), middle, peak };
}

const round = (value: number): number => Math.round(value * 100) / 100;
