/** The size of a record in messages of many and of few records: each message pays for the fields around the records. */
import type { ReactNode } from 'react';
import type { Batches } from '#engine/advise/batch.ts';
import { batchWords } from '#wording/advice-notes.ts';
import { dictionaryText } from '#wording/advice-words.ts';
import { meanFigure } from '#wording/mean-figures.ts';
import { formatCount } from '#wording/number-text.ts';

export function BatchTable({
  batches,
  rankedBy,
  compressor,
}: {
  readonly batches: Batches;
  readonly rankedBy: string;
  readonly compressor: string;
}): ReactNode {
  const { name, records, sizes } = batches;
  const hasDictionary = sizes[0]?.dictionary !== undefined;
  return (
    <details className="advice-waste">
      <summary data-term="label-batch">How many {name} a message?</summary>
      <p>{batchWords(batches)}</p>
      {sizes[0]?.dictionary !== undefined && <p>{dictionaryText(sizes[0].dictionary)}</p>}
      <table className="advice-table" aria-label="Records a message">
        <thead>
          <tr>
            <th scope="col" className="is-figure" data-term="table-batch-records">
              Records a message
            </th>
            <th scope="col" className="is-figure" data-term="table-batch-messages">
              Messages
            </th>
            <th scope="col" className="is-figure" data-term="table-batch-bytes">
              Bytes a record
            </th>
            <th scope="col" className="is-figure" data-term="table-batch-packed">
              {compressor}, a record
            </th>
            {hasDictionary && (
              <th scope="col" className="is-figure" data-term="table-batch-dictionary">
                zstd with a dictionary
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {sizes.map((one) => (
            <tr key={one.records}>
              <th scope="row" className="is-figure">
                {formatCount(one.records)}
              </th>
              <td className="is-figure">{formatCount(one.messages)}</td>
              <td className="is-figure">{meanFigure(one.size.bytes / records)}</td>
              <td className="is-figure">{meanFigure((one.size.compressed[rankedBy] ?? 0) / records)}</td>
              {hasDictionary && (
                <td className="is-figure">
                  {one.dictionary && meanFigure(one.dictionary.compressed / (one.dictionary.messages * one.records))}
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
