/** The line above everything: what is open, read as what, written natively how; each part opens what it names. */
import type { MouseEvent, ReactNode } from 'react';
import { NATIVE_PROFILES } from '#engine/native/profiles.ts';
import { useActions, useApp } from '#state/context.tsx';
import { addressOf, goTo } from '#state/place.ts';
import { isOpaqueShown, shownProfile, shownType } from '#state/shown-profile.ts';
import { usePlace } from '#state/use-place.ts';
import type { Panel } from '#state/view-state.ts';
import { JobBar } from '#views/progress/job-bar.tsx';
import { NativePicker } from '#views/schema/native-picker.tsx';
import { TypePicker } from '#views/schema/type-picker.tsx';
import { formatBytes, formatCount, formatPercent } from '#wording/number-text.ts';
import { ThemeSwitch } from './theme-switch.tsx';
import { toggleId } from './use-kept-focus.ts';

export function Header({
  wide,
  findings,
  onShowKeys,
  onShare,
}: {
  readonly wide: boolean;
  readonly findings: number;
  readonly onShowKeys: () => void;
  readonly onShare: () => void;
}): ReactNode {
  const input = useApp(({ session }) => session.input);
  const summary = useApp(({ session }) => session.inputSummary);
  const files = useApp(({ session }) => session.schemaFiles.length);
  const hasType = useApp((state) => shownType(state) !== null);
  const isOpaque = useApp(isOpaqueShown);
  const hasLayers = useApp(({ session }) => session.arrived?.layers != null);
  const canShare = useApp(({ session }) => session.input !== null && session.analysis !== null);
  const { closeInput } = useActions();
  return (
    <header className="relative flex flex-wrap items-center gap-x-1 border-b border-rule bg-paper-sunk px-2 py-1">
      <button
        type="button"
        className="control text-sm font-semibold tracking-tight"
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
          {input && (
            <PanelToggle panel="input">
              <span className="max-w-60 truncate">{input.name}</span>
              {summary && <span className="text-ink-muted max-[1400px]:sr-only">{formatBytes(summary.size)}</span>}
            </PanelToggle>
          )}
          {input && summary && (
            <PanelToggle panel="messages">
              <span className="text-ink-muted">Messages</span> {formatCount(summary.messages)}
            </PanelToggle>
          )}
          {(summary?.kind === 'capture' || hasLayers) && (
            <PanelToggle panel="layers">
              <span className="text-ink-muted">Layers</span>{' '}
              {summary && summary.bytes > 0 && formatPercent(summary.wireBytes / summary.bytes)}
            </PanelToggle>
          )}
          <PanelToggle panel="schema">
            <span className="text-ink-muted">Schema</span>{' '}
            {files === 0
              ? summary?.kind === 'capture' || hasType
                ? 'bundled'
                : 'none'
              : files === 1
                ? '1 file'
                : `${files} files`}
          </PanelToggle>
        </>
      )}
      <ExplorerLink />
      {input?.data && !isOpaque && <TypePicker />}
      {input?.data && hasType && <NativePicker />}
      {input && !input.data && <FixedType />}
      {wide && input?.data && hasType && <PanelToggle panel="advice">What should change</PanelToggle>}
      {wide && input && findings > 0 && (
        <PanelToggle panel="findings">
          <span className="text-ink-muted">Findings</span> {formatCount(findings)}
        </PanelToggle>
      )}
      <span className="ml-auto flex items-center">
        {canShare && (
          <button type="button" className="control" onClick={onShare} title="A link or a file with this analysis (l)">
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

/** To the explorer, and from it back to the costs: one link, which keeps the focus on either way. */
function ExplorerLink(): ReactNode {
  const place = usePlace();
  const hasInput = useApp(({ session }) => session.input !== null);
  const goBack = (event: MouseEvent): void => {
    event.preventDefault();
    goTo(null);
  };
  return (
    <a className="control" {...(place ? { href: './', onClick: goBack } : { href: addressOf({ at: 'schema' }) })}>
      {place ? `← ${hasInput ? 'Costs' : 'Home'}` : 'Explore types'}
    </a>
  );
}

/** Figures that came without their messages are of one type and one native profile. */
function FixedType(): ReactNode {
  const profile = useApp(shownProfile);
  const native = NATIVE_PROFILES.find(({ id }) => id === profile?.nativeProfile);
  return (
    <span className="flex min-w-0 items-baseline gap-x-4 px-2">
      <span className="truncate" title={profile?.type}>
        <span className="text-ink-muted">Type</span>{' '}
        {profile?.type ? profile.type.slice(profile.type.lastIndexOf('.') + 1) : 'field numbers only'}
      </span>
      {native && (
        <span className="truncate" title={native.description}>
          <span className="text-ink-muted">Native</span> {native.label}
        </span>
      )}
    </span>
  );
}

function PanelToggle({ panel, children }: { readonly panel: Panel; readonly children: ReactNode }): ReactNode {
  const place = usePlace();
  const shown = useApp(({ view }) => view.panel === panel) && !place;
  const { showPanel } = useActions();
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
      {children}
    </button>
  );
}
