/**
 * The layers of a capture as a picture: each at its position in the file, from the outermost in. They sum to the file's
 * size.
 */

import { layOutLayers } from '#charts/layers-geometry.ts';
import { titledSvg } from '#charts/titled-svg.tsx';
import type { LayerLedger } from '#engine/capture/containers/packets-layers.ts';
import { LAYER_WORDS, type LayerKind, layerRows } from '#wording/layer-words.ts';
import { formatCount, formatPercent, shareOf } from '#wording/number-text.ts';
import type { Drawing } from './picture.tsx';

const ROW = 24;
const HEAD = 24;
const NAMES = 160;
const FIGURES = 160;
/** The least room for bars. */
const BARS = 40;

const FILL: Readonly<Record<LayerKind, string>> = {
  around: 'var(--cat-header)',
  payload: 'var(--cat-value)',
  lost: 'var(--bad)',
};

export function LayersFigure({
  id,
  layers,
  width,
}: {
  readonly id: string;
  readonly layers: LayerLedger;
  readonly width: number;
}): Drawing {
  const rows = layerRows(layers);
  const size = rows.reduce((sum, { bytes }) => sum + bytes, 0);
  // Bars without room beside the words are below them.
  const isWide = width >= NAMES + FIGURES + BARS;
  const [left, bars] = isWide ? [NAMES, width - NAMES - FIGURES] : [0, width];
  const rowHeight = isWide ? ROW : ROW + 14;
  const bottom = HEAD + rows.length * rowHeight;
  const height = bottom + ROW;
  return titledSvg(
    {
      id,
      width,
      height,
      title: 'Layers of the capture',
      description: rows.map(({ layer, bytes }) => `${LAYER_WORDS[layer].label}: ${formatCount(bytes)}`).join('; '),
    },
    <>
      <g fill="var(--ink-muted)" fontSize={11}>
        <text x={0} y={14}>
          layer
        </text>
        <text x={width - 70} y={14} textAnchor="end">
          bytes
        </text>
        <text x={width} y={14} textAnchor="end">
          share
        </text>
      </g>
      <line x1={0} x2={width} y1={HEAD - 3.5} y2={HEAD - 3.5} stroke="var(--rule-strong)" />
      {layOutLayers(rows, bars).map(({ layer, bytes, x, width: length }, index) => {
        const y = HEAD + index * rowHeight;
        const barY = y + rowHeight - 17;
        return (
          <g key={layer} fill="var(--ink)">
            <text x={0} y={y + 16}>
              {LAYER_WORDS[layer].label}
            </text>
            <rect x={left} y={barY} width={bars} height={10} fill="var(--paper-sunk)" />
            <rect
              data-bytes={bytes}
              x={round(left + x)}
              y={barY}
              width={round(length)}
              height={10}
              fill={FILL[LAYER_WORDS[layer].kind]}
            />
            <text x={width - 70} y={y + 16} textAnchor="end">
              {formatCount(bytes)}
            </text>
            <text x={width} y={y + 16} textAnchor="end" fill="var(--ink-muted)">
              {formatPercent(shareOf(bytes, size))}
            </text>
            <line x1={0} x2={width} y1={y + rowHeight - 0.5} y2={y + rowHeight - 0.5} stroke="var(--rule)" />
          </g>
        );
      })}
      <g fontWeight={600} fill="var(--ink)">
        <text x={0} y={bottom + 16}>
          all
        </text>
        <text x={width - 70} y={bottom + 16} textAnchor="end">
          {formatCount(size)}
        </text>
      </g>
    </>,
  );
}

const round = (pixels: number): number => Math.round(pixels * 100) / 100;
