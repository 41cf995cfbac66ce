/** The presence break-even chart of a field: protobuf solid, native dashed, the observed presence marked. */

import type { ReactNode } from 'react';
import { CHART_TITLES } from '#wording/chart-words.ts';
import { type BreakEven, describeBreakEven, layOutBreakEven } from './break-even-geometry.ts';
import { titledSvg } from './titled-svg.tsx';

export interface BreakEvenChartProps {
  /** Prefix of the ids in the picture. */
  readonly id: string;
  readonly even: BreakEven;
  readonly width: number;
}

const HEIGHT = 200;

export function BreakEvenChart({ id, even, width }: BreakEvenChartProps): ReactNode {
  const { plot, protobuf, native, areas, crossing, observed, xTicks, yTicks } = layOutBreakEven(even, {
    width,
    height: HEIGHT,
  });
  const words = describeBreakEven(even);
  const nearRight = observed.x > plot.right - 60;
  return titledSvg(
    {
      id,
      className: 'chart',
      width,
      height: HEIGHT,
      fontSize: 11,
      title: CHART_TITLES.presence,
      description: `${words.rule} ${words.here}`,
    },
    <>
      <g fill="var(--ink-muted)">
        {yTicks.map(({ at, label }) => (
          <g key={label}>
            <line x1={plot.left} x2={plot.right} y1={at} y2={at} stroke="var(--rule)" />
            <text x={plot.left - 6} y={at + 4} textAnchor="end">
              {label}
            </text>
          </g>
        ))}
        {xTicks.map(({ at, label }) => (
          <g key={label}>
            <line x1={at} x2={at} y1={plot.bottom} y2={plot.bottom + 4} stroke="var(--rule)" />
            <text x={at} y={plot.bottom + 16} textAnchor="middle">
              {label}
            </text>
          </g>
        ))}
        <text x={(plot.left + plot.right) / 2} y={HEIGHT - 3} textAnchor="middle">
          presence, % of parents
        </text>
        <text x={0} y={9}>
          bytes per parent
        </text>
      </g>
      {areas.map(({ smaller, points }) => (
        <polygon
          key={smaller}
          points={points}
          fill={smaller === 'protobuf' ? 'var(--good)' : 'var(--bad)'}
          fillOpacity={0.1}
        />
      ))}
      <line
        x1={native.x1}
        y1={native.y1}
        x2={native.x2}
        y2={native.y2}
        stroke="var(--ink)"
        strokeWidth={1.5}
        strokeDasharray="5 3"
      />
      <line x1={protobuf.x1} y1={protobuf.y1} x2={protobuf.x2} y2={protobuf.y2} stroke="var(--ink)" strokeWidth={1.5} />
      <g fill="var(--ink)">
        <text x={plot.right + 8} y={native.labelY}>
          {native.label}
        </text>
        <text x={plot.right + 8} y={protobuf.labelY}>
          {protobuf.label}
        </text>
      </g>
      {crossing !== null && (
        <circle cx={crossing.x} cy={crossing.y} r={3.5} fill="var(--paper)" stroke="var(--ink)" strokeWidth={1.2} />
      )}
      <line x1={observed.x} x2={observed.x} y1={plot.top} y2={plot.bottom} stroke="var(--accent)" />
      <text
        x={observed.x + (nearRight ? -5 : 5)}
        y={plot.top + 4}
        textAnchor={nearRight ? 'end' : 'start'}
        fill="var(--accent)"
        stroke="var(--paper)"
        strokeWidth={3}
        paintOrder="stroke"
        fontWeight={600}
      >
        {observed.label}
      </text>
      <circle cx={observed.x} cy={observed.nativeY} r={3} fill="var(--accent)" />
      <circle cx={observed.x} cy={observed.protobufY} r={3} fill="var(--accent)" />
    </>,
  );
}
