/**
 * A message's records byte by byte, from its schema alone: tag, length prefix, the least and the most bytes of a value.
 * A byte has the same length in every row; a value without a maximum ends with an arrow.
 */

import type { ReactNode } from 'react';
import type { FieldEntry } from '#state/explore.ts';
import { EXPLORER_NOTES } from '#wording/explorer-notes.ts';
import { formatCount } from '#wording/number-text.ts';

/** Pixels of a byte, and the maximum number of bytes that are drawn. */
const BYTE = 14;
const MOST = 16;

export function ByteLayout({ fields }: { readonly fields: readonly FieldEntry[] }): ReactNode {
  return (
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
  );
}

function Record({ field: { tagBytes, cost } }: { readonly field: FieldEntry }): ReactNode {
  const { least, most } = cost.protobuf;
  const length = cost.width === 'length-prefixed' ? 1 : 0;
  const end = cost.width === 'group' ? tagBytes : 0;
  const value = Math.max(0, least - tagBytes - length - end);
  const more = most === undefined ? MOST - least : Math.min(MOST, most) - least;
  const isCut = most === undefined || most > MOST;
  const words = `tag ${tagBytes}${length > 0 ? ', length 1 or more' : ''}${value > 0 ? `, value ${value} or more` : ''}${end > 0 ? `, end ${end}` : ''}; in all ${formatCount(least)}${most === least ? '' : most === undefined ? ' or more' : ` to ${formatCount(most)}`} bytes`;
  const parts = [
    { category: 'tag', bytes: tagBytes },
    { category: 'length', bytes: length },
    { category: 'value', bytes: value },
    { category: 'group-end', bytes: end },
  ].filter(({ bytes }) => bytes > 0);
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
      {isCut && <path d={`M${MOST * BYTE + 4} 3l5 4l-5 4`} fill="none" stroke="var(--ink-muted)" />}
    </svg>
  );
}
