/** The selected field, or a note on what a selection shows. */

import { type ReactNode, Suspense, useDeferredValue, useMemo } from 'react';
import { capturedLedger } from '#engine/cost/profile.ts';
import { useActions, useApp } from '#state/context.tsx';
import { isShape } from '#state/is-shape.ts';
import { isNoneChosen, overridesInUse, shownProfile, shownQuestion } from '#state/shown-profile.ts';
import { APP_NOTES } from '#wording/app-notes.ts';
import { FIELD_NOTES, nothingAt } from '#wording/field-notes.ts';
import { InTurn } from '../progress/deferred.tsx';
import { lazyPart } from '../progress/lazy-part.tsx';

const SavedIfRemoved = lazyPart(async () => (await import('../field-detail/saved-if-removed.tsx')).SavedIfRemoved);
const PairField = lazyPart(async () => (await import('../pair/pair-views.ts')).PairField);
const FieldDetail = lazyPart(async () => (await import('../field-detail/field-detail.tsx')).FieldDetail);

export function FieldPane(): ReactNode {
  const inspection = useApp(({ session }) => session.inspection);
  const address = useApp(({ view }) => view.selection.row);
  const measured = useDeferredValue(useApp(shownProfile));
  const question = useApp(shownQuestion);
  const compares = question === 'native';
  // The second encoding is shown if the question is about it.
  const profile = useMemo(
    () =>
      measured === undefined || compares ? measured : { ...measured, pair: [capturedLedger(measured), null] as const },
    [measured, compares],
  );
  const path = useApp(({ view }) => view.selection.path);
  const field = profile?.fields.find((candidate) => candidate.path === path);
  const hasMessages = useApp(({ session }) => session.inputSummary !== null);
  const overrides = useApp(overridesInUse);
  const { chooseWriter, tryOnField } = useActions();
  const canTry = useApp((state) => state.session.input?.data != null && !isShape(state));
  const isWithout = useApp(isNoneChosen);
  const hasBaseline = useApp(({ session }) => session.baseline !== null);
  if (!profile) return isWithout ? <p className="p-4 text-ink-muted">{APP_NOTES.noneChosen}</p> : null;
  const isPair = question === 'another';
  if (path === null || (!field && !isPair)) {
    return (
      <p className="p-4 wrap-anywhere text-ink-muted">{path === null ? FIELD_NOTES.selectField : nothingAt(path)}</p>
    );
  }
  const fullName = field?.declared?.fullName;
  return (
    <div className="cut-below h-full overflow-auto">
      <InTurn after={2}>
        <Suspense fallback={null}>
          {isPair && measured !== undefined && <PairField profile={measured} path={path} />}
          {field && (
            <FieldDetail
              profile={profile}
              path={path}
              heading={isPair && hasBaseline ? FIELD_NOTES.inB : null}
              message={inspection}
              address={address}
              writer={
                fullName === undefined || !hasMessages || !compares
                  ? null
                  : {
                      chosen: overrides[fullName] ?? null,
                      onChoose: (writer) => chooseWriter(fullName, writer),
                    }
              }
              declaration={fullName === undefined || !canTry ? null : { onTry: tryOnField }}
            />
          )}
          {canTry && field && field.declared !== null && field.occurrences > 0 && (
            <SavedIfRemoved key={path} path={path} />
          )}
        </Suspense>
      </InTurn>
    </div>
  );
}
