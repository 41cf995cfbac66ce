/** Every byte of the capture by layer, from the file's own headers to the messages. The layers sum to its size. */

import type { ReactNode } from 'react';
import { layOutLayers } from '#charts/layers-geometry.ts';
import { emptyLayers } from '#engine/capture/containers/packets-layers.ts';
import { useActions, useApp } from '#state/context.tsx';
import type { CaptureSummary } from '#state/session-state.ts';
import { INPUT_NOTES } from '#wording/input-notes.ts';
import { LAYER_NOTES } from '#wording/layer-notes.ts';
import {
  bytesOfKind,
  headersWords,
  LAYER_WORDS,
  LAYERS_CAPTION,
  type LayerKind,
  type LayerRow,
  layerRows,
  layersWords,
} from '#wording/layer-words.ts';
import { formatBytes, formatCount, formatPercent, shareOf } from '#wording/number-text.ts';

const FILL: Readonly<Record<LayerKind, string>> = {
  around: 'var(--cat-header)',
  payload: 'var(--cat-value)',
  lost: 'var(--bad)',
};

const NOTHING: Pick<CaptureSummary, 'messages' | 'payloadBytes' | 'capturedBytes' | 'groups'> = {
  messages: 0,
  payloadBytes: 0,
  capturedBytes: 0,
  groups: [],
};

export function LayersPanel(): ReactNode {
  const summary = useApp(({ session }) => session.inputSummary);
  const sharedFrom = useApp(({ session }) => session.sharedFrom?.layers ?? null);
  const isBusy = useApp(({ session }) => session.job !== null);
  if (summary?.kind === 'capture' && summary.layers) {
    return <Layers summary={summary} rows={layerRows(summary.layers)} />;
  }
  if (sharedFrom) return <Layers summary={null} rows={layerRows({ ...emptyLayers(), ...sharedFrom })} />;
  return (
    <p className="p-4 text-ink-muted">
      {summary?.kind === 'payloads' ? INPUT_NOTES.noCapture : isBusy ? 'Reading…' : INPUT_NOTES.stopped}
    </p>
  );
}

function Layers({
  summary,
  rows,
}: {
  /** null: only the layers were shared. */
  readonly summary: CaptureSummary | null;
  readonly rows: readonly LayerRow[];
}): ReactNode {
  const { showPanel } = useActions();
  const { messages, payloadBytes, capturedBytes, groups } = summary ?? NOTHING;
  const size = rows.reduce((sum, { bytes }) => sum + bytes, 0);
  const payload = bytesOfKind(rows, 'payload');
  const around = bytesOfKind(rows, 'around');
  const headers = groups.reduce((sum, { headerBytes }) => sum + headerBytes, 0);
  const bars = layOutLayers(rows, 100);
  return (
    <div className="printed h-full overflow-auto p-4">
      <p className="text-base text-balance">
        <strong className="font-semibold">{formatPercent(shareOf(payload, size))} messages.</strong>{' '}
        {layersWords(size, around, messages, {
          captured: capturedBytes,
          decoded: payloadBytes,
          ofLayers: payload,
        })}
      </p>
      <div className="mt-3 flex h-4" aria-hidden="true">
        {bars.map(({ layer, bytes, width }, index) => (
          <span
            key={layer}
            data-bytes={bytes}
            title={`${LAYER_WORDS[layer].label}: ${formatBytes(bytes)}`}
            className="h-full forced-color-adjust-none"
            style={{
              width: `${width}%`,
              background: FILL[LAYER_WORDS[layer].kind],
              opacity: index % 2 === 0 ? 1 : 0.7,
            }}
          />
        ))}
      </div>
      <table className="mt-3 w-full">
        <caption className="sr-only">{LAYERS_CAPTION}</caption>
        <thead className="text-left text-2xs text-ink-muted">
          <tr className="border-b border-rule-strong">
            <th scope="col" data-term="table-layer" className="py-1 font-semibold">
              Layer
            </th>
            <th scope="col" className="w-1/3 font-semibold">
              <span className="sr-only">Place in the file</span>
            </th>
            <th scope="col" data-term="table-layer-bytes" className="text-right font-semibold">
              Bytes
            </th>
            <th scope="col" data-term="table-layer-share" className="w-20 text-right font-semibold">
              Share
            </th>
          </tr>
        </thead>
        <tbody>
          {bars.map(({ layer, bytes, x, width }) => {
            const { label, kind } = LAYER_WORDS[layer];
            return (
              <tr key={layer} className="border-b border-rule hover:bg-hover">
                <th scope="row" data-term={`layer-${layer}`} className="py-1 pr-3 text-left font-normal">
                  {label} <span className="block text-2xs text-ink-muted">{LAYER_NOTES[layer]}</span>
                </th>
                <td>
                  <div className="relative h-2.5" aria-hidden="true">
                    <span
                      data-bytes={bytes}
                      className="absolute h-full forced-color-adjust-none"
                      style={{ left: `${x}%`, width: `${width}%`, background: FILL[kind] }}
                    />
                  </div>
                </td>
                <td className="pl-2 text-right">{formatCount(bytes)}</td>
                <td className="text-right text-ink-muted">{formatPercent(shareOf(bytes, size))}</td>
              </tr>
            );
          })}
        </tbody>
        <tfoot>
          <tr className="border-t border-rule-strong font-semibold">
            <th scope="row" className="py-1 text-left" colSpan={2}>
              The file{summary && summary.size !== size ? ', decoded' : ''}
            </th>
            <td className="text-right">{formatCount(size)}</td>
            <td className="text-right text-ink-muted">{formatPercent(1)}</td>
          </tr>
        </tfoot>
      </table>
      {headers > 0 && (
        <p className="mt-3 text-ink-muted">
          {headersWords(headers, capturedBytes)}{' '}
          <button type="button" className="text-accent underline" onClick={() => showPanel('messages')}>
            By group
          </button>
        </p>
      )}
    </div>
  );
}
