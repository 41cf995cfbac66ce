/**
 * Packages or folders with their contents as a tree. A node is fetched when it is opened, a row drawn when it is
 * visible.
 */
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type ReactNode, useCallback, useEffect, useId, useMemo, useRef, useState } from 'react';
import { type AddressedPlace, goTo } from '#state/addresses/place.ts';
import { useActions, useApp } from '#state/context.tsx';
import type { CatalogNode, CatalogOrder, Shelf } from '#state/explore.ts';
import { formatCount } from '#wording/number-text.ts';
import { treeMove } from '../tree/tree-keys.ts';
import { placeOfNode } from './addresses.ts';
import { type CatalogRow, catalogRows, type KnownNodes } from './catalog-rows.ts';
import { KindMark, wordOfKind } from './kind-mark.tsx';

const ROW_HEIGHT = 24;
const NOTHING: KnownNodes = new Map();

export function CatalogTree({
  shelf,
  order,
  place,
}: {
  readonly shelf: Shelf;
  readonly order: CatalogOrder;
  readonly place: AddressedPlace | null;
}): ReactNode {
  const id = useId();
  const { ask } = useActions();
  const schema = useApp(({ session }) => (shelf === 'loaded' ? session.schema : session.bundled));
  const scroller = useRef<HTMLDivElement>(null);
  const [known, setKnown] = useState<KnownNodes>(NOTHING);
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const [active, setActive] = useState<string | null>(null);
  const rows = useMemo(() => catalogRows(known, open), [known, open]);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 12,
  });

  // Another schema or order is another tree; open nodes that still exist stay open. The former tree stays until the new
  // one is there, or keys pressed meanwhile would move in nothing.
  const opened = useRef(open);
  opened.current = open;
  const tree = useRef({ shelf, schema, order });
  tree.current = { shelf, schema, order };
  const load = useCallback(
    async (parents: readonly (string | null)[], former: 'kept' | 'replaced' = 'kept'): Promise<void> => {
      const mine = tree.current;
      const answers = await Promise.all(
        parents.map((parent) => ask('treeNodes', { shelf: mine.shelf, order: mine.order, parent })),
      );
      if (tree.current.schema !== mine.schema || tree.current.order !== mine.order) return;
      setKnown((before) => {
        const next = new Map(former === 'kept' ? before : NOTHING);
        for (const [index, parent] of parents.entries()) {
          const found = answers[index];
          if (found) next.set(parent ?? '', found.answer);
        }
        return next;
      });
    },
    [ask],
  );
  useEffect(() => {
    // Variables, so that the effect depends on them.
    void [schema, order];
    void load([null, ...opened.current], 'replaced');
  }, [load, schema, order]);

  // Opens the tree to the shown place and scrolls to it.
  const [sought, setSought] = useState<string | null>(null);
  const of = place && 'name' in place && place.at !== 'edit' && place.at !== 'compare' ? place.at : null;
  const name = of && place && 'name' in place ? place.name : '';
  useEffect(() => {
    void schema;
    if (of === null) return;
    const stop = new AbortController();
    void ask('treeWay', { shelf, order, of, name }, stop.signal).then(async (found) => {
      const way = found?.answer ?? [];
      const last = way.at(-1);
      if (last === undefined || stop.signal.aborted) return;
      const above = way.slice(0, -1);
      setOpen((before) => new Set([...before, ...above]));
      await load([null, ...above]);
      if (stop.signal.aborted) return;
      setActive(last);
      setSought(last);
    });
    return () => stop.abort();
  }, [ask, load, schema, shelf, order, of, name]);
  useEffect(() => {
    if (sought === null) return;
    const index = rows.findIndex(({ node }) => node.id === sought);
    if (index < 0) return;
    setSought(null);
    requestAnimationFrame(() => {
      const offset = virtual.scrollOffset ?? 0;
      const height = scroller.current?.clientHeight ?? 0;
      const isInSight = index * ROW_HEIGHT >= offset && (index + 1) * ROW_HEIGHT <= offset + height;
      if (!isInSight) virtual.scrollToIndex(index, { align: 'center' });
    });
  }, [sought, rows, virtual]);

  const toggle = ({ node, state }: CatalogRow): void => {
    setOpen((before) => {
      const next = new Set(before);
      if (state === 'open') next.delete(node.id);
      else next.add(node.id);
      return next;
    });
    if (state === 'folded' && !known.has(node.id)) void load([node.id]);
  };
  const visit = (row: CatalogRow): void => {
    setActive(row.node.id);
    goTo(placeOfNode(row.node));
    if (row.state === 'folded' && row.node.kind !== 'message') toggle(row);
  };
  const activeIndex = Math.max(
    0,
    rows.findIndex(({ node }) => node.id === active),
  );
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.altKey || event.ctrlKey || event.metaKey || rows.length === 0) return;
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / ROW_HEIGHT) - 1);
    if (event.key === 'Enter' || event.key === ' ') visit(rows[activeIndex]!);
    else {
      const move = treeMove(event.key, rows, activeIndex, page);
      if (move === null) return;
      const target = rows[move.index]!;
      if (move.kind !== 'go') toggle(target);
      setActive(target.node.id);
      virtual.scrollToIndex(move.index, { align: 'auto' });
    }
    event.preventDefault();
  };

  const items = virtual.getVirtualItems();
  const current = place && 'name' in place ? `${place.at === 'type' ? '' : `${place.at}:`}${place.name}` : '';
  const isCurrent = (node: CatalogNode): boolean => current !== '' && (node.name === current || node.id === current);
  return (
    <div
      ref={scroller}
      role="tree"
      aria-label={order === 'package' ? 'Packages' : 'Files'}
      tabIndex={0}
      className="catalog-tree"
      aria-activedescendant={items.some(({ index }) => index === activeIndex) ? `${id}-${activeIndex}` : undefined}
      onKeyDown={onKeyDown}
    >
      <div className="relative" style={{ height: virtual.getTotalSize() }} role="presentation">
        {items.map(({ index, start }) => {
          const row = rows[index]!;
          const { node, depth, state } = row;
          return (
            // biome-ignore lint/a11y/useFocusableInteractive lint/a11y/useKeyWithClickEvents: focus and keys stay on the tree
            <div
              key={node.id}
              id={`${id}-${index}`}
              role="treeitem"
              aria-level={depth + 1}
              aria-posinset={row.position}
              aria-setsize={row.siblings}
              aria-expanded={state === 'leaf' ? undefined : state === 'open'}
              aria-selected={isCurrent(node)}
              aria-label={`${wordOfKind(node.kind)} ${node.label}`}
              className={`catalog-row${index === activeIndex ? ' is-active' : ''}`}
              style={{ transform: `translateY(${start}px)`, paddingInlineStart: 4 + Math.min(depth, 24) * 14 }}
              onClick={() => visit(row)}
            >
              {state === 'leaf' ? (
                <span className="catalog-twisty" />
              ) : (
                // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/noStaticElementInteractions: for the mouse; the tree has keys for it
                <span
                  className="catalog-twisty"
                  onClick={(event) => {
                    event.stopPropagation();
                    setActive(node.id);
                    toggle(row);
                  }}
                >
                  {state === 'open' ? '▾' : '▸'}
                </span>
              )}
              <KindMark kind={node.kind} />
              <span className="catalog-label" title={node.name}>
                {node.label === '' ? 'no package' : node.label}
              </span>
              {node.count > 0 && <span className="catalog-count">{formatCount(node.count)}</span>}
            </div>
          );
        })}
      </div>
    </div>
  );
}
