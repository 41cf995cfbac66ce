/**
 * Gives a chart the number of rows that the part of the page around it has room for. Rows that would be cut are taken
 * away before the first paint; they come back when the pane or the data change.
 */
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { useTextScale } from '../panes/use-text-scale.ts';

const MIN_ROWS = 3;
/** Pixels of the highest rows, with text of the usual size. */
const ROW = 38;

export function FitRows({
  most,
  of,
  children,
}: {
  /** The number of rows where nothing is cut. */
  readonly most: number;
  /** The shown data. */
  readonly of: unknown;
  readonly children: (rows: number) => ReactNode;
}): ReactNode {
  const ref = useRef<HTMLDivElement>(null);
  const row = ROW * useTextScale();
  const [fitting, setFitting] = useState({ rows: most, of });
  const rows = fitting.of === of ? fitting.rows : most;
  useLayoutEffect(() => {
    const frame = ref.current?.closest('.costs-picture');
    const cut = frame ? frame.scrollHeight - frame.clientHeight : 0;
    if (cut > 1 && rows > MIN_ROWS) setFitting({ rows: Math.max(MIN_ROWS, rows - Math.ceil(cut / row)), of });
  });
  useLayoutEffect(() => {
    const pane = ref.current?.closest('.costs-pane');
    if (!pane) return;
    let isFirst = true;
    const observer = new ResizeObserver(() => {
      if (!isFirst) setFitting({ rows: most, of });
      isFirst = false;
    });
    observer.observe(pane);
    return () => observer.disconnect();
  }, [most, of]);
  return <div ref={ref}>{children(rows)}</div>;
}
