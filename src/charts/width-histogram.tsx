/** The histogram of a field's varint widths: one row a width, with its figures as numbers. */

import type { ReactNode } from 'react';
import type { WidthCounts } from '#engine/cost/profile.ts';
import { varintWidths } from '#wording/chart-words.ts';
import { formatCount, formatPercent } from '#wording/number-text.ts';
import { CategoryPatterns, categoryFill } from './category-patterns.tsx';
import { titledSvg } from './titled-svg.tsx';
import { layOutWidthHistogram, MAX_WIDTH, type WidthMeasure } from './width-histogram-geometry.ts';

const ROW = 18;
const BAR = 10;
const HEAD = 20;
const LEFT = 40;

export interface WidthHistogramProps {
  /** Prefix of the ids in the picture. */
  readonly id: string;
  readonly widths: WidthCounts;
  readonly of: 'tag' | 'length' | 'value';
  readonly measure: WidthMeasure;
  readonly width: number;
}

export function WidthHistogram({ id, widths, of, measure, width }: WidthHistogramProps): ReactNode {
  const figures = width < 380 ? { count: 54, share: 6 } : { count: 66, share: 6 };
  const right = figures.count + 84;
  const { bars, count, bytes } = layOutWidthHistogram(widths, {
    measure,
    max: MAX_WIDTH[of],
    plotWidth: Math.max(20, width - LEFT - right),
  });
  const height = HEAD + bars.length * ROW + 2;
  const used = bars.filter((bar) => bar.count > 0);
  return titledSvg(
    {
      id,
      className: 'chart',
      width,
      height,
      title: `Widths of the ${of} varints`,
      description: varintWidths(count, bytes, used),
    },
    <>
      <CategoryPatterns prefix={id} categories={[of]} />
      <g fill="var(--ink-muted)" fontSize={11}>
        <text x={LEFT - 10} y={12} textAnchor="end">
          width
        </text>
        <text x={width - figures.count} y={12} textAnchor="end">
          {measure === 'count' ? 'varints' : 'bytes'}
        </text>
        <text x={width - figures.share} y={12} textAnchor="end">
          share
        </text>
      </g>
      <line x1={LEFT - 4.5} x2={LEFT - 4.5} y1={HEAD} y2={height - 2} stroke="var(--rule)" />
      {bars.map((bar, index) => {
        const y = HEAD + index * ROW;
        const baseline = y + ROW / 2 + 4;
        const ink = bar.count === 0 ? 'var(--ink-muted)' : 'var(--ink)';
        return (
          <g key={bar.size}>
            <text x={LEFT - 10} y={baseline} textAnchor="end" fill={ink}>
              {bar.size}
            </text>
            <rect
              data-bytes={bar[measure]}
              x={LEFT}
              y={y + (ROW - BAR) / 2}
              width={bar.length}
              height={BAR}
              fill={categoryFill(id, of)}
            />
            <text x={width - figures.count} y={baseline} textAnchor="end" fill={ink}>
              {bar.count === 0 ? '·' : formatCount(bar[measure])}
            </text>
            <text x={width - figures.share} y={baseline} textAnchor="end" fill="var(--ink-muted)">
              {bar.count === 0 ? '' : formatPercent(bar.share)}
            </text>
          </g>
        );
      })}
    </>,
  );
}
