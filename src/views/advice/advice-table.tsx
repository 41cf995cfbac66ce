/** The ranked changes. A ticked row is applied, together with the others. */

import { Fragment, type ReactNode, useId, useState } from 'react';
import { isInVain } from '#engine/advise/rank-advice.ts';
import type { AdviceRow, Advised } from '#state/advice-actions.ts';
import { useActions, useApp } from '#state/context.tsx';
import type { TriedChange } from '#state/view-state.ts';
import { ADVICE_NOTES } from '#wording/advice-notes.ts';
import {
  aDayText,
  changeText,
  compatibilityText,
  compressedText,
  EFFORT_WORDS,
  isResized,
  presentNumbersText,
  timeText,
} from '#wording/advice-words.ts';
import { includes, isTried } from './tried-rows.ts';

export function AdviceTable({
  advised,
  isGrowing,
  rate,
}: {
  readonly advised: Advised;
  readonly isGrowing: boolean;
  readonly rate: number;
}): ReactNode {
  const { rows, rankedBy, compressor, messages, measured } = advised;
  const tried = useApp(({ view }) => view.changes);
  const { tryChanges } = useActions();
  if (rows.length === 0) return isGrowing || messages === 0 ? null : <p>{ADVICE_NOTES.none}</p>;
  const firstInVain = isGrowing ? -1 : rows.findIndex((row) => isInVain(row, rankedBy));
  const toggle = (row: AdviceRow): void => {
    const own = row.changes as unknown as readonly TriedChange[];
    if (isTried(row, tried)) tryChanges(tried.filter((change) => !includes(own, change)));
    else tryChanges([...tried, ...own.filter((change) => !includes(tried, change))]);
  };
  return (
    <table className="advice-table" aria-label="Changes that would pay">
      <thead>
        <tr>
          <th scope="col">
            <span className="sr-only">Apply</span>
          </th>
          <th scope="col">Change</th>
          <th scope="col" className="is-figure" data-term="table-saves-bytes">
            Bytes
          </th>
          <th scope="col" className="is-figure" data-term="table-saves-packed">
            {compressor}
          </th>
          <th scope="col" className="is-figure" data-term="table-saves-a-day">
            A day, {rankedBy}
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row, at) => (
          <Fragment key={JSON.stringify(row.changes)}>
            {at === firstInVain && (
              <tr className="advice-in-vain">
                <th scope="rowgroup" colSpan={5}>
                  {ADVICE_NOTES.inVain} {compressor}
                </th>
              </tr>
            )}
            <Row
              row={row}
              advised={advised}
              isTicked={isTried(row, tried)}
              onToggle={() => toggle(row)}
              aDay={aDayText(row.deployed.saved.compressed[rankedBy] ?? 0, measured, rate)}
            />
          </Fragment>
        ))}
      </tbody>
    </table>
  );
}

function Row({
  row,
  advised,
  isTicked,
  onToggle,
  aDay,
}: {
  readonly row: AdviceRow;
  readonly advised: Advised;
  readonly isTicked: boolean;
  readonly onToggle: () => void;
  readonly aDay: string;
}): ReactNode {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const { rankedBy, compressor } = advised;
  const before = advised[row.against];
  const { saved } = row.deployed;
  const tone = row.isNoDifference ? '' : (saved.compressed[rankedBy] ?? 0) > 0 ? 'is-less' : 'is-more';
  return (
    <Fragment>
      <tr className={isTicked ? 'is-tried' : undefined}>
        <td>
          <input id={id} type="checkbox" checked={isTicked} onChange={onToggle} />
        </td>
        <th scope="row">
          <label htmlFor={id}>{row.title}</label>
          <button
            type="button"
            className="advice-verdict"
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
            title="Reasons and rules"
          >
            {EFFORT_WORDS[row.effort]} · {compatibilityText(row.compatibility)}
          </button>
          {row.time !== undefined && <span className="advice-note">{timeText(row.time, rankedBy)}</span>}
          {row.signsDiffer && row.isSettled && !row.isNoDifference && (
            <span className="advice-note">
              {ADVICE_NOTES.differInSign} {rankedBy}.
            </span>
          )}
          {isResized(row, rankedBy) && (
            <span className="advice-note">{presentNumbersText(row, before, { id: rankedBy, label: compressor })}</span>
          )}
        </th>
        <td className={`is-figure ${saved.bytes > 0 ? 'is-less' : saved.bytes < 0 ? 'is-more' : ''}`}>
          {changeText(saved.bytes, before.bytes)}
        </td>
        <td className={`is-figure ${tone}`}>{compressedText(row, before, rankedBy)}</td>
        <td className="is-figure">{row.isNoDifference ? '' : aDay}</td>
      </tr>
      {isOpen && (
        <tr className="advice-reasons">
          <td />
          <td colSpan={4}>
            <ul>
              {row.compatibility.reasons.map(({ about, text, link }) => (
                <li key={`${about} ${text}`}>
                  {about === 'json' ? 'JSON' : about}: {text}{' '}
                  <a href={link} target="_blank" rel="noreferrer" className="explorer-link">
                    Rule
                  </a>
                </li>
              ))}
            </ul>
          </td>
        </tr>
      )}
    </Fragment>
  );
}
