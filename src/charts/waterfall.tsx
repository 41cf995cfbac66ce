/**
 * The waterfall from one total to another: the bytes that each step adds or saves. Without handlers it is a static
 * picture.
 */

import type { KeyboardEvent, ReactNode } from 'react';
import { inSentence, waterfallContents, waterfallTitle } from '#wording/chart-words.ts';
import { formatCount, formatSigned, formatSignedPercent } from '#wording/number-text.ts';
import { titledSvg } from './titled-svg.tsx';
import { connectorParts, layOutWaterfall, type WaterfallRow, type WaterfallStep } from './waterfall-geometry.ts';

export interface WaterfallTotal {
  readonly label: string;
  readonly bytes: number;
}

interface WaterfallFormat {
  readonly bytes: (bytes: number) => string;
  readonly signed: (bytes: number) => string;
}

const WHOLE: WaterfallFormat = { bytes: formatCount, signed: formatSigned };

export interface WaterfallProps<Key extends string> {
  /** Prefix of the ids in the picture. */
  readonly id: string;
  readonly from: WaterfallTotal;
  readonly to: WaterfallTotal;
  /** The kind of the steps. */
  readonly by?: 'cause' | 'field';
  /** The format of figures: whole bytes, or as given. */
  readonly format?: WaterfallFormat;
  /** In the order to be drawn; those of 0 bytes are left out. */
  readonly steps: readonly WaterfallStep<Key>[];
  /** Pixels. The picture is drawn for this width, not stretched to it. */
  readonly width: number;
  readonly selected?: Key | null;
  readonly onSelect?: (key: Key | null) => void;
}

export function Waterfall<Key extends string>({
  id,
  from,
  to,
  by = 'cause',
  format = WHOLE,
  steps,
  width,
  selected = null,
  onSelect,
}: WaterfallProps<Key>): ReactNode {
  const geometry = layOutWaterfall({ from, to, steps, width, isStatic: !onSelect });
  const { plot, rows, axis, totals, rowHeight, barHeight, stacked } = geometry;
  const shareOfFrom = (bytes: number): string => (from.bytes === 0 ? '' : formatSignedPercent(bytes / from.bytes));

  return titledSvg(
    {
      id,
      className: 'chart',
      width,
      height: geometry.height,
      role: onSelect ? 'group' : 'img',
      title: waterfallTitle(from.label, to.label, by),
      description: inWords(from, to, rows, format),
    },
    <>
      {axis.ticks.map(({ x, label }) => (
        <g key={label}>
          <line x1={x} x2={x} y1={plot.top} y2={plot.bottom + 3} stroke="var(--rule)" />
          <text
            x={x}
            y={plot.bottom + 15}
            fontSize={11}
            textAnchor={x > width - 30 ? 'end' : x < 30 ? 'start' : 'middle'}
            fill="var(--ink-muted)"
          >
            {label}
          </text>
        </g>
      ))}
      {rows.map((row, index) => {
        const previous = rows[index - 1];
        return (
          <g key={row.key ?? row.kind}>
            {previous !== undefined &&
              connectorParts(geometry, previous, row).map(([from, to]) => (
                <line key={from} x1={previous.endX} x2={previous.endX} y1={from} y2={to} stroke="var(--ink-muted)" />
              ))}
            {row.kind === 'step' ? (
              <StepRow
                row={row}
                bytes={format.signed(row.bytes)}
                percent={shareOfFrom(row.bytes)}
                of={inSentence(from.label)}
                by={by}
                frame={{ width, rowHeight, barHeight, stacked, plotLeft: plot.left }}
                selected={row.key === selected}
                onSelect={onSelect}
              />
            ) : (
              <>
                {totals === 'bars' ? (
                  <rect
                    data-bytes={row.bytes}
                    x={row.x}
                    y={row.barY}
                    width={row.width}
                    height={barHeight}
                    fill="var(--ink-muted)"
                  />
                ) : (
                  <path d={levelMark(row.endX, row.barY, barHeight)} fill="var(--ink-muted)" />
                )}
                <RowText
                  row={row}
                  width={width}
                  rowHeight={rowHeight}
                  stacked={stacked}
                  bytes={format.bytes(row.bytes)}
                  percent={row.kind === 'to' ? shareOfFrom(to.bytes - from.bytes) : ''}
                  weight={600}
                  color="var(--ink)"
                />
              </>
            )}
          </g>
        );
      })}
    </>,
  );
}

function StepRow<Key extends string>({
  row,
  bytes,
  percent,
  of,
  by,
  frame,
  selected,
  onSelect,
}: {
  readonly row: WaterfallRow<Key>;
  readonly bytes: string;
  readonly percent: string;
  /** The base of the percentage. */
  readonly of: string;
  readonly by: 'cause' | 'field';
  readonly frame: {
    readonly width: number;
    readonly rowHeight: number;
    readonly barHeight: number;
    readonly stacked: boolean;
    readonly plotLeft: number;
  };
  readonly selected: boolean;
  readonly onSelect: ((key: Key | null) => void) | undefined;
}): ReactNode {
  const color = row.bytes === 0 ? 'var(--ink-muted)' : row.bytes > 0 ? 'var(--bad)' : 'var(--good)';
  const toggle = () => onSelect?.(selected ? null : row.key);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    toggle();
  };
  const interactive = onSelect
    ? {
        role: 'button',
        // As SVG spells it: Preact writes the name as it is.
        tabindex: 0,
        'aria-pressed': selected,
        'aria-label': `${row.label}: ${bytes} bytes${percent === '' ? '' : `, ${percent} of ${of}`}`,
        className: 'chart-step',
        'data-term': by === 'cause' ? `cause-${row.key}` : undefined,
        onClick: toggle,
        onKeyDown,
      }
    : {};
  return (
    <g {...interactive}>
      <rect
        x={0.5}
        y={row.y}
        width={frame.width - 1}
        height={frame.rowHeight}
        rx={2}
        fill={selected ? 'color-mix(in srgb, var(--accent) 12%, transparent)' : 'transparent'}
        stroke={selected ? 'var(--accent)' : 'none'}
        className="chart-step-ground"
      />
      <rect
        data-bytes={Math.abs(row.bytes)}
        x={row.x}
        y={row.barY}
        width={row.width}
        height={frame.barHeight}
        fill={color}
      />
      <RowText
        row={row}
        width={frame.width}
        rowHeight={frame.rowHeight}
        stacked={frame.stacked}
        bytes={bytes}
        percent={percent}
        weight={400}
        color={color}
      />
    </g>
  );
}

/** In a narrower picture the longest label and its bytes take the line. */
const PERCENT_FROM = 310;

function RowText<Key extends string>({
  row,
  width,
  rowHeight,
  stacked,
  bytes,
  percent,
  weight,
  color,
}: {
  readonly row: WaterfallRow<Key>;
  readonly width: number;
  readonly rowHeight: number;
  readonly stacked: boolean;
  readonly bytes: string;
  readonly percent: string;
  readonly weight: number;
  readonly color: string;
}): ReactNode {
  const hasPercent = width >= PERCENT_FROM;
  const y = stacked ? row.y + 14 : row.y + rowHeight / 2 + 4;
  // Above the bars, labels lie across the lines between them.
  const halo = stacked ? { stroke: 'var(--paper)', strokeWidth: 4, paintOrder: 'stroke' } : {};
  return (
    <g {...halo}>
      <text x={6} y={y} fill="var(--ink)" fontWeight={weight}>
        {row.label}
      </text>
      <text x={hasPercent ? width - 74 : width - 6} y={y} textAnchor="end" fill={color} fontWeight={weight}>
        {bytes}
      </text>
      {hasPercent && (
        <text x={width - 6} y={y} textAnchor="end" fill="var(--ink-muted)" fontWeight={weight}>
          {percent}
        </text>
      )}
    </g>
  );
}

/** A diamond on the axis: a place, not a length. */
const levelMark = (x: number, y: number, height: number): string =>
  `M${x} ${y}l${height / 2} ${height / 2}l${-height / 2} ${height / 2}l${-height / 2} ${-height / 2}z`;

function inWords<Key extends string>(
  from: WaterfallTotal,
  to: WaterfallTotal,
  rows: readonly WaterfallRow<Key>[],
  { bytes, signed }: WaterfallFormat,
): string {
  const steps = rows.filter(({ kind }) => kind === 'step');
  return waterfallContents(
    { label: from.label, bytes: bytes(from.bytes) },
    steps.map((row) => ({ label: row.label, bytes: signed(row.bytes) })),
    { label: to.label, bytes: bytes(to.bytes) },
  );
}
