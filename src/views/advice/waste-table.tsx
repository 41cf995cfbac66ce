/** What does waste cost? Waste that the writer alone can avoid is listed first, because avoiding it breaks nothing. */

import type { ReactNode } from 'react';
import type { WasteReport } from '#engine/advise/waste.ts';
import { ADVICE_NOTES } from '#wording/advice-notes.ts';
import { changeText, EFFORT_WORDS, WASTE_WORDS, writerWaste } from '#wording/advice-words.ts';
import { formatCount } from '#wording/number-text.ts';

export function WasteTable({
  report: { captured, kinds, writer },
  rankedBy,
  compressor,
}: {
  readonly report: WasteReport;
  readonly rankedBy: string;
  readonly compressor: string;
}): ReactNode {
  const raw = captured.bytes;
  const packed = captured.compressed[rankedBy] ?? 0;
  const isOfWriter = kinds.some(({ effort }) => effort === 'writer only');
  return (
    <details className="advice-waste" open={isOfWriter}>
      <summary data-term="waste">
        {ADVICE_NOTES.waste}{' '}
        {kinds.length === 0 ? 'Nothing' : isOfWriter ? writerWaste(writer.bytes, raw) : ADVICE_NOTES.schemaWaste}
      </summary>
      {kinds.length === 0 ? (
        <p>{ADVICE_NOTES.noWaste}</p>
      ) : (
        <table className="advice-table" aria-label="What waste costs">
          <thead>
            <tr>
              <th scope="col" data-term="waste">
                Waste
              </th>
              <th scope="col" className="is-figure" data-term="table-places">
                Places
              </th>
              <th scope="col" className="is-figure" data-term="table-saves-bytes">
                Bytes
              </th>
              <th scope="col" className="is-figure" data-term="table-saves-packed">
                {compressor}
              </th>
            </tr>
          </thead>
          <tbody>
            {kinds.map(({ kind, places, saved, effort }) => (
              <tr key={kind}>
                <th scope="row">
                  {WASTE_WORDS[kind]}
                  <span className="advice-note">{EFFORT_WORDS[effort]}</span>
                </th>
                <td className="is-figure">{formatCount(places)}</td>
                <td className="is-figure">{changeText(saved.bytes, raw)}</td>
                <td className="is-figure">{changeText(saved.compressed[rankedBy] ?? 0, packed)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </details>
  );
}
