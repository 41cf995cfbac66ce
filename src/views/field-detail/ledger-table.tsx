/** Both ledgers of a field side by side, category by category, with the mean per record and per parent. */
import { type ReactNode, useId } from 'react';
import { CategoryPatterns, categoryFill } from '#charts/category-patterns.tsx';
import { nativeSegments, protobufSegments, sumSegments } from '#engine/cost/ledger-segments.ts';
import type { FieldProfile } from '#engine/cost/profile.ts';
import type { Category } from '#engine/model/annotation.ts';
import { formatCount, formatMean, formatSigned } from '#wording/number-text.ts';

const ORDER: readonly Category[] = [
  'tag',
  'key',
  'punctuation',
  'quotes',
  'flag',
  'type',
  'count',
  'length',
  'value',
  'group-end',
  'unattributed',
];

export function LedgerTable({
  field,
  below,
  hasNative,
  side,
}: {
  readonly field: FieldProfile;
  /** Bytes of the fields below a message; null for a scalar. */
  readonly below: { readonly protobuf: number; readonly native: number } | null;
  readonly hasNative: boolean;
  /** `native`, or what is in its place. */
  readonly side: string;
}): ReactNode {
  const id = useId();
  const ours = new Map(protobufSegments(field.protobuf).map(({ category, bytes }) => [category, bytes]));
  const theirs = new Map(nativeSegments(field.native).map(({ category, bytes }) => [category, bytes]));
  const own = {
    protobuf: sumSegments(protobufSegments(field.protobuf)),
    native: sumSegments(nativeSegments(field.native)),
  };
  const shown = ORDER.filter(
    (category) => (ours.get(category) ?? 0) + (hasNative ? (theirs.get(category) ?? 0) : 0) > 0,
  );
  const total = { protobuf: own.protobuf + (below?.protobuf ?? 0), native: own.native + (below?.native ?? 0) };
  return (
    <table className="ledger-table">
      <caption>Bytes</caption>
      <thead>
        <tr>
          <th scope="col">
            <span className="sr-only">Category</span>
          </th>
          <th scope="col">protobuf</th>
          <th scope="col">a record</th>
          {hasNative && (
            <>
              <th scope="col">{side}</th>
              <th scope="col">a parent</th>
            </>
          )}
        </tr>
      </thead>
      <tbody>
        {shown.map((category) => (
          <tr key={category}>
            <th scope="row">
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
          <th scope="row">{below === null ? 'sum' : 'own'}</th>
          <Cells bytes={own.protobuf} per={field.occurrences} />
          {hasNative && <Cells bytes={own.native} per={field.parents} />}
        </tr>
        {below !== null && (
          <tr className="ledger-table-sum">
            <th scope="row">with its fields</th>
            <Cells bytes={total.protobuf} per={field.occurrences} />
            {hasNative && <Cells bytes={total.native} per={field.parents} />}
          </tr>
        )}
      </tbody>
      {hasNative && (
        <tfoot>
          <tr>
            <th scope="row">difference</th>
            <td colSpan={4} className={total.protobuf > total.native ? 'is-more' : 'is-less'}>
              {formatSigned(total.protobuf - total.native)}
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
      <td className="is-mean">{bytes === 0 || per === 0 ? '' : formatMean(bytes / per)}</td>
    </>
  );
}
