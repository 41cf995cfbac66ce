import type { ReactNode } from 'react';
import type { TableView } from '#state/view-state.ts';
import type { TermName } from '#wording/terms.ts';
import type { CellFrame, FieldColumn } from './field-columns.tsx';

interface HeadRowProps {
  readonly columns: readonly FieldColumn[];
  readonly frame: CellFrame;
  /** The title of the delta column if it shows only the part of the difference that one cause explains. */
  readonly delta: { readonly label: string; readonly term: TermName } | undefined;
  readonly view: TableView;
  readonly onSort: (column: string) => void;
}

/** The titles of the columns. A click sorts by a column. */
export function HeadRow({ columns, frame, delta, view, onSort }: HeadRowProps): ReactNode {
  return (
    // biome-ignore lint/a11y/useSemanticElements lint/a11y/useFocusableInteractive: focus stays on the grid
    <div className="field-row field-row-head" role="row" aria-rowindex={1}>
      {columns.map((column) => {
        const sorted = view.sort?.column === column.id ? view.sort : null;
        const own = column.id === 'delta' ? delta : undefined;
        return (
          // biome-ignore lint/a11y/useSemanticElements lint/a11y/useFocusableInteractive: the button inside takes focus
          <div
            key={column.id}
            role="columnheader"
            className={`field-cell field-cell-${column.id}`}
            aria-sort={sorted ? (sorted.descending ? 'descending' : 'ascending') : 'none'}
          >
            <button
              type="button"
              title={own?.label}
              data-term={own?.term ?? column.term}
              onClick={() => onSort(column.id)}
            >
              {own?.label ?? labelOf(column, frame)}
              <span className="field-sort" aria-hidden="true">
                {sorted ? (sorted.descending ? '▼' : '▲') : ''}
              </span>
            </button>
          </div>
        );
      })}
    </div>
  );
}

function labelOf(column: FieldColumn, { profile, compares, paid, barScale }: CellFrame): string {
  if (column.id === 'paid' && paid) return paid.label.replace(/^after /, '');
  if (column.id === 'overhead' && barScale === 'composition') return 'Each as 100 %';
  return column.labelOf?.(profile) ?? (compares ? column.labelCompared?.(profile) : undefined) ?? column.label;
}
