/**
 * The left rail beside the main pane. It is always in the layout, folded or open, so that opening it is one step: a
 * pane that is added is first drawn with another width.
 */
import { type ReactNode, useLayoutEffect } from 'react';
import { Group, Panel as Pane, usePanelRef } from 'react-resizable-panels';
import { useActions } from '#state/context.tsx';
import { remPixels } from '#state/rem-pixels.ts';
import { PANELS, type Panel } from '#state/view-state.ts';
import { PaneHandle } from '#views/panes/pane-handle.tsx';
import { keepPaneSizes, paneSizes } from '#views/panes/pane-sizes.ts';
import { PANEL_ROWS } from './panels.tsx';

/** In the size of the text, which a person may have enlarged. The main pane has the costs beside the field. */
const LEAST_RAIL = 15;
const LEAST_MAIN = 41.25;

/** Percent of the window: as the person left it, or else as its row says. */
function railSize(panel: Panel): number {
  const size = paneSizes('rail')?.[panel] ?? parseFloat(PANEL_ROWS[panel].rail ?? '0');
  return Math.max(size, (100 * LEAST_RAIL * remPixels()) / innerWidth);
}

export function RailGroup({
  panel,
  rail,
  children,
}: {
  /** The open panel; null: the rail is folded. */
  readonly panel: Panel | null;
  readonly rail: ReactNode;
  readonly children: ReactNode;
}): ReactNode {
  const { showPanel } = useActions();
  const pane = usePanelRef();
  useLayoutEffect(() => {
    if (panel === null) pane.current?.collapse();
    else pane.current?.resize(`${railSize(panel)}%`);
  }, [pane, panel]);
  const size = panel === null ? 0 : railSize(panel);
  return (
    <Group
      orientation="horizontal"
      className="min-h-0 flex-1"
      id="workspace"
      defaultLayout={{ rail: size, main: 100 - size }}
      onLayoutChanged={({ rail: kept = 0 }, { isUserInteraction }) => {
        if (!isUserInteraction || panel === null) return;
        if (kept === 0) showPanel('costs');
        else keepPaneSizes('rail', { [panel]: kept });
      }}
    >
      <Pane id="rail" panelRef={pane} collapsible defaultSize="0%" minSize={`${LEAST_RAIL}rem`} className="bg-paper">
        {rail}
      </Pane>
      <PaneHandle vertical label={panel === null ? 'Rail' : PANELS[panel]} isHidden={panel === null} />
      <Pane id="main" minSize={`${LEAST_MAIN}rem`}>
        {children}
      </Pane>
    </Group>
  );
}
