/** An icicle as SVG: for exports, embeds and paper. In the page the same cells are drawn on a canvas. */

import type { ReactElement } from 'react';
import { CATEGORIES } from '#engine/model/annotation.ts';
import { CHART_TITLES, icicleContents } from '#wording/chart-words.ts';
import { formatCount } from '#wording/number-text.ts';
import { CategoryPatterns, categoryFill } from './category-patterns.tsx';
import { type IcicleCell, type IcicleNode, layOutIcicle } from './icicle-geometry.ts';
import { groundMix, ICICLE, labelOf } from './icicle-look.ts';
import { titledSvg } from './titled-svg.tsx';

export interface IcicleProps {
  /** Prefix of the ids in the picture. */
  readonly id: string;
  /** The node that fills the width. */
  readonly root: IcicleNode;
  /** Pixels. */
  readonly width: number;
  readonly mostLevels?: number;
}

export function Icicle({ id, root, width, mostLevels = ICICLE.levels }: IcicleProps): ReactElement<{
  readonly width: number;
  readonly height: number;
}> {
  const { cells, levels } = layOutIcicle(root, width);
  const shown = Math.min(levels, mostLevels);
  const used = CATEGORIES.filter((category) =>
    cells.some(({ strip }) => strip.some((part) => part.category === category)),
  );
  const largest = cells
    .filter(({ level, node }) => level === 1 && node !== null)
    .map(({ node, bytes }) => `${node!.name} ${formatCount(bytes)}`);
  return titledSvg(
    {
      id,
      className: 'chart',
      width,
      height: shown * ICICLE.row,
      fontSize: 11,
      title: CHART_TITLES.icicle,
      description: icicleContents(root.name, root.bytes, largest),
    },
    <>
      <CategoryPatterns prefix={id} categories={used} />
      {cells
        .filter(({ level }) => level < shown)
        .map((cell, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a still picture, whose cells keep their order
          <Cell key={index} id={id} cell={cell} />
        ))}
    </>,
  );
}

function Cell({ id, cell }: { readonly id: string; readonly cell: IcicleCell }): ReactElement {
  const { node, count, bytes, level, x, width, strip } = cell;
  const y = level * ICICLE.row;
  const { name, figure } = labelOf(cell);
  return (
    <g>
      <title>{`${node === null ? `${formatCount(count)} fields` : node.path || node.name}: ${formatCount(bytes)}`}</title>
      <rect
        data-bytes={bytes}
        x={round(x)}
        y={y}
        width={round(width)}
        height={ICICLE.row - 1}
        fill="var(--cat-value)"
        fillOpacity={groundMix(level)}
        stroke="var(--paper)"
        strokeWidth={width > 4 ? 1 : 0}
      />
      {strip.map((part) => (
        <rect
          key={part.category}
          data-bytes={part.bytes}
          x={round(part.x)}
          y={y + ICICLE.row - 1 - ICICLE.strip}
          width={round(part.width)}
          height={ICICLE.strip}
          fill={categoryFill(id, part.category)}
        />
      ))}
      {name !== '' && (
        <text x={x + 5} y={y + ICICLE.baseline} fill="var(--ink)">
          {name}
        </text>
      )}
      {figure !== '' && (
        <text x={x + width - 5} y={y + ICICLE.baseline} textAnchor="end" fill="var(--ink-muted)">
          {figure}
        </text>
      )}
    </g>
  );
}

const round = (pixels: number): number => Math.round(pixels * 1000) / 1000;
