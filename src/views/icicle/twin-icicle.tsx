/** Before and after as icicles on one axis: a pixel stands for the same number of bytes in both, at any zoom. */
import { type ReactNode, useMemo } from 'react';
import { findNode, type IcicleNode } from '#charts/icicle-geometry.ts';
import { useActions, useApp } from '#state/context.tsx';
import { formatBytes } from '#wording/number-text.ts';
import { IciclePane } from './icicle-pane.tsx';

export interface Twin {
  readonly label: string;
  readonly tree: IcicleNode;
}

export function TwinIcicle({ sides }: { readonly sides: readonly [Twin, Twin] }): ReactNode {
  const root = useApp(({ view }) => view.root);
  const selected = useApp(({ view }) => view.selection.path);
  const hovered = useApp(({ session }) => session.hover.path);
  const { selectPath, hoverPath, zoomInto } = useActions();
  const shown = useMemo(
    () => sides.map(({ tree }) => (root === null ? tree : findNode(tree, root)?.at(-1))?.bytes ?? 0),
    [sides, root],
  );
  const longest = Math.max(1, ...shown);
  return sides.map(({ label, tree }, index) => (
    <div key={label} className="twin-icicle">
      <p>
        <strong>{label}</strong> {formatBytes(shown[index]!)}
      </p>
      {shown[index]! > 0 && (
        <div style={{ width: `${(shown[index]! / longest) * 100}%` }}>
          <IciclePane
            label={`${label}, icicle`}
            ofSheet={shown[index]! / longest}
            tree={tree}
            root={root}
            onRoot={zoomInto}
            selected={selected}
            hovered={hovered}
            onSelect={selectPath}
            onHover={hoverPath}
          />
        </div>
      )}
    </div>
  ));
}
