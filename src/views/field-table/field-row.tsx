/** A row of the field table, and the row of totals above all others. */
import type { ReactNode } from 'react';
import { shortNameOf } from '#engine/schema/names.ts';
import { FIELD_NOTES } from '#wording/field-notes.ts';
import { fieldFacts, isGuess, isOfText, wasteWords } from '#wording/field-words.ts';
import { formatCount } from '#wording/number-text.ts';
import { writerLabel } from '#wording/writer-words.ts';
import type { CellFrame, FieldColumn, Line } from './field-columns.tsx';
import type { TableRow } from './visible-rows.ts';

/** The shortest beginning of a name that is cut first: a shorter one gives little room. */
const LEAST_CUT = 12;

interface RowFrame {
  readonly columns: readonly FieldColumn[];
  readonly frame: CellFrame;
}

export function FieldRow({
  id,
  row,
  rowIndex,
  top,
  flat,
  facts,
  columns,
  frame,
  writer,
  selected,
  active,
  hovered,
  onSelect,
  onDrill,
  onToggle,
  onHover,
}: RowFrame & {
  readonly id: string;
  readonly row: TableRow;
  readonly rowIndex: number;
  readonly top: number;
  readonly flat: boolean;
  readonly facts: boolean;
  /** The native writer that the user chose for it, if any. */
  readonly writer: string | undefined;
  readonly selected: boolean;
  readonly active: boolean;
  readonly hovered: boolean;
  readonly onSelect: (row: TableRow) => void;
  readonly onDrill: ((path: string) => void) | undefined;
  readonly onToggle: (row: TableRow) => void;
  readonly onHover: ((path: string | null) => void) | undefined;
}): ReactNode {
  const { field } = row.node;
  const marks = `${active ? ' is-active' : ''}${selected ? ' is-selected' : ''}${hovered ? ' is-hovered' : ''}`;
  return (
    // biome-ignore lint/a11y/useSemanticElements lint/a11y/useFocusableInteractive lint/a11y/useKeyWithClickEvents: focus and keys stay on the grid
    <div
      id={id}
      role="row"
      className={`field-row${marks}`}
      style={{ transform: `translateY(${top}px)` }}
      aria-rowindex={rowIndex}
      aria-level={row.depth + 1}
      aria-posinset={row.position}
      aria-setsize={row.siblings}
      aria-expanded={row.state === 'leaf' ? undefined : row.state === 'open'}
      aria-selected={selected}
      onClick={() => onSelect(row)}
      onDoubleClick={() => row.state !== 'leaf' && onDrill?.(field.path)}
      onMouseEnter={() => onHover?.(field.path)}
    >
      <Cells columns={columns} line={row.node} frame={frame}>
        <NameCell row={row} flat={flat} facts={facts} frame={frame} writer={writer} onToggle={onToggle} />
      </Cells>
    </div>
  );
}

/** One cell per column; the content of the first is given. */
const Cells = ({ columns, line, frame, children }: RowFrame & { readonly line: Line; readonly children: ReactNode }) =>
  columns.map(({ id, cell }) => (
    // biome-ignore lint/a11y/useSemanticElements lint/a11y/useFocusableInteractive: focus stays on the grid
    <div key={id} role="gridcell" className={`field-cell field-cell-${id}`}>
      {id === 'field' ? children : cell(line, frame)}
    </div>
  ));

function NameCell({
  row,
  flat,
  facts,
  frame,
  writer,
  onToggle,
}: {
  readonly row: TableRow;
  readonly flat: boolean;
  readonly facts: boolean;
  readonly frame: CellFrame;
  readonly writer: string | undefined;
  readonly onToggle: (row: TableRow) => void;
}): ReactNode {
  const { field } = row.node;
  const parentPath = flat && field.parent !== '' ? `${field.parent}.` : '';
  const wasted = wasteWords(field, frame.profile).reduce((sum, { bytes }) => sum + bytes, 0);
  return (
    <span
      className="field-name"
      style={{ paddingInlineStart: `min(${row.depth} * var(--indent, 16px), ${row.depth} * 8px + 32px, 45%)` }}
      title={fieldFacts(field).title}
    >
      {flat ? null : row.state === 'leaf' ? (
        <span className="field-twisty" />
      ) : (
        <button
          type="button"
          className="field-twisty"
          tabIndex={-1}
          aria-label={row.state === 'open' ? 'Fold' : 'Open'}
          onClick={(event) => {
            event.stopPropagation();
            onToggle(row);
          }}
        >
          {row.state === 'open' ? '▾' : '▸'}
        </button>
      )}
      <span className={`field-name-text${flat ? ' cut-before' : ''}`}>
        {row.shared < LEAST_CUT ? (
          <bdi>
            {parentPath !== '' && <bdi className="field-parent">{parentPath}</bdi>}
            <bdi>{field.name}</bdi>
          </bdi>
        ) : (
          <bdi className="cut-between">
            <span>{field.name}</span>
            <span
              aria-hidden="true"
              data-start={field.name.slice(0, row.shared)}
              data-end={field.name.slice(row.shared)}
            />
          </bdi>
        )}
      </span>
      {!isOfText(field) && <span className="field-number">{field.number}</span>}
      {facts && <span className="field-facts">{fieldFacts(field).short}</span>}
      {writer !== undefined && <span className="changed-mark">{writerLabel(writer)}</span>}
      {isGuess(field) && <span className="guess-mark">guess</span>}
      {facts && wasted > 0 && <span className="field-waste">waste {formatCount(wasted)}</span>}
    </span>
  );
}

/**
 * The sum of all rows, with the unattributed bytes. With a filter: the own bytes of the fields that match. `matches`:
 * their number.
 */
export function TotalsRow({
  line,
  root,
  matches,
  columns,
  frame,
}: RowFrame & {
  readonly line: Line;
  /** Path of the field whose rows these are; null: all. */
  readonly root: string | null;
  readonly matches: number | null;
}): ReactNode {
  const { profile } = frame;
  const label =
    matches === null ? `All of ${root ?? (shortNameOf(profile.type) || 'the messages')}` : FIELD_NOTES.filtered;
  return (
    // biome-ignore lint/a11y/useSemanticElements lint/a11y/useFocusableInteractive: focus stays on the grid
    <div role="row" className="field-row field-row-totals" aria-rowindex={2}>
      <Cells columns={columns} line={line} frame={frame}>
        <span className="field-name">
          <span className="field-name-text" title={profile.type}>
            {label}
          </span>
          {matches === null && profile.unattributed > 0 && (
            <span className="field-waste">unattributed {formatCount(profile.unattributed)}</span>
          )}
        </span>
      </Cells>
    </div>
  );
}
