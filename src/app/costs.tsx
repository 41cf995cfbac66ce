/** The costs: the question, the messages, and the answer as far as it is known. This is the part that is printed. */

import { type ReactNode, Suspense, useDeferredValue } from 'react';
import { NATIVE_PROFILES } from '#engine/native/profiles.ts';
import { useActions, useApp } from '#state/context.tsx';
import { holdsNoMessage, inputName, shownProfile, shownQuestion, shownType } from '#state/shown-profile.ts';
import { useShownSource } from '#state/use-shown-source.ts';
import { isEveryMessage } from '#state/view-state.ts';
import { lazyPart } from '#views/progress/lazy-part.tsx';
import { AnalysisBar } from '#views/verdict/analysis-bar.tsx';
import { CostsPane } from '#views/verdict/costs-pane.tsx';
import { APP_NOTES } from '#wording/app-notes.ts';
import { CAPTURES, SAMPLES } from './shipped.ts';

const NoMessagePane = lazyPart(async () => (await import('#views/input/no-message.tsx')).NoMessagePane);
const LossNote = lazyPart(async () => (await import('./capture-views.ts')).LossNote);
const OpaquePane = lazyPart(async () => (await import('./capture-views.ts')).OpaquePane);
const ProfileStrip = lazyPart(async () => (await import('./capture-views.ts')).ProfileStrip);

export function CostsPanel(): ReactNode {
  const name = useApp(inputName);
  const type = useApp(shownType);
  const profile = useApp(shownProfile);
  const compares = useApp((state) => shownQuestion(state) === 'native');
  const native = compares && NATIVE_PROFILES.find(({ id }) => id === profile?.pair[1])?.label;
  const isWithout = useApp(holdsNoMessage);
  if (isWithout) {
    return (
      <Suspense fallback={null}>
        <NoMessagePane captures={CAPTURES} samples={SAMPLES} />
      </Suspense>
    );
  }
  return (
    <div className="costs-panel printed h-full">
      <p className="hidden px-4 print:block">{[name, type, native].filter(Boolean).join(' · ')}</p>
      <div className="@container flex h-full min-h-0 flex-col">
        <AnalysisBar />
        <div className="min-h-0 flex-1">
          <KnownCosts />
        </div>
      </div>
    </div>
  );
}

const READING = <p className="p-4 text-ink-muted">Reading…</p>;

/** As far as they are known. */
function KnownCosts(): ReactNode {
  // Drawn in slices, so that a table of many fields does not block the page.
  const now = useApp(shownProfile);
  const profile = useDeferredValue(now);
  const isBusy = useApp(({ session }) => session.job !== null);
  const hasFailed = useApp(({ session }) => session.failure !== null);
  // A file of an archive may be in another format than the others.
  const hasTypes = useApp(
    ({ session: { inputSummary, analysis } }) =>
      inputSummary?.kind === 'capture' || (analysis?.profiles.length ?? 0) > 1,
  );
  const lacks = useShownSource().losses.length > 0;
  const { readAgain } = useActions();
  const opaque = useApp(({ session }) => session.analysis?.opaque);
  const isOfAll = useApp(({ view }) => isEveryMessage(view.scope));
  if (profile) {
    return (
      <div className="costs-known flex h-full min-h-0 flex-col">
        {/* All parts appear at once: a later one would move the table down. */}
        <Suspense fallback={READING}>
          {lacks && <LossNote />}
          {hasTypes && <ProfileStrip />}
          <div className="min-h-0 flex-1 overflow-auto">
            <CostsPane profile={profile} />
          </div>
        </Suspense>
      </div>
    );
  }
  if (now) return READING;
  if (opaque && opaque.messages > 0) {
    return (
      <Suspense fallback={null}>
        {lacks && <LossNote />}
        <OpaquePane opaque={opaque} />
      </Suspense>
    );
  }
  if (opaque) {
    return <p className="p-4 text-ink-muted">{isOfAll ? APP_NOTES.noMessage : APP_NOTES.noneChosen}</p>;
  }
  if (isBusy) return READING;
  if (hasFailed) return null;
  return (
    <div className="p-4">
      <p>{APP_NOTES.stopped}</p>
      <button type="button" className="control control-framed mt-2" onClick={() => void readAgain()}>
        Read it
      </button>
    </div>
  );
}
