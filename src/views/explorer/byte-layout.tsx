/**
 * A message's records byte by byte, from its schema alone: tag, length prefix, the least and the most bytes of a value.
 * A byte has the same length in every row; a value without a maximum ends with an arrow.
 */

import type { ReactNode } from 'react';
import { LEDGER_ORDER } from '#engine/cost/ledger-segments.ts';
import type { Category } from '#engine/model/annotation.ts';
import type { FieldEntry } from '#state/explore.ts';
import { EXPLORER_NOTES, moreBytesThanDrawn } from '#wording/explorer-notes.ts';
import { formatCount } from '#wording/number-text.ts';

/** Pixels of a byte, and the maximum number of bytes that are drawn. */
const BYTE = 14;
const MOST = 16;

export function ByteLayout({ fields }: { readonly fields: readonly FieldEntry[] }): ReactNode {
  const drawn = new Set(fields.flatMap((field) => partsOf(field).map(({ category }) => category)));
  return (
    <>
      <ul className="category-legend">
        {LEDGER_ORDER.filter((category) => drawn.has(category)).map((category) => (
          <li key={category} data-term={category}>
            <Sample fill={`var(--cat-${category})`} />
            {category}
          </li>
        ))}
        {fields.some(({ cost: { protobuf } }) => protobuf.most !== protobuf.least) && (
          <li>
            <Sample stroke="var(--cat-value)" />
            {EXPLORER_NOTES.mayFollow}
          </li>
        )}
        {fields.some(isCut) && (
          <li>
            <svg width={8} height={12} aria-hidden="true">
              <path d="M1 2l5 4l-5 4" fill="none" stroke="var(--ink-muted)" />
            </svg>
            {moreBytesThanDrawn(MOST)}
          </li>
        )}
      </ul>
      <table className="byte-layout">
        <caption className="sr-only">{EXPLORER_NOTES.layout}</caption>
        <tbody>
          {fields.map((field) => (
            <tr key={field.fullName}>
              <th scope="row">{field.name}</th>
              <td>
                <Record field={field} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

/** One byte as it is drawn. */
const Sample = (look: { readonly fill?: string; readonly stroke?: string }): ReactNode => (
  <svg width={BYTE} height={12} aria-hidden="true">
    <rect x={0.5} y={0.5} width={BYTE - 1} height={11} fill="none" strokeDasharray="2 2" {...look} />
  </svg>
);

/** Whether a record can be longer than what is drawn. */
const isCut = ({ cost: { protobuf } }: FieldEntry): boolean => (protobuf.most ?? Number.POSITIVE_INFINITY) > MOST;

/** The least bytes of one record. */
function partsOf({ tagBytes, cost }: FieldEntry): readonly { readonly category: Category; readonly bytes: number }[] {
  const length = cost.width === 'length-prefixed' ? 1 : 0;
  const end = cost.width === 'group' ? tagBytes : 0;
  const parts: readonly { readonly category: Category; readonly bytes: number }[] = [
    { category: 'tag', bytes: tagBytes },
    { category: 'length', bytes: length },
    { category: 'value', bytes: cost.protobuf.least - tagBytes - length - end },
    { category: 'group-end', bytes: end },
  ];
  return parts.filter(({ bytes }) => bytes > 0);
}

function Record({ field }: { readonly field: FieldEntry }): ReactNode {
  const { least, most } = field.cost.protobuf;
  const parts = partsOf(field);
  const more = most === undefined ? MOST - least : Math.min(MOST, most) - least;
  const all = `${formatCount(least)}${most === least ? '' : most === undefined ? ' or more' : ` to ${formatCount(most)}`}`;
  const words = `${parts.map(({ category, bytes }) => `${category} ${bytes}${most !== least && (category === 'length' || category === 'value') ? ' or more' : ''}`).join(', ')}; in all ${all} bytes`;
  let at = 0;
  return (
    <svg width={MOST * BYTE + 16} height={14} role="img" aria-label={words}>
      <title>{words}</title>
      {parts.map(({ category, bytes }) => {
        const x = at * BYTE;
        at += bytes;
        return (
          <rect
            key={category}
            data-bytes={bytes}
            x={x + 0.5}
            y={1}
            width={bytes * BYTE - 1}
            height={12}
            fill={`var(--cat-${category})`}
          />
        );
      })}
      {more > 0 && (
        <rect
          data-bytes={more}
          x={least * BYTE + 0.5}
          y={1.5}
          width={more * BYTE - 1}
          height={11}
          fill="none"
          stroke="var(--cat-value)"
          strokeDasharray="2 2"
        />
      )}
      {isCut(field) && <path d={`M${MOST * BYTE + 4} 3l5 4l-5 4`} fill="none" stroke="var(--ink-muted)" />}
    </svg>
  );
}
