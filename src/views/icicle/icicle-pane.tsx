/**
 * The whole analysis as one picture, above the field table: click selects, double-click zooms in, the path above zooms
 * out. The table shares selection and zoom, and serves keyboards and screen readers.
 */
import { FIELD_NOTES, icicleLabel } from '#wording/field-notes.ts';
import './icicle-pane.css';
import { type PointerEvent, type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { FitWidth } from '#charts/fit-width.tsx';
import { Icicle } from '#charts/icicle.tsx';
import { drawIcicle } from '#charts/icicle-canvas.ts';
import {
  type IcicleGeometry as Cells,
  cellAt,
  findNode,
  type IcicleCell,
  type IcicleNode,
  layOutIcicle,
} from '#charts/icicle-geometry.ts';
import { ICICLE } from '#charts/icicle-look.ts';
import { usePrinting } from '#charts/use-printing.ts';
import { describeSegments } from '#engine/cost/ledger-segments.ts';
import { formatBytes, formatCount, formatPercent, shareOf } from '#wording/number-text.ts';
import { useTextScale } from '../panes/use-text-scale.ts';

export interface IciclePaneProps {
  readonly tree: IcicleNode;
  /** Path of the node that fills the width; null: the whole. */
  readonly root: string | null;
  readonly onRoot: (path: string | null) => void;
  readonly selected: string | null;
  readonly hovered: string | null;
  readonly onSelect: (path: string) => void;
  readonly onHover: (path: string | null) => void;
  /** The part of a sheet's width that it has on paper. */
  readonly ofSheet?: number;
  /** The picture's name among others. */
  readonly label?: string;
  /** Where the same fields can be read. */
  readonly elsewhere?: string;
}

/** As many as a sheet has room for above a table. */
const PRINTED_LEVELS = 24;

export function IciclePane(props: IciclePaneProps): ReactNode {
  const { tree, root, label = 'Icicle', ofSheet = 1 } = props;
  const isPrinting = usePrinting();
  const shown = useMemo(() => (root === null ? undefined : findNode(tree, root)?.at(-1)) ?? tree, [tree, root]);
  return (
    <section aria-label={label} className="icicle">
      <FitWidth max={4000} min={1} ofSheet={ofSheet}>
        {(width, id) =>
          isPrinting ? (
            <Icicle id={id} root={shown} width={width} mostLevels={PRINTED_LEVELS} />
          ) : (
            <Drawn {...props} shown={shown} width={width} />
          )
        }
      </FitWidth>
    </section>
  );
}

function Drawn({
  tree,
  shown,
  width,
  onRoot,
  root,
  selected,
  hovered,
  onSelect,
  onHover,
  elsewhere = FIELD_NOTES.icicleTable,
}: IciclePaneProps & { readonly shown: IcicleNode; readonly width: number }): ReactNode {
  const canvas = useRef<HTMLCanvasElement>(null);
  // Laid out and drawn in the pixels of the usual size of text, and shown as much larger as the text is.
  const scale = useTextScale();
  const icicle = useMemo(() => layOutIcicle(shown, width / scale), [shown, width, scale]);
  const [tip, setTip] = useState<Tip | null>(null);
  const height = icicle.levels * ICICLE.row;
  useCanvas(canvas, icicle, { width: width / scale, height, scale }, selected, hovered);
  const cellUnder = (event: PointerEvent | React.MouseEvent) => {
    const box = event.currentTarget.getBoundingClientRect();
    const level = Math.floor((event.clientY - box.top) / scale / ICICLE.row);
    return cellAt(icicle, (event.clientX - box.left) / scale, level);
  };
  return (
    <div>
      <canvas
        ref={canvas}
        role="img"
        aria-label={icicleLabel(shown.name, shown.bytes, elsewhere)}
        style={{ width, height: height * scale }}
        onPointerMove={(event) => {
          const cell = cellUnder(event);
          const isLeft = event.clientX < innerWidth / 2;
          setTip(
            cell === undefined ? null : { cell, x: event.clientX + (isLeft ? 12 : -12), y: event.clientY + 16, isLeft },
          );
          onHover(cell?.node?.path || null);
        }}
        onPointerLeave={() => {
          setTip(null);
          onHover(null);
        }}
        onClick={(event) => {
          const path = cellUnder(event)?.node?.path;
          if (path) onSelect(path);
        }}
        onDoubleClick={(event) => {
          const node = cellUnder(event)?.node;
          if (!node) return;
          // A click on the node that fills the width zooms out.
          if (node === shown) onRoot(root === null ? null : parentOf(tree, node.path));
          else if (node.children.length > 0) onRoot(node.path);
        }}
      />
      {tip && <TipOf {...tip} whole={tree.bytes} />}
    </div>
  );
}

interface Tip {
  readonly cell: IcicleCell;
  readonly x: number;
  readonly y: number;
  /** Whether it stands right of the pointer, in the left half of the window. */
  readonly isLeft: boolean;
}

/** The cell under the pointer. The table has the same facts for screen readers. */
function TipOf({ cell, x, y, isLeft, whole }: Tip & { readonly whole: number }): ReactNode {
  const { node, bytes } = cell;
  const own = node === null ? '' : describeSegments(node.own, formatCount);
  return (
    <div
      aria-hidden="true"
      className="icicle-tip"
      style={{ left: x, top: y, translate: isLeft ? undefined : '-100% 0' }}
    >
      <strong>{node === null ? `${formatCount(cell.count)} fields` : node.path || node.name}</strong>
      <span>
        {formatBytes(bytes)}, {formatPercent(shareOf(bytes, whole))}
      </span>
      {own !== '' && <span>itself: {own}</span>}
      {node !== null && node.children.length > 0 && <span className="text-ink-muted">{FIELD_NOTES.zoom}</span>}
    </div>
  );
}

/** null: the whole. */
const parentOf = (tree: IcicleNode, path: string): string | null => findNode(tree, path)?.at(-2)?.path || null;

function useCanvas(
  ref: { readonly current: HTMLCanvasElement | null },
  icicle: Cells,
  { width, height, scale }: { readonly width: number; readonly height: number; readonly scale: number },
  selected: string | null,
  hovered: string | null,
): void {
  const [look, setLook] = useState(0);
  useEffect(() => {
    const changed = (): void => setLook((count) => count + 1);
    const system = matchMedia('(prefers-color-scheme: dark)');
    system.addEventListener('change', changed);
    const observer = new MutationObserver(changed);
    observer.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    document.fonts.addEventListener('loadingdone', changed);
    return () => {
      document.fonts.removeEventListener('loadingdone', changed);
      system.removeEventListener('change', changed);
      observer.disconnect();
    };
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: other colours or letters are another drawing
  useEffect(() => {
    const canvas = ref.current;
    if (canvas === null) return;
    const frame = requestAnimationFrame(() =>
      drawIcicle(canvas, icicle, { width, height, ratio: devicePixelRatio * scale }, { selected, hovered }),
    );
    return () => cancelAnimationFrame(frame);
  }, [ref, icicle, width, height, scale, selected, hovered, look]);
}
