/**
 * Bins of a timeline → areas from one base line: requests, and responses on top of them. One scale for both; the
 * fullest bin fills the height.
 *
 *      ▇
 *   ▂  █▃     responses
 *   ▅▁ ▅▂ ▂   requests
 *   ────────
 */
import type { Timeline } from '#state/session-state.ts';

export interface TimelinePaths {
  /** SVG paths: all messages, and the chosen ones. */
  readonly requests: string;
  readonly responses: string;
  readonly chosenRequests: string;
  readonly chosenResponses: string;
  /** Bytes of the fullest bin. */
  readonly peak: number;
}

export function layOutTimeline(timeline: Timeline, width: number, height: number): TimelinePaths {
  const { requests, responses, chosenRequests, chosenResponses } = timeline;
  const peak = requests.reduce((most, bytes, bin) => Math.max(most, bytes + responses[bin]!), 0);
  const perByte = peak === 0 ? 0 : height / peak;
  const step = width / requests.length;
  /** Bars of `bytes`, each on top of the bytes of `below`. */
  const bars = (bytes: Float64Array, below?: Float64Array): string => {
    let path = '';
    for (let bin = 0; bin < bytes.length; bin++) {
      if (bytes[bin] === 0) continue;
      const bottom = height - (below?.[bin] ?? 0) * perByte;
      const length = bytes[bin]! * perByte;
      path += `M${round(bin * step)} ${round(bottom - length)}h${round(step)}v${round(length)}h${round(-step)}z`;
    }
    return path;
  };
  return {
    requests: bars(requests),
    responses: bars(responses, requests),
    chosenRequests: bars(chosenRequests),
    chosenResponses: bars(chosenResponses, requests),
    peak,
  };
}

const round = (value: number): number => Math.round(value * 1000) / 1000;
