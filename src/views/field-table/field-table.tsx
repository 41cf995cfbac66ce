/**
 * The fields of a profile as a tree table: both ledgers as bars on one scale, and their figures.
 * Only visible rows are drawn, and all rows for printing. Focus stays on the grid; the active row is named by its id.
 */
import { FIELD_NOTES, firstRows, noPathContains } from '#wording/field-notes.ts';
import '#charts/charts.css';
import './field-table.css';
import { useVirtualizer } from '@tanstack/react-virtual';
import {
  type CSSProperties,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { CategoryPatterns } from '#charts/category-patterns.tsx';
import { SHEET_WIDTH, usePrinting } from '#charts/use-printing.ts';
import { addCosts, buildFieldTree, type DeltaOf, findField, NO_COSTS, type PaidOf } from '#engine/cost/field-tree.ts';
import { capturedLedger, type Profile, sumCells, totalIn } from '#engine/cost/profile.ts';
import type { TableView } from '#state/view-state.ts';
import type { TermName } from '#wording/terms.ts';
import { useTextScale } from '../panes/use-text-scale.ts';
import { treeMove } from '../tree/tree-keys.ts';
import { type CellFrame, chooseColumns, type Line, type PaidFrame } from './field-columns.tsx';
import { FieldRow, TotalsRow } from './field-row.tsx';
import { FieldTools } from './field-tools.tsx';
import { HeadRow } from './head-row.tsx';
import { legendOf } from './legend-of.ts';
import { isFlat, nextSort, reveal, sumOwn, type TableRow, visibleRows } from './visible-rows.ts';

/** Pixels, at the usual size of the text. */
const ROW_HEIGHT = 27;
/** The maximum of printed rows: about a dozen sheets. Folding or filtering chooses other rows. */
const PRINTED = 500;

export interface FieldTableProps {
  readonly profile: Profile;
  /** Whether the table compares with the native side. */
  readonly compares: boolean;
  /** Path of the field whose rows alone are shown; null: all. */
  readonly root?: string | null;
  readonly onRoot?: (path: string) => void;
  readonly view: TableView;
  readonly onView: (view: TableView) => void;
  /** Path of the selected field. */
  readonly selected: string | null;
  readonly hovered?: string | null;
  readonly onSelect: (path: string) => void;
  readonly onHover?: (path: string | null) => void;
  /** Native writers that were changed, by full field name. */
  readonly overrides?: Readonly<Record<string, string>>;
  /** The title of the delta column if it shows only the part of the difference that one cause explains. */
  readonly delta?: { readonly label: string; readonly term: TermName; readonly of: DeltaOf } | undefined;
  /** Bits that fields pay of compressed streams; null: not measured. */
  readonly paid?: (PaidFrame & { readonly of: PaidOf }) | null;
  /** The choice of the compressed streams. */
  readonly after?: ReactNode;
}

const NO_OVERRIDES = {};

export function FieldTable({
  profile,
  compares,
  root = null,
  onRoot,
  view,
  onView,
  selected,
  hovered = null,
  onSelect,
  onHover,
  overrides = NO_OVERRIDES,
  delta,
  paid = null,
  after,
}: FieldTableProps): ReactNode {
  const id = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const filterBox = useRef<HTMLInputElement>(null);
  const isPrinting = usePrinting();
  const scale = useTextScale();
  const rowHeight = ROW_HEIGHT * scale;
  const headHeight = 2 * rowHeight;
  const screenWidth = useClientWidth(scroller);
  const width = isPrinting ? SHEET_WIDTH : screenWidth;
  const [active, setActive] = useState<string | null>(selected);
  const [isComposition, setComposition] = useState(false);

  const [first, second] = profile.pair;
  const side = compares ? first : capturedLedger(profile);
  const whole = useMemo(() => buildFieldTree(profile, delta?.of, paid?.of, side), [profile, delta?.of, paid?.of, side]);
  const rootNode = useMemo(() => (root === null ? null : findField(whole, root)), [whole, root]);
  const tree = useMemo(() => rootNode?.children ?? whole, [rootNode, whole]);
  const rows = useMemo(() => visibleRows(tree, view), [tree, view]);
  const flat = isFlat(view);
  const matches = view.filter.trim() === '' ? null : rows.length;
  const all = useMemo((): Line => {
    if (matches !== null) return { field: null, own: sumOwn(rows), total: sumOwn(rows) };
    if (rootNode) return { field: null, own: rootNode.own, total: rootNode.total };
    const sum = tree.reduce((costs, { total }) => addCosts(costs, total), NO_COSTS);
    const total = {
      ...sum,
      bytes: totalIn(profile, side),
      delta: sum.delta + profile.unattributed,
      // The container belongs to no field.
      paid: 8 * (paid?.compressedBytes ?? 0),
    };
    return { field: null, own: NO_COSTS, total };
  }, [matches, rows, tree, rootNode, profile, side, paid]);
  // The table is drawn once its width is known; otherwise it would be laid out twice.
  const grid = width === null ? null : chooseColumns(width / scale, compares, paid !== null);

  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
    scrollMargin: headHeight,
    scrollPaddingStart: headHeight,
  });

  const drawsContainer = (paid?.bars ?? null) !== null;
  const legend = useMemo(
    () => (compares ? null : legendOf(profile, false, drawsContainer)),
    [profile, compares, drawsContainer],
  );
  const activeIndex = rows.findIndex(({ node }) => node.field.path === active);

  // A selection made elsewhere opens the ancestors of its row and scrolls there once.
  const [followed, setFollowed] = useState<string | null>(null);
  useEffect(() => {
    if (selected === null || selected === followed) return;
    setFollowed(selected);
    setActive(selected);
    const opened = flat ? view : reveal(tree, view, selected);
    if (opened !== view) onView(opened);
    const index = visibleRows(tree, opened).findIndex(({ node }) => node.field.path === selected);
    if (index < 0) return;
    requestAnimationFrame(() => {
      const top = headHeight + index * rowHeight - (virtual.scrollOffset ?? 0);
      const isInSight = top >= headHeight && top + rowHeight <= (virtual.scrollRect?.height ?? 0);
      // Among its neighbours, whole rows from the top.
      const fit = Math.floor(((virtual.scrollRect?.height ?? 0) - headHeight) / rowHeight);
      if (!isInSight) virtual.scrollToOffset(Math.max(0, index - Math.floor(fit / 2)) * rowHeight);
    });
  }, [selected, followed, flat, tree, view, onView, virtual, rowHeight, headHeight]);

  // Rows in another order are read from the first one on.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it runs because the order changed
  useEffect(() => virtual.scrollToOffset(0), [view.sort]);

  const toggle = (row: TableRow) => {
    const { path } = row.node.field;
    const expanded = row.state === 'open' ? view.expanded.filter((open) => open !== path) : [...view.expanded, path];
    onView({ ...view, expanded });
  };
  const select = (row: TableRow) => {
    const { path } = row.node.field;
    setActive(path);
    setFollowed(path);
    onSelect(path);
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== scroller.current || event.altKey || event.ctrlKey || event.metaKey) return;
    const row = rows[activeIndex];
    if ((event.key === 'Enter' || event.key === ' ') && row) {
      event.preventDefault();
      // A click on the selected row zooms in.
      if (event.key === 'Enter' && selected === row.node.field.path && row.state !== 'leaf') onRoot?.(selected);
      else select(row);
      return;
    }
    const page = Math.max(1, Math.floor((scroller.current.clientHeight - headHeight) / rowHeight) - 1);
    const move = treeMove(event.key, rows, activeIndex, page);
    if (move) {
      event.preventDefault();
      const target = rows[move.index]!;
      if (move.kind !== 'go') toggle(target);
      setActive(target.node.field.path);
      onHover?.(target.node.field.path);
      virtual.scrollToIndex(move.index, { align: 'auto' });
    } else if (/^[\p{L}\p{N}_./?[]$/u.test(event.key)) {
      event.preventDefault();
      filterBox.current?.focus();
      onView({ ...view, filter: event.key === '/' ? view.filter : view.filter + event.key });
    }
  };

  const seen = virtual.getVirtualItems();
  const items = isPrinting ? rows.slice(0, PRINTED).map((_, index) => ({ index, start: headHeight })) : seen;
  const activeShown = items.some(({ index }) => index === activeIndex);
  const style = { '--field-grid': grid?.template } as CSSProperties;
  // One scale for every bar, that of the totals: equal lengths are equal bytes.
  const lengthOf = (at: 0 | 1): number =>
    rootNode ? sumCells(rootNode.total.sides[at]) : totalIn(profile, profile.pair[at]);
  const longest = Math.max(side === first ? lengthOf(0) : 0, compares || side === second ? lengthOf(1) : 0);
  const frame: CellFrame = {
    profile,
    compares,
    patterns: id,
    barWidth: scale * (grid?.barWidth ?? 0),
    barScale: isComposition ? 'composition' : paid?.bars ? paid.compressedBytes : longest,
    paid,
  };

  return (
    <section className="field-table" aria-label="Fields" style={style}>
      <FieldTools
        profile={profile}
        shown={rows.length}
        view={view}
        onView={onView}
        tree={tree}
        filterBox={filterBox}
        onEnter={() => {
          setActive(rows[0]?.node.field.path ?? null);
          scroller.current?.focus();
        }}
        isComposition={isComposition}
        onComposition={setComposition}
        after={after}
        legend={legend}
      />
      <div className="field-table-frame">
        <div
          ref={scroller}
          className="field-table-scroll"
          role="treegrid"
          tabIndex={0}
          aria-label="Cost by field"
          aria-rowcount={rows.length + 2}
          aria-colcount={grid?.columns.length}
          aria-activedescendant={activeShown ? `${id}-${activeIndex}` : undefined}
          onKeyDown={onKeyDown}
          onFocus={(event) => {
            if (event.target === event.currentTarget && activeIndex < 0) setActive(rows[0]?.node.field.path ?? null);
          }}
          onMouseLeave={() => onHover?.(null)}
        >
          {grid !== null && (
            <>
              <svg className="field-table-patterns" width={0} height={0} aria-hidden="true">
                <CategoryPatterns prefix={id} />
              </svg>
              <div className="field-table-head">
                <HeadRow
                  columns={grid.columns}
                  frame={frame}
                  delta={delta}
                  view={view}
                  onSort={(column) => onView({ ...view, sort: nextSort(view.sort, column) })}
                />
                <TotalsRow
                  line={all}
                  root={rootNode?.field.path ?? null}
                  matches={matches}
                  columns={grid.columns}
                  frame={frame}
                />
              </div>
              <div className="field-table-body" style={isPrinting ? undefined : { height: virtual.getTotalSize() }}>
                {items.map(({ index, start }) => {
                  const row = rows[index]!;
                  const { path } = row.node.field;
                  return (
                    <FieldRow
                      key={path}
                      id={`${id}-${index}`}
                      row={row}
                      rowIndex={index + 3}
                      top={start - headHeight}
                      flat={flat}
                      writer={overrides[row.node.field.declared?.fullName ?? '']}
                      // Without a type, every row would repeat that no schema has it.
                      facts={grid.facts && !profile.other?.isAlone}
                      columns={grid.columns}
                      frame={frame}
                      selected={path === selected && !isPrinting}
                      active={index === activeIndex}
                      hovered={path === hovered && !isPrinting}
                      onSelect={select}
                      onDrill={onRoot}
                      onToggle={toggle}
                      onHover={onHover}
                    />
                  );
                })}
                {isPrinting && rows.length > PRINTED && (
                  <p className="field-table-empty">{firstRows(PRINTED, rows.length)}</p>
                )}
                {rows.length === 0 && (
                  <p className="field-table-empty">
                    {profile.fields.length === 0 ? FIELD_NOTES.none : noPathContains(view.filter.trim())}
                  </p>
                )}
              </div>
            </>
          )}
        </div>
      </div>
    </section>
  );
}

/** In CSS pixels; null until it was measured. */
function useClientWidth(ref: { readonly current: HTMLElement | null }): number | null {
  const [width, setWidth] = useState<number | null>(null);
  useLayoutEffect(() => {
    const element = ref.current;
    if (element === null) return;
    setWidth(element.clientWidth);
    const observer = new ResizeObserver((sizes) => setWidth(Math.round(sizes.at(-1)!.contentRect.width)));
    observer.observe(element);
    return () => observer.disconnect();
  }, [ref]);
  return width;
}
