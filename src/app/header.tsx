/** The top line: the open input and schema. Each part opens the panel that it names. */

import type { MouseEvent, ReactNode } from 'react';
import type { Diagnostic } from '#engine/model/diagnostic.ts';
import { useActions, useApp } from '#state/context.tsx';
import { fragmentOf, goTo } from '#state/place.ts';
import { usePlace } from '#state/use-place.ts';
import type { Panel } from '#state/view-state.ts';
import { JobBar } from '#views/progress/job-bar.tsx';
import { APP_NOTES } from '#wording/app-notes.ts';
import { type OfFindings, PANEL_ROWS, useOfferedPanels } from './panels.tsx';
import { ThemeSwitch } from './theme-switch.tsx';
import { toggleId } from './use-kept-focus.ts';

export function AppHeader({
  wide,
  findings,
  onShowKeys,
  onShare,
}: {
  readonly wide: boolean;
  readonly findings: readonly Diagnostic[];
  readonly onShowKeys: () => void;
  readonly onShare: () => void;
}): ReactNode {
  const input = useApp(({ session }) => session.input);
  const canShare = useApp(({ session }) => session.input !== null && session.analysis !== null);
  const buttons = useOfferedPanels(findings.length).filter((panel) => PANEL_ROWS[panel].Button !== null);
  const { closeInput } = useActions();
  return (
    <header className="relative flex flex-wrap items-center gap-x-1 border-b border-rule bg-paper px-2 py-1.5">
      <button
        type="button"
        className="control text-base font-semibold tracking-tight"
        onClick={() => {
          goTo(null);
          closeInput();
        }}
        title="Home"
      >
        Wirecost
      </button>
      {(wide || !input) && buttons.map((panel) => <PanelToggle key={panel} panel={panel} findings={findings} />)}
      <ExplorerLink />
      <span className="ml-auto flex items-center">
        {canShare && (
          <button
            type="button"
            className="control control-primary mr-1 px-3 font-medium"
            onClick={onShare}
            title={APP_NOTES.share}
          >
            Share
          </button>
        )}
        <ThemeSwitch />
        <button type="button" className="control" onClick={onShowKeys} aria-label="Keys" title="Keys">
          ?
        </button>
      </span>
      <JobBar />
    </header>
  );
}

/** One link to the explorer and back to the costs, so that it keeps the focus in both directions. */
function ExplorerLink(): ReactNode {
  const place = usePlace();
  const hasInput = useApp(({ session }) => session.input !== null);
  const goBack = (event: MouseEvent): void => {
    event.preventDefault();
    goTo(null);
  };
  return (
    <a className="control" {...(place ? { href: './', onClick: goBack } : { href: fragmentOf({ at: 'schema' }) })}>
      {place ? `← ${hasInput ? 'Costs' : 'Home'}` : 'Explore types'}
    </a>
  );
}

function PanelToggle({ panel, findings }: { readonly panel: Panel } & OfFindings): ReactNode {
  const place = usePlace();
  const shown = useApp(({ view }) => view.panel === panel) && !place;
  const { showPanel } = useActions();
  const { Button } = PANEL_ROWS[panel];
  return (
    <button
      id={toggleId(panel)}
      type="button"
      className="control"
      aria-pressed={shown}
      onClick={() => {
        goTo(null);
        showPanel(shown ? 'costs' : panel);
      }}
    >
      {Button && <Button findings={findings} />}
    </button>
  );
}
