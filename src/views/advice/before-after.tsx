/** The same messages before and after: bytes by cause, and by field. */
import { type ReactNode, useState } from 'react';
import { Waterfall } from '#charts/waterfall.tsx';
import type { DiffRow, ProfileDiff } from '#engine/cost/diff-profiles.ts';
import { formatCount, formatSigned } from '#wording/number-text.ts';
import { rowName } from '#wording/pair-words.ts';
import { FitChart } from '../panes/fit-chart.tsx';

const CAUSES: Readonly<Record<string, string>> = {
  tag: 'Tags',
  length: 'Lengths',
  value: 'Values',
  'only A': 'Fields no longer written',
  'only B': 'Fields written anew',
  unattributed: 'Unattributed',
};

export function Causes({ diff: { a, b, causes } }: { readonly diff: ProfileDiff }): ReactNode {
  if (causes.length === 0) return null;
  const steps = causes.map(({ cause, bytes }) => ({ key: cause, label: CAUSES[cause] ?? cause, bytes }));
  return (
    <FitChart max={1200}>
      {(width, id) => (
        <Waterfall
          id={id}
          from={{ label: 'Before', bytes: a.bytes }}
          to={{ label: 'After', bytes: b.bytes }}
          steps={steps}
          width={width}
        />
      )}
    </FitChart>
  );
}

export function Fields({ diff: { rows } }: { readonly diff: ProfileDiff }): ReactNode {
  const [isAll, setAll] = useState(false);
  const change = ({ bytes }: DiffRow): number => bytes.b - bytes.a;
  const changed = rows.filter((row) => change(row) !== 0);
  const shown = isAll ? rows : changed.toSorted((x, y) => Math.abs(change(y)) - Math.abs(change(x)));
  const unchanged = rows.length - changed.length;
  return (
    <>
      <table className="advice-table" aria-label="Fields before and after">
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col" className="is-figure">
              Before
            </th>
            <th scope="col" className="is-figure">
              After
            </th>
            <th scope="col" className="is-figure">
              Change
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.map((row) => (
            <tr key={`${row.a} ${row.b}`}>
              <th scope="row">{rowName(row)}</th>
              <td className="is-figure">{formatCount(row.bytes.a)}</td>
              <td className="is-figure">{formatCount(row.bytes.b)}</td>
              <td className={`is-figure ${change(row) > 0 ? 'is-more' : change(row) < 0 ? 'is-less' : ''}`}>
                {formatSigned(change(row))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {unchanged > 0 && (
        <button type="button" className="control" aria-pressed={isAll} onClick={() => setAll(!isAll)}>
          {isAll ? 'Changed fields only' : `Show ${formatCount(unchanged)} unchanged`}
        </button>
      )}
    </>
  );
}
