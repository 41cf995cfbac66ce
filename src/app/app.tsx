/** The whole page. */

import { type ReactNode, Suspense, useCallback, useEffect, useMemo, useState } from 'react';
import { useApp } from '#state/context.tsx';
import { awaitsB, canShare, inputName, nameOfShown } from '#state/shown-profile.ts';
import { FailureNote } from '#views/progress/failure-note.tsx';
import { lazyPart } from '#views/progress/lazy-part.tsx';
import { APP_NOTES, dropAsB } from '#wording/app-notes.ts';
import { ErrorBoundary } from './error-boundary.tsx';
import { analysisFindings } from './findings-of.ts';
import { AppHeader } from './header.tsx';
import { useWide } from './use-wide.ts';
import { useWindowInput } from './use-window-input.ts';
import { VerdictStatus } from './verdict-status.tsx';
import { Workspace } from './workspace.tsx';

const KeysDialog = lazyPart(async () => (await import('./keys-dialog.tsx')).KeysDialog);

const Explanations = lazyPart(async () => (await import('#views/explain/explanations.tsx')).Explanations);

const SharedNotes = lazyPart(async () => (await import('#views/share/shared-note.tsx')).SharedNotes);

/** Loaded with the code that writes links, because only sharing needs it. */
const ShareDialog = lazyPart(async () => (await import('#views/share/share-dialog.tsx')).ShareDialog);

/** Registered last: nothing waits for the service worker. */
const UpdateNote = lazyPart(async () => {
  await new Promise((resolve) => setTimeout(resolve, 1500));
  return (await import('./update-note.tsx')).UpdateNote;
});

export function App(): ReactNode {
  const wide = useWide();
  const schema = useApp(({ session }) => session.schema);
  const inputSummary = useApp(({ session }) => session.inputSummary);
  const analysis = useApp(({ session }) => session.analysis);
  const inspection = useApp(({ session }) => session.inspection);
  const findings = useMemo(
    () => analysisFindings({ schema, inputSummary, analysis, inspection }),
    [schema, inputSummary, analysis, inspection],
  );
  const name = useApp(inputName);
  useEffect(() => {
    document.title = name === '' ? 'Wirecost' : `${name} · Wirecost`;
  }, [name]);
  const [hasKeys, setKeys] = useState(false);
  const showKeys = useCallback(() => setKeys(true), []);
  const isShareable = useApp(canShare);
  const isShared = useApp(({ session }) => session.sharedFrom !== null || session.consent !== null);
  const [isSharing, setSharing] = useState(false);
  const share = useCallback(() => setSharing(isShareable), [isShareable]);
  const dragging = useWindowInput(showKeys, share);
  const a = useApp((state) => (awaitsB(state) ? nameOfShown(state) : state.session.baseline?.name));
  return (
    <div className="relative flex h-full flex-col overflow-clip">
      <AppHeader wide={wide} findings={findings} onShowKeys={showKeys} onShare={share} />
      {import.meta.env.PROD && (
        <Suspense fallback={null}>
          <UpdateNote />
        </Suspense>
      )}
      <FailureNote />
      {isShared && (
        <Suspense>
          <SharedNotes />
        </Suspense>
      )}
      <ErrorBoundary>
        <Workspace wide={wide} findings={findings} />
      </ErrorBoundary>
      <VerdictStatus />
      <Suspense fallback={null}>
        <Explanations />
      </Suspense>
      {hasKeys && (
        <Suspense>
          <KeysDialog onClose={() => setKeys(false)} />
        </Suspense>
      )}
      {isSharing && (
        <Suspense>
          <ShareDialog onClose={() => setSharing(false)} />
        </Suspense>
      )}
      {dragging && (
        <div className="pointer-events-none fixed inset-2 z-50 grid place-items-center border-2 border-dashed border-accent bg-paper/85">
          <p className="text-base font-semibold">{a === undefined ? APP_NOTES.drop : dropAsB(a)}</p>
        </div>
      )}
    </div>
  );
}
