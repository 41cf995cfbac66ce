/** Both ledgers of a field side by side, category by category, with the mean per record and per parent, if they are counted. */
import { type ReactNode, useId } from 'react';
import { CategoryPatterns, categoryFill } from '#charts/category-patterns.tsx';
import { LEDGER_ORDER, segmentsOf } from '#engine/cost/ledger-segments.ts';
import { bytesIn, cellsIn, type FieldProfile, type LedgerPair } from '#engine/cost/profile.ts';
import { meanFigure } from '#wording/mean-figures.ts';
import { formatCount, formatSigned } from '#wording/number-text.ts';

export function LedgerTable({
  field,
  pair,
  below,
  first,
  side,
}: {
  readonly field: FieldProfile;
  readonly pair: LedgerPair;
  /** Bytes of the fields below a message; null for a scalar. */
  readonly below: { readonly first: number; readonly second: number } | null;
  /** `protobuf`, or the captured encoding. */
  readonly first: string;
  /** `native`, or the encoding in its place. */
  readonly side: string;
}): ReactNode {
  const id = useId();
  const ours = new Map(segmentsOf(cellsIn(field, pair[0])).map(({ category, bytes }) => [category, bytes]));
  const theirs = new Map(segmentsOf(cellsIn(field, pair[1])).map(({ category, bytes }) => [category, bytes]));
  const own = { first: bytesIn(field, pair[0]), second: bytesIn(field, pair[1]) };
  const hasNative = pair[1] !== null;
  const shown = LEDGER_ORDER.filter(
    (category) => (ours.get(category) ?? 0) + (hasNative ? (theirs.get(category) ?? 0) : 0) > 0,
  );
  const total = { first: own.first + (below?.first ?? 0), second: own.second + (below?.second ?? 0) };
  return (
    <table className="ledger-table">
      <caption>Bytes</caption>
      <thead>
        <tr>
          <th scope="col">
            <span className="sr-only">Category</span>
          </th>
          <th scope="col" data-term="table-captured">
            {first}
          </th>
          {field.occurrences > 0 && (
            <th scope="col" data-term="per-record">
              a record
            </th>
          )}
          {hasNative && (
            <th scope="col" data-term="table-compared">
              {side}
            </th>
          )}
          {hasNative && field.parents > 0 && (
            <th scope="col" data-term="per-parent">
              a parent
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {shown.map((category) => (
          <tr key={category}>
            <th scope="row" data-term={category}>
              <svg width={10} height={10} aria-hidden="true">
                <CategoryPatterns prefix={`${id}-${category}`} categories={[category]} />
                <rect width={10} height={10} fill={categoryFill(`${id}-${category}`, category)} />
              </svg>
              {category}
            </th>
            <Cells bytes={ours.get(category) ?? 0} per={field.occurrences} />
            {hasNative && <Cells bytes={theirs.get(category) ?? 0} per={field.parents} />}
          </tr>
        ))}
        <tr className="ledger-table-sum">
          <th scope="row" data-term="self">
            {below === null ? 'sum' : 'self'}
          </th>
          <Cells bytes={own.first} per={field.occurrences} />
          {hasNative && <Cells bytes={own.second} per={field.parents} />}
        </tr>
        {below !== null && (
          <tr className="ledger-table-sum">
            <th scope="row" data-term="total">
              with its fields
            </th>
            <Cells bytes={total.first} per={field.occurrences} />
            {hasNative && <Cells bytes={total.second} per={field.parents} />}
          </tr>
        )}
      </tbody>
      {hasNative && (
        <tfoot>
          <tr>
            <th scope="row" data-term="difference">
              difference
            </th>
            <td
              colSpan={2 + Number(field.occurrences > 0) + Number(field.parents > 0)}
              className={total.first > total.second ? 'is-more' : 'is-less'}
            >
              {formatSigned(total.first - total.second)}
            </td>
          </tr>
        </tfoot>
      )}
    </table>
  );
}

function Cells({ bytes, per }: { readonly bytes: number; readonly per: number }): ReactNode {
  return (
    <>
      <td>{bytes === 0 ? '·' : formatCount(bytes)}</td>
      {per > 0 && <td className="is-mean">{bytes === 0 ? '' : meanFigure(bytes / per)}</td>}
    </>
  );
}
