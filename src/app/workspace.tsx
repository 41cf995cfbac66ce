/** The layout of the page: panes side by side if there is room, otherwise one at a time. */
import { type KeyboardEvent, type ReactNode, Suspense, useId } from 'react';
import { Group, Panel as Pane } from 'react-resizable-panels';
import type { Diagnostic } from '#engine/model/diagnostic.ts';
import { fragmentOf } from '#state/addresses/place.ts';
import { usePlace } from '#state/addresses/use-place.ts';
import { useActions, useApp } from '#state/context.tsx';
import { holdsNoMessage, panelsOf } from '#state/shown-profile.ts';
import { PANELS, type Panel } from '#state/view-state.ts';
import { Home } from '#views/home/home.tsx';
import { FieldPane } from '#views/message/field-pane.tsx';
import { PaneHandle } from '#views/panes/pane-handle.tsx';
import { remembered } from '#views/panes/pane-sizes.ts';
import { InTurn } from '#views/progress/deferred.tsx';
import { lazyPart } from '#views/progress/lazy-part.tsx';
import { APP_NOTES } from '#wording/app-notes.ts';
import { CostsPanel } from './costs.tsx';
import { findingsLabel } from './findings-of.ts';
import { PANEL_ROWS, PanelContent, useOfferedPanels } from './panels.tsx';
import { RailGroup } from './rail-group.tsx';
import { CAPTURES, SAMPLES } from './shipped.ts';
import { useKeptFocus } from './use-kept-focus.ts';

/** Parts that are loaded when they are first shown. */
const Explorer = lazyPart(async () => (await import('#views/explorer/explorer.tsx')).Explorer);

export function Workspace({
  wide,
  findings,
}: {
  readonly wide: boolean;
  readonly findings: readonly Diagnostic[];
}): ReactNode {
  const panel = useApp(({ view }) => view.panel);
  const hasInput = useApp(({ session }) => session.input !== null);
  const place = usePlace();
  const { rail } = PANEL_ROWS[panel];
  // A link may name a panel that its receiver cannot have: values and bytes may have stayed with the sender.
  const isBeside = useApp(
    (state) => rail !== null && ((hasInput && state.session.analysis === null) || panelsOf(state).includes(panel)),
  );
  useKeptFocus(panel, `${wide} ${hasInput} ${place !== null}`);
  if (place) {
    return (
      <Suspense fallback={<p className="p-5 text-ink-muted">Opening…</p>}>
        <Explorer place={place} wide={wide} />
      </Suspense>
    );
  }
  if (!wide) return hasInput ? <Turns panel={panel} findings={findings} /> : <NarrowHome panel={panel} />;
  return (
    // The frame of an input takes the place of the home page at once, and nothing moves.
    <RailGroup
      key={String(hasInput)}
      panel={isBeside ? panel : null}
      rail={
        isBeside && (
          <Side key={panel} panel={panel}>
            <PanelContent panel={panel} findings={findings} />
          </Side>
        )
      }
    >
      {hasInput ? (
        <Main />
      ) : (
        <main tabIndex={-1} className="h-full overflow-auto outline-none">
          <Home captures={CAPTURES} samples={SAMPLES} />
        </main>
      )}
    </RailGroup>
  );
}

/** The analysis, and beside it the selected field over the bytes of one message. */
function Main(): ReactNode {
  const isWithout = useApp(holdsNoMessage);
  if (isWithout) {
    return (
      <main tabIndex={-1} className="h-full outline-none">
        <CostsPanel />
      </main>
    );
  }
  return (
    <main tabIndex={-1} className="h-full outline-none">
      <Group orientation="horizontal" {...remembered('costs-and-one')}>
        <Pane id="costs" defaultSize="60%" minSize="22.5rem">
          <CostsPanel />
        </Pane>
        <PaneHandle vertical label={PANELS.costs} />
        <Pane id="one" minSize="18.75rem">
          <Group orientation="vertical" {...remembered('field-and-bytes')}>
            <Pane id="field" defaultSize="46%" minSize="5rem">
              <InTurn after={1}>
                <FieldPane />
              </InTurn>
            </Pane>
            <PaneHandle label={PANELS.field} />
            <Pane id="bytes" minSize="7.5rem">
              <InTurn after={2}>
                <PanelContent panel="bytes" findings={[]} />
              </InTurn>
            </Pane>
          </Group>
        </Pane>
      </Group>
    </main>
  );
}

function Side({ panel, children }: { readonly panel: Panel; readonly children: ReactNode }): ReactNode {
  const { showPanel } = useActions();
  return (
    <aside
      aria-label={PANELS[panel]}
      data-view={panel}
      tabIndex={-1}
      className="flex h-full min-h-0 flex-col outline-none"
    >
      <div className="flex items-center border-b border-rule bg-paper-sunk py-0.5 pr-1 pl-4">
        <h2 className="panel-title">{PANELS[panel]}</h2>
        <button
          type="button"
          className="control ml-auto"
          aria-label={`Close ${PANELS[panel]}`}
          title="Close (Esc)"
          onClick={() => showPanel('costs')}
        >
          ×
        </button>
      </div>
      <div className="min-h-0 flex-1">{children}</div>
    </aside>
  );
}

/** One panel at a time, by tabs. */
function Turns({ panel, findings }: { readonly panel: Panel; readonly findings: readonly Diagnostic[] }): ReactNode {
  const id = useId();
  const { showPanel } = useActions();
  const panels = useOfferedPanels();
  const label = useApp((state) => findingsLabel(findings, state));
  const shown = panels.includes(panel) ? panel : 'costs';
  const walk = (event: KeyboardEvent): void => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    const next = panels.at((panels.indexOf(shown) + step) % panels.length)!;
    showPanel(next);
    document.getElementById(`${id}-${next}`)?.focus();
    event.preventDefault();
  };
  return (
    <main tabIndex={-1} className="flex min-h-0 flex-1 flex-col outline-none">
      {shown !== 'costs' && <h1 className="sr-only">{PANELS[shown]}</h1>}
      <div role="tablist" aria-label="Views" className="strip shrink-0 border-b border-rule">
        {panels.map((key) => (
          <button
            key={key}
            id={`${id}-${key}`}
            type="button"
            role="tab"
            ref={key === shown ? bringIntoSight : null}
            aria-selected={key === shown}
            aria-controls={`${id}-panel`}
            tabIndex={key === shown ? 0 : -1}
            data-term={`panel-${key}`}
            className="shrink-0 border-b-2 border-transparent px-2.5 py-2 text-ink-muted aria-selected:border-accent aria-selected:text-ink"
            onClick={() => showPanel(key)}
            onKeyDown={walk}
          >
            {PANELS[key]}
            {key === 'findings' && ` ${label}`}
          </button>
        ))}
      </div>
      <div
        id={`${id}-panel`}
        role="tabpanel"
        aria-labelledby={`${id}-${shown}`}
        data-view={shown}
        tabIndex={-1}
        className="min-h-0 flex-1 overflow-auto outline-none"
      >
        <PanelContent panel={shown} findings={findings} />
      </div>
    </main>
  );
}

/** A panel may be opened elsewhere than at its tab, as by a link. */
const bringIntoSight = (tab: HTMLElement | null): void => tab?.scrollIntoView({ block: 'nearest', inline: 'nearest' });

/** The schema page, for a schema alone or for the schema of an input. */
function NextStep(): ReactNode {
  const { showPanel } = useActions();
  return (
    <p className="flex flex-wrap items-center gap-2 border-b border-rule bg-paper-sunk px-3 py-1.5">
      <a className="control control-framed" href={fragmentOf({ at: 'schema' })}>
        Explore its types
      </a>
      <button type="button" className="control control-framed" onClick={() => showPanel('costs')}>
        {APP_NOTES.openMessages}
      </button>
    </p>
  );
}

const NO_FINDINGS: readonly never[] = [];

const NarrowHome = ({ panel }: { readonly panel: Panel }): ReactNode => (
  <main tabIndex={-1} className="min-h-0 flex-1 overflow-auto outline-none">
    {panel === 'schema' ? (
      <div className="flex h-full flex-col">
        <NextStep />
        <div className="min-h-0 flex-1">
          <PanelContent panel="schema" findings={NO_FINDINGS} />
        </div>
      </div>
    ) : (
      <Home captures={CAPTURES} samples={SAMPLES} />
    )}
  </main>
);
