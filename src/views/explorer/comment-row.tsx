/** A table row with the comment and options of the row above. */
import type { ReactNode } from 'react';
import { unwrapped } from '#engine/explore/comment-text.ts';
import type { OptionText } from '#state/explore.ts';
import { OptionList } from './symbol-head.tsx';

export function CommentRow({
  comment,
  options,
  isFocused,
  before = 0,
  span,
}: {
  readonly comment: string | null;
  readonly options: readonly OptionText[];
  readonly isFocused: boolean;
  /** Empty columns at the left, so that it is below the name. */
  readonly before?: number;
  /** Columns that it spans, without the empty ones. */
  readonly span: number;
}): ReactNode {
  if (comment === null && options.length === 0) return null;
  return (
    <tr className={`is-said${isFocused ? ' is-focused' : ''}`}>
      {before > 0 && <td colSpan={before} />}
      <td colSpan={span}>
        <div className="field-list-comment">
          {comment !== null && unwrapped(comment)}
          {options.length > 0 && <OptionList options={options} />}
        </div>
      </td>
    </tr>
  );
}
