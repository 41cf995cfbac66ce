/** Where everything stands: panes side by side where there is room, one behind the other where there is not. */
import { type KeyboardEvent, type ReactNode, Suspense, useDeferredValue, useId } from 'react';
import { Group, Panel as Pane } from 'react-resizable-panels';
import type { Diagnostic } from '#engine/model/diagnostic.ts';
import { NATIVE_PROFILES } from '#engine/native/profiles.ts';
import { useActions, useApp } from '#state/context.tsx';
import { addressOf } from '#state/place.ts';
import { shownProfile, shownType } from '#state/shown-profile.ts';
import { usePlace } from '#state/use-place.ts';
import { NO_SCOPE, PANELS, type Panel } from '#state/view-state.ts';
import { Home } from '#views/home/home.tsx';
import { FieldPane } from '#views/message/field-pane.tsx';
import { MessagePane } from '#views/message/message-pane.tsx';
import { PaneHandle } from '#views/panes/pane-handle.tsx';
import { lazyPart } from '#views/progress/lazy-part.tsx';
import { CostsPane } from '#views/verdict/costs-pane.tsx';
import { formatCount } from '#wording/number-text.ts';
import { CAPTURES, SAMPLES } from './shipped.ts';
import { useKeptFocus } from './use-kept-focus.ts';

/** What comes when it is first looked at. */
const Explorer = lazyPart(async () => (await import('#views/explorer/explorer.tsx')).Explorer);
const AdvicePanel = lazyPart(async () => (await import('#views/advice/advice-panel.tsx')).AdvicePanel);
const FindingList = lazyPart(async () => (await import('#views/findings/finding-list.tsx')).FindingList);
const InputPanel = lazyPart(async () => (await import('#views/input/input-panel.tsx')).InputPanel);
const SchemaPanel = lazyPart(async () => (await import('#views/schema/schema-panel.tsx')).SchemaPanel);
const LayersPanel = lazyPart(async () => (await captureViews()).LayersPanel);
const MessagesPanel = lazyPart(async () => (await captureViews()).MessagesPanel);
const TimelineStrip = lazyPart(async () => (await captureViews()).TimelineStrip);
const OpaquePane = lazyPart(async () => (await captureViews()).OpaquePane);
const ProfileStrip = lazyPart(async () => (await captureViews()).ProfileStrip);
const captureViews = () => import('./capture-views.ts');

/** Panels that stand at the side on a wide screen, and how wide they begin. */
const AT_SIDE: Readonly<Partial<Record<Panel, string>>> = {
  input: '22%',
  schema: '36%',
  messages: '26%',
  layers: '38%',
  advice: '44%',
  findings: '30%',
};

export function Workspace({
  wide,
  findings,
}: {
  readonly wide: boolean;
  readonly findings: readonly Diagnostic[];
}): ReactNode {
  const panel = useApp(({ view }) => view.panel);
  const hasInput = useApp(({ session }) => session.input !== null);
  const isCapture = useApp(({ session }) => session.inputSummary?.kind === 'capture');
  const place = usePlace();
  useKeptFocus(panel, `${wide} ${hasInput} ${place !== null}`);
  if (place) {
    return (
      <Suspense fallback={<p className="p-5 text-ink-muted">Opening…</p>}>
        <Explorer place={place} wide={wide} />
      </Suspense>
    );
  }
  if (!wide) return hasInput ? <Turns panel={panel} findings={findings} /> : <NarrowHome panel={panel} />;
  // A capture's messages need the whole width: they stand above what they cost.
  const isAbove = panel === 'messages' && isCapture;
  const width = isAbove ? undefined : AT_SIDE[panel];
  const isBeside = width !== undefined && (hasInput || panel === 'schema');
  return (
    <>
      {isCapture && (
        <Suspense fallback={null}>
          <TimelineStrip />
        </Suspense>
      )}
      <Group orientation="horizontal" className="min-h-0 flex-1" id="workspace">
        {isBeside && (
          <>
            <Pane key={panel} id={panel} defaultSize={width} minSize="240px" className="bg-paper">
              <Side panel={panel}>
                <Content panel={panel} findings={findings} />
              </Side>
            </Pane>
            <PaneHandle vertical label={PANELS[panel]} />
          </>
        )}
        <Pane id="main" minSize="480px">
          {hasInput ? (
            isAbove ? (
              <Group orientation="vertical" id="messages-and-costs">
                <Pane id="messages" defaultSize="32%" minSize="120px">
                  <section aria-label={PANELS.messages} className="h-full">
                    <Suspense fallback={null}>
                      <MessagesPanel />
                    </Suspense>
                  </section>
                </Pane>
                <PaneHandle label={PANELS.messages} />
                <Pane id="beneath" minSize="160px">
                  <Main low />
                </Pane>
              </Group>
            ) : (
              <Main />
            )
          ) : (
            <main tabIndex={-1} className="h-full overflow-auto outline-none">
              <Home captures={CAPTURES} samples={SAMPLES} />
            </main>
          )}
        </Pane>
      </Group>
    </>
  );
}

/** `low`: there is something above it, and the bytes keep what height there is. */
function Main({ low = false }: { readonly low?: boolean }): ReactNode {
  return (
    <main tabIndex={-1} className="h-full outline-none">
      <Group orientation="horizontal" id="costs-and-one">
        <Pane id="costs" defaultSize="57%" minSize="360px">
          <Costs />
        </Pane>
        <PaneHandle vertical label={PANELS.costs} />
        <Pane id="one" minSize="300px">
          <Group orientation="vertical" id="field-and-bytes">
            <Pane id="field" defaultSize={low ? '30%' : '46%'} minSize="80px">
              <FieldPane />
            </Pane>
            <PaneHandle label={PANELS.field} />
            <Pane id="bytes" minSize="120px">
              <MessagePane />
            </Pane>
          </Group>
        </Pane>
      </Group>
    </main>
  );
}

/** The costs, which are what is put on paper, with a line that says of what they are. */
function Costs(): ReactNode {
  const name = useApp(({ session }) => session.input?.name);
  const type = useApp(shownType);
  const profile = useApp(shownProfile);
  const native = NATIVE_PROFILES.find(({ id }) => id === profile?.nativeProfile)?.label;
  return (
    <div className="printed h-full">
      <p className="only-printed px-4">{[name, type, native].filter(Boolean).join(' · ')}</p>
      <KnownCosts />
    </div>
  );
}

/** As far as they are known. */
function KnownCosts(): ReactNode {
  // Drawn in slices: a table of many fields does not hold up the page.
  const profile = useDeferredValue(useApp(shownProfile));
  const isBusy = useApp(({ session }) => session.job !== null);
  const hasFailed = useApp(({ session }) => session.failure !== null);
  const isCapture = useApp(({ session }) => session.inputSummary?.kind === 'capture');
  const { readAgain } = useActions();
  const opaque = useApp(({ session }) => session.analysis?.opaque);
  const chosen = useApp(({ view }) => view.scope);
  if (profile) {
    return (
      <div className="flex h-full min-h-0 flex-col">
        {isCapture && (
          <Suspense fallback={null}>
            <ProfileStrip />
          </Suspense>
        )}
        <div className="min-h-0 flex-1 overflow-auto">
          <CostsPane profile={profile} />
        </div>
      </div>
    );
  }
  if (opaque && opaque.messages > 0) {
    return (
      <Suspense fallback={null}>
        <OpaquePane opaque={opaque} />
      </Suspense>
    );
  }
  if (opaque) {
    return (
      <p className="p-4 text-ink-muted">
        {chosen === NO_SCOPE ? 'This input holds no message.' : 'No message passes the filter.'}
      </p>
    );
  }
  if (isBusy) return <p className="p-4 text-ink-muted">Reading…</p>;
  if (hasFailed) return null;
  return (
    <div className="p-4">
      <p>Nothing was added up: reading was stopped before its end.</p>
      <button type="button" className="control control-framed mt-2" onClick={() => void readAgain()}>
        Read it
      </button>
    </div>
  );
}

function Content({ panel, findings }: { readonly panel: Panel; readonly findings: readonly Diagnostic[] }): ReactNode {
  switch (panel) {
    case 'costs':
      return <Costs />;
    case 'field':
      return <FieldPane />;
    case 'bytes':
      return <MessagePane />;
    case 'advice':
      return (
        <Suspense fallback={null}>
          <AdvicePanel />
        </Suspense>
      );
    case 'messages':
      return (
        <Suspense fallback={null}>
          <MessagesPanel />
        </Suspense>
      );
    case 'layers':
      return (
        <Suspense fallback={null}>
          <LayersPanel />
        </Suspense>
      );
    case 'schema':
      return (
        <Suspense fallback={null}>
          <SchemaPanel />
        </Suspense>
      );
    case 'input':
      return (
        <Suspense fallback={null}>
          <InputPanel />
        </Suspense>
      );
    case 'findings':
      return (
        <Suspense fallback={null}>
          <FindingList findings={findings} />
        </Suspense>
      );
  }
}

function Side({ panel, children }: { readonly panel: Panel; readonly children: ReactNode }): ReactNode {
  const { showPanel } = useActions();
  return (
    <aside aria-label={PANELS[panel]} className="flex h-full min-h-0 flex-col">
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
  const isCapture = useApp(({ session }) => session.inputSummary?.kind === 'capture');
  const hasLayers = useApp(
    ({ session }) => session.inputSummary?.kind === 'capture' || session.arrived?.layers != null,
  );
  const hasMessages = useApp(({ session }) => session.input?.data != null);
  const isThere: Partial<Record<Panel, boolean>> = {
    findings: findings.length > 0,
    layers: hasLayers,
    messages: hasMessages,
    advice: hasMessages,
  };
  const panels = (Object.keys(PANELS) as Panel[]).filter((key) => isThere[key] ?? true);
  const shown = panels.includes(panel) ? panel : 'costs';
  const walk = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (step === 0) return;
    const next = panels[(panels.indexOf(shown) + step + panels.length) % panels.length]!;
    showPanel(next);
    document.getElementById(`${id}-${next}`)?.focus();
    event.preventDefault();
  };
  return (
    <main tabIndex={-1} className="flex min-h-0 flex-1 flex-col outline-none">
      {shown !== 'costs' && <h1 className="sr-only">{PANELS[shown]}</h1>}
      <div role="tablist" aria-label="Views" className="flex shrink-0 overflow-x-auto border-b border-rule">
        {panels.map((key) => (
          <button
            key={key}
            id={`${id}-${key}`}
            type="button"
            role="tab"
            aria-selected={key === shown}
            aria-controls={`${id}-panel`}
            tabIndex={key === shown ? 0 : -1}
            className="shrink-0 border-b-2 border-transparent px-3 py-2 text-ink-muted aria-selected:border-accent aria-selected:text-ink"
            onClick={() => showPanel(key)}
            onKeyDown={walk}
          >
            {PANELS[key]}
            {key === 'findings' && ` ${formatCount(findings.length)}`}
          </button>
        ))}
      </div>
      {isCapture && (
        <Suspense fallback={null}>
          <TimelineStrip />
        </Suspense>
      )}
      <div
        id={`${id}-panel`}
        role="tabpanel"
        aria-labelledby={`${id}-${shown}`}
        className="min-h-0 flex-1 overflow-auto"
      >
        <Content panel={shown} findings={findings} />
      </div>
    </main>
  );
}

/** A schema is read by itself, or to read something with it. */
function NextStep(): ReactNode {
  const { showPanel } = useActions();
  return (
    <p className="flex flex-wrap items-center gap-2 border-b border-rule bg-paper-sunk px-3 py-1.5">
      <a className="control control-framed" href={addressOf({ at: 'schema' })}>
        Explore its types
      </a>
      <button type="button" className="control control-framed" onClick={() => showPanel('costs')}>
        Open bytes to read with it
      </button>
    </p>
  );
}

const NarrowHome = ({ panel }: { readonly panel: Panel }): ReactNode => (
  <main tabIndex={-1} className="min-h-0 flex-1 overflow-auto outline-none">
    {panel === 'schema' ? (
      <div className="flex h-full flex-col">
        <NextStep />
        <div className="min-h-0 flex-1">
          <Suspense fallback={null}>
            <SchemaPanel />
          </Suspense>
        </div>
      </div>
    ) : (
      <Home captures={CAPTURES} samples={SAMPLES} />
    )}
  </main>
);
