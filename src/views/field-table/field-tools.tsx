import { type ReactNode, type RefObject, Suspense } from 'react';
import { CategoryLegend } from '#charts/category-legend.tsx';
import type { FieldNode } from '#engine/cost/field-tree.ts';
import type { Profile } from '#engine/cost/profile.ts';
import { plural } from '#engine/model/count-text.ts';
import type { TableView } from '#state/view-state.ts';
import { FIELD_NOTES } from '#wording/field-notes.ts';
import { formatCount } from '#wording/number-text.ts';
import type { legendOf } from './legend-of.ts';
import { expandableByPath, isFlat } from './visible-rows.ts';

interface FieldToolsProps {
  readonly profile: Profile;
  /** Number of rows. */
  readonly shown: number;
  readonly view: TableView;
  readonly onView: (view: TableView) => void;
  readonly tree: readonly FieldNode[];
  readonly filterBox: RefObject<HTMLInputElement | null>;
  /** Goes from the filter to the first row. */
  readonly onEnter: () => void;
  readonly isComposition: boolean;
  readonly onComposition: (isComposition: boolean) => void;
  /** The choice of the compressed streams. */
  readonly after: ReactNode;
  /** null: the columns name the categories. */
  readonly legend: ReturnType<typeof legendOf> | null;
}

/** The filter, and the forms of the table. */
export function FieldTools({
  profile,
  shown,
  view,
  onView,
  tree,
  filterBox,
  onEnter,
  isComposition,
  onComposition,
  after,
  legend,
}: FieldToolsProps): ReactNode {
  const flat = isFlat(view);
  return (
    <div className="field-table-tools">
      <input
        ref={filterBox}
        type="search"
        value={view.filter}
        placeholder="Filter by path"
        aria-label="Filter fields by path"
        onChange={(event) => onView({ ...view, filter: event.target.value })}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && view.filter !== '') {
            event.stopPropagation();
            onView({ ...view, filter: '' });
          } else if (event.key === 'ArrowDown' || event.key === 'Enter') {
            event.preventDefault();
            onEnter();
          }
        }}
      />
      <button
        type="button"
        aria-pressed={flat}
        disabled={view.filter.trim() !== ''}
        onClick={() => onView({ ...view, flat: !view.flat })}
        title={FIELD_NOTES.flat}
      >
        Flat
      </button>
      <button
        type="button"
        disabled={flat}
        aria-label="Open all"
        title="Open all"
        onClick={() => onView({ ...view, expanded: expandableByPath(tree) })}
      >
        Open
      </button>
      <button
        type="button"
        disabled={flat}
        aria-label="Fold all"
        title="Fold all"
        onClick={() => onView({ ...view, expanded: [] })}
      >
        Fold
      </button>
      <button
        type="button"
        aria-pressed={isComposition}
        aria-label="Each as 100 %"
        onClick={() => onComposition(!isComposition)}
        data-term="composition"
      >
        100 %
      </button>
      <Suspense fallback={null}>{after}</Suspense>
      {/* Announced while the fields are filtered. The headline announces other messages. */}
      <span className="field-table-count" role="status" aria-live={view.filter === '' ? 'off' : 'polite'}>
        {flat
          ? `${formatCount(shown)} of ${formatCount(profile.fields.length)} fields`
          : plural(profile.fields.length, 'field')}
      </span>
      {legend && <CategoryLegend categories={legend} />}
    </div>
  );
}
