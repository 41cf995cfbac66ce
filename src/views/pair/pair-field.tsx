/** The selected field in A and B: its bytes by category, in the chosen unit, and how often it occurs. */
import '../field-detail/field-detail.css';
import type { ReactNode } from 'react';
import { LEDGER_ORDER, segmentsOf } from '#engine/cost/ledger-segments.ts';
import { capturedLedger, cellsIn, type FieldProfile, type Profile } from '#engine/cost/profile.ts';
import type { Category } from '#engine/model/annotation.ts';
import { meanFigure, signedMeanFigure } from '#wording/mean-figures.ts';
import { formatCount, formatSigned } from '#wording/number-text.ts';
import { fieldChange, rowName, unitWords } from '#wording/pair-words.ts';
import { usePair } from './use-pair.ts';

/** @param path of B's field, or of A's if B has no such field */
export function PairField({ profile, path }: { readonly profile: Profile; readonly path: string }): ReactNode {
  const pair = usePair(profile);
  const rows = pair?.diff.rows ?? [];
  const row = rows.find(({ b }) => b === path) ?? rows.find(({ a }) => a === path);
  if (pair === null || row === undefined) return null;
  const { a, b, units, unit } = pair;
  const fieldA = a.fields.find((field) => field.path === row.a);
  const fieldB = b.fields.find((field) => field.path === row.b);
  const parent = (fieldB ?? fieldA)?.parent ?? '';
  const [before, after] = [bytesByCategory(a, fieldA, units.a), bytesByCategory(b, fieldB, units.b)];
  const [print, signed] = unit === 'total' ? [formatCount, formatSigned] : [meanFigure, signedMeanFigure];
  return (
    <section className="field-detail" aria-label={`${rowName(row)} in A and B`}>
      <header>
        <h2 title={path}>
          {parent !== '' && <span className="field-detail-parent">{parent}.</span>}
          {path.slice(parent === '' ? 0 : parent.length + 1)}
        </h2>
        <p className="field-detail-sentence">{fieldChange(row, unit === 'total' ? null : unitWords(unit, a, b))}</p>
      </header>
      <table className="ledger-table">
        <caption>Bytes, {unitWords(unit, a, b)}</caption>
        <thead>
          <tr>
            <th scope="col">
              <span className="sr-only">Category</span>
            </th>
            <th scope="col" data-term="table-a">
              A
            </th>
            <th scope="col" data-term="table-b">
              B
            </th>
            <th scope="col" data-term="table-b-minus-a">
              change
            </th>
          </tr>
        </thead>
        <tbody>
          {LEDGER_ORDER.filter((category) => before.has(category) || after.has(category)).map((category) => (
            <tr key={category}>
              <th scope="row" data-term={category}>
                {category}
              </th>
              <td>{print(before.get(category) ?? 0)}</td>
              <td>{print(after.get(category) ?? 0)}</td>
              <td>{signed((after.get(category) ?? 0) - (before.get(category) ?? 0))}</td>
            </tr>
          ))}
          <tr className="ledger-table-sum">
            <th scope="row" data-term="self">
              sum
            </th>
            <td>{print(row.bytes.a)}</td>
            <td>{print(row.bytes.b)}</td>
            <td>{signed(row.bytes.b - row.bytes.a)}</td>
          </tr>
          <tr>
            <th scope="row" data-term="records">
              records
            </th>
            <td>{fieldA === undefined ? 'none' : formatCount(fieldA.occurrences)}</td>
            <td>{fieldB === undefined ? 'none' : formatCount(fieldB.occurrences)}</td>
            <td />
          </tr>
        </tbody>
      </table>
    </section>
  );
}

/** Bytes in the captured encoding. */
const bytesByCategory = (
  profile: Profile,
  field: FieldProfile | undefined,
  unit: number,
): ReadonlyMap<Category, number> =>
  new Map(
    field === undefined
      ? []
      : segmentsOf(cellsIn(field, capturedLedger(profile)))
          .filter(({ bytes }) => bytes > 0)
          .map(({ category, bytes }) => [category, bytes / unit] as const),
  );
