/** The top line: the open input and schema. Each part opens the panel that it names. */

import type { MouseEvent, ReactNode } from 'react';
import type { Diagnostic } from '#engine/model/diagnostic.ts';
import { fragmentOf, goTo } from '#state/addresses/place.ts';
import { usePlace } from '#state/addresses/use-place.ts';
import { useActions, useApp } from '#state/context.tsx';
import { canShare } from '#state/shown-profile.ts';
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
  const isShareable = useApp(canShare);
  const offered = useOfferedPanels();
  const isReading = useApp(({ session }) => session.job !== null && session.analysis === null);
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
      {(wide || !input) && (
        <>
          {BEFORE.filter((panel) => offered.includes(panel)).map((panel) => (
            <PanelToggle key={panel} panel={panel} findings={findings} />
          ))}
          <ExplorerLink />
          {AFTER.filter((panel) => offered.includes(panel) || (input && isReading && NEED_TYPE.includes(panel))).map(
            (panel) => (
              <PanelToggle key={panel} panel={panel} findings={findings} isOffered={offered.includes(panel)} />
            ),
          )}
        </>
      )}
      {!wide && input && <ExplorerLink />}
      <span className="ml-auto flex items-center">
        {input !== null && (
          <button
            type="button"
            className={`control control-primary mr-1 px-3 font-medium ${isShareable ? '' : 'invisible'}`}
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

/** In an order in which nothing moves while an input is read: counts that grow come last. */
const BEFORE: readonly Panel[] = ['input', 'schema'];
const AFTER: readonly Panel[] = ['matrix', 'advice', 'messages', 'layers', 'findings'];
/** They have their place before the type of the messages is known. */
const NEED_TYPE: readonly Panel[] = ['matrix', 'advice'];

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

function PanelToggle({
  panel,
  findings,
  isOffered = true,
}: { readonly panel: Panel; readonly isOffered?: boolean } & OfFindings): ReactNode {
  const place = usePlace();
  const shown = useApp(({ view }) => view.panel === panel) && !place;
  const { showPanel } = useActions();
  const { Button } = PANEL_ROWS[panel];
  return (
    <button
      id={toggleId(panel)}
      type="button"
      className="control"
      data-term={`panel-${panel}`}
      aria-pressed={shown}
      disabled={!isOffered}
      onClick={() => {
        goTo(null);
        showPanel(shown ? 'costs' : panel);
      }}
    >
      {Button && <Button findings={findings} />}
    </button>
  );
}
