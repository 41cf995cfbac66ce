/** One bar of stacked categories. A table of many bars draws the patterns once and passes their prefix. */
import type { ReactNode } from 'react';
import { describeSegments, type LedgerSegment } from '#engine/cost/ledger-segments.ts';
import { formatCount } from '#wording/number-text.ts';
import { categoryFill } from './category-patterns.tsx';
import { type BarScale, layOutLedgerBar } from './ledger-bar-geometry.ts';

export interface LedgerBarProps {
  readonly segments: readonly LedgerSegment[];
  readonly scale: BarScale;
  readonly width: number;
  readonly height: number;
  /** Prefix of the patterns drawn by an enclosing `CategoryPatterns`. */
  readonly patterns: string;
  /** The name in front of the figures: `protobuf`, `native`. */
  readonly label: string;
  readonly y?: number;
}

/** An SVG group, to be placed in an `svg`. `data-bytes` has the bytes that a length stands for, for tests and tools. */
export function LedgerBar({ segments, scale, width, height, patterns, label, y = 0 }: LedgerBarProps): ReactNode {
  return (
    <g transform={y === 0 ? undefined : `translate(0 ${y})`}>
      <title>{`${label}: ${describeSegments(segments, formatCount)}`}</title>
      {layOutLedgerBar(segments, { width, scale }).map(({ category, bytes, x, width: length }) => (
        <rect
          key={category}
          data-bytes={bytes}
          x={x}
          width={length}
          height={height}
          fill={categoryFill(patterns, category)}
        />
      ))}
    </g>
  );
}
