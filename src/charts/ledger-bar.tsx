/** One bar of stacked categories. The table that holds many draws the patterns once and passes their prefix. */
import type { ReactNode } from 'react';
import { describeSegments, type Segment } from '#engine/cost/ledger-segments.ts';
import { formatCount } from '#wording/number-text.ts';
import { categoryFill } from './category-patterns.tsx';
import { layOutLedgerBar } from './ledger-bar-geometry.ts';

export interface LedgerBarProps {
  readonly segments: readonly Segment[];
  /** Bytes that fill `width`. */
  readonly scale: number;
  readonly width: number;
  readonly height: number;
  /** Prefix of the patterns drawn by an enclosing `CategoryPatterns`. */
  readonly patterns: string;
  /** Said before the figures: `protobuf`, `native`. */
  readonly label: string;
  readonly y?: number;
}

/** An SVG group, to be placed in an `svg`. */
export function LedgerBar({ segments, scale, width, height, patterns, label, y = 0 }: LedgerBarProps): ReactNode {
  const { rects, breakAt } = layOutLedgerBar(segments, { width, scale });
  return (
    <g transform={y === 0 ? undefined : `translate(0 ${y})`}>
      <title>{`${label}: ${describeSegments(segments, formatCount)}`}</title>
      {rects.map(({ category, x, width: length }) => (
        <rect key={category} x={x} width={length} height={height} fill={categoryFill(patterns, category)} />
      ))}
      {breakAt !== null && <BreakMark x={breakAt} height={height} />}
    </g>
  );
}

/** Two slanted cuts: what is drawn left of them is not to scale with what lies beyond. */
export function BreakMark({ x, height }: { readonly x: number; readonly height: number }): ReactNode {
  const cut = `M${x - 1.5} ${height + 1} L${x + 1.5} -1 M${x + 2.5} ${height + 1} L${x + 5.5} -1`;
  return <path d={cut} stroke="var(--paper)" strokeWidth={1.6} fill="none" />;
}
