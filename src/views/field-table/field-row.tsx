/** A row of the field table, and the row of totals above all others. */
import type { ReactNode } from 'react';
import { LedgerBar } from '#charts/ledger-bar.tsx';
import { describeSegments, nativeSegments, protobufSegments } from '#engine/cost/ledger-segments.ts';
import type { FieldProfile, Profile } from '#engine/cost/profile.ts';
import { fieldFacts, isGuess } from '#wording/field-words.ts';
import { formatCount, formatPercent, formatSigned, shareOf } from '#wording/number-text.ts';
import { writerLabel } from '#wording/writer-words.ts';
import type { Costs } from './field-tree.ts';
import type { TableColumns } from './table-columns.ts';
import type { Column, TableRow } from './visible-rows.ts';

const BAR_HEIGHT = 8;
const BAR_GAP = 2;

interface RowFrame {
  readonly grid: TableColumns;
  readonly patterns: string;
  /** Bytes that fill a bar's width. */
  readonly scale: number;
  readonly profile: Profile;
}

export function FieldRow({
  id,
  row,
  rowIndex,
  top,
  flat,
  grid,
  profile,
  patterns,
  scale,
  writer,
  selected,
  active,
  hovered,
  onSelect,
  onToggle,
  onHover,
}: RowFrame & {
  readonly id: string;
  readonly row: TableRow;
  readonly rowIndex: number;
  readonly top: number;
  readonly flat: boolean;
  /** The native writer that was chosen for it, if one was. */
  readonly writer: string | undefined;
  readonly selected: boolean;
  readonly active: boolean;
  readonly hovered: boolean;
  readonly onSelect: (row: TableRow) => void;
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
      onMouseEnter={() => onHover?.(field.path)}
    >
      {grid.columns.map((column) => (
        // biome-ignore lint/a11y/useSemanticElements lint/a11y/useFocusableInteractive: focus stays on the grid
        <div key={column} role="gridcell" className={`field-cell field-cell-${column}`}>
          {column === 'field' ? (
            <NameCell row={row} flat={flat} facts={grid.facts} writer={writer} onToggle={onToggle} />
          ) : (
            <FigureCell
              column={column}
              costs={row.costs}
              field={field}
              grid={grid}
              profile={profile}
              patterns={patterns}
              scale={scale}
            />
          )}
        </div>
      ))}
    </div>
  );
}

function NameCell({
  row,
  flat,
  facts,
  writer,
  onToggle,
}: {
  readonly row: TableRow;
  readonly flat: boolean;
  readonly facts: boolean;
  readonly writer: string | undefined;
  readonly onToggle: (row: TableRow) => void;
}): ReactNode {
  const { field, total } = row.node;
  const parentPath = flat && field.parent !== '' ? `${field.parent}.` : '';
  const wasted = field.waste.overlong + field.waste.negative + field.waste.defaults;
  return (
    <span className="field-name" style={{ paddingInlineStart: row.depth * 16 }} title={fieldFacts(field).title}>
      {flat ? null : row.state === 'leaf' ? (
        <span className="field-twisty" />
      ) : (
        <button
          type="button"
          className="field-twisty"
          tabIndex={-1}
          aria-label={row.state === 'open' ? `Fold ${field.path}` : `Open ${field.path}`}
          onClick={(event) => {
            event.stopPropagation();
            onToggle(row);
          }}
        >
          {row.state === 'open' ? '▾' : '▸'}
        </button>
      )}
      <span className="field-name-text">
        {parentPath !== '' && <span className="field-parent">{parentPath}</span>}
        {field.name}
      </span>
      <span className="field-number">{field.number}</span>
      {facts && <span className="field-facts">{fieldFacts(field).short}</span>}
      {writer !== undefined && <span className="changed-mark">{writerLabel(writer)}</span>}
      {isGuess(field) && <span className="guess-mark">guess</span>}
      {facts && wasted > 0 && <span className="field-waste">waste {formatCount(wasted)}</span>}
      {row.state === 'open' && (
        <span
          className="field-own"
          title={`With the fields below it: protobuf ${formatCount(total.protobufBytes)}, native ${formatCount(total.nativeBytes)} bytes`}
        >
          own
        </span>
      )}
    </span>
  );
}

function FigureCell({
  column,
  costs,
  field,
  grid,
  patterns,
  scale,
  profile,
}: RowFrame & {
  readonly column: Column;
  readonly costs: Costs;
  readonly field: FieldProfile | null;
}): ReactNode {
  switch (column) {
    case 'occurrences':
      return field && <Figure value={field.occurrences} />;
    case 'presence':
      return (
        field &&
        field.parents > 0 && (
          <span title={`Present in ${formatCount(field.presence)} of ${formatCount(field.parents)}`}>
            {formatPercent(shareOf(field.presence, field.parents))}
          </span>
        )
      );
    case 'overhead': {
      const protobuf = [
        ...protobufSegments(costs.protobuf),
        ...(field === null ? [{ category: 'unattributed' as const, bytes: profile.unattributed }] : []),
      ];
      const native = nativeSegments(costs.native);
      const words = [`protobuf ${describeSegments(protobuf, formatCount)}`];
      if (profile.nativeProfile !== null) words.push(`native ${describeSegments(native, formatCount)}`);
      return (
        <svg
          width={grid.barWidth}
          height={BAR_HEIGHT * 2 + BAR_GAP}
          role="img"
          aria-label={`${field?.path ?? 'all'}: ${words.join('; ')}`}
        >
          <LedgerBar
            segments={protobuf}
            scale={scale}
            width={grid.barWidth}
            height={BAR_HEIGHT}
            patterns={patterns}
            label="protobuf"
          />
          {profile.nativeProfile !== null && (
            <LedgerBar
              segments={native}
              scale={scale}
              width={grid.barWidth}
              height={BAR_HEIGHT}
              y={BAR_HEIGHT + BAR_GAP}
              patterns={patterns}
              label="native"
            />
          )}
        </svg>
      );
    }
    case 'protobuf':
      return <Figure value={costs.protobufBytes} />;
    case 'native':
      return <Figure value={costs.nativeBytes} />;
    case 'delta':
      return (
        <span className={costs.delta > 0 ? 'is-more' : costs.delta < 0 ? 'is-less' : 'is-none'}>
          {formatSigned(costs.delta)}
        </span>
      );
    case 'share':
      return formatPercent(shareOf(costs.protobufBytes, profile.bytes.protobuf));
    default:
      return null;
  }
}

const Figure = ({ value }: { readonly value: number }): ReactNode => (
  <span className={value === 0 ? 'is-none' : undefined}>{formatCount(value)}</span>
);

/**
 * The sum of the visible rows, and of what no rule explains, on a scale of its own: it shows what all is made of.
 * `matches`: how many fields a filter left.
 */
export function TotalsRow({
  profile,
  costs,
  matches,
  grid,
  patterns,
}: Omit<RowFrame, 'scale'> & { readonly costs: Costs; readonly matches: number | null }): ReactNode {
  const whole: Costs =
    matches !== null
      ? costs
      : {
          ...costs,
          protobufBytes: profile.bytes.protobuf,
          nativeBytes: profile.bytes.native,
        };
  const scale = Math.max(whole.protobufBytes, whole.nativeBytes);
  const label =
    matches === null
      ? `All of ${profile.type.slice(profile.type.lastIndexOf('.') + 1) || 'the messages'}`
      : 'Fields shown';
  return (
    // biome-ignore lint/a11y/useSemanticElements lint/a11y/useFocusableInteractive: focus stays on the grid
    <div role="row" className="field-row field-row-totals" aria-rowindex={2}>
      {grid.columns.map((column) => (
        // biome-ignore lint/a11y/useSemanticElements lint/a11y/useFocusableInteractive: focus stays on the grid
        <div key={column} role="gridcell" className={`field-cell field-cell-${column}`}>
          {column === 'field' ? (
            <span className="field-name">
              <span className="field-name-text" title={profile.type}>
                {label}
              </span>
              {matches === null && profile.unattributed > 0 && (
                <span className="field-waste">unattributed {formatCount(profile.unattributed)}</span>
              )}
            </span>
          ) : (
            <FigureCell
              column={column}
              costs={whole}
              field={null}
              grid={grid}
              profile={profile}
              patterns={patterns}
              scale={scale}
            />
          )}
        </div>
      ))}
    </div>
  );
}
