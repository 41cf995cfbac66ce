/** The answer above the field table: words and a picture. */
import './costs-pane.css';
import { type ReactNode, Suspense, useMemo } from 'react';
import { CAUSES, compareFieldCost } from '#engine/cost/compare.ts';
import { buildFieldTree } from '#engine/cost/field-tree.ts';
import { capturedLedger, isImplausible, type Profile } from '#engine/cost/profile.ts';
import { useActions, useApp } from '#state/context.tsx';
import { isShape } from '#state/is-shape.ts';
import { usePairAfter } from '#state/measured/use-measured-sides.ts';
import { capturedSize, overridesInUse, shownContradiction, shownPlan, shownTouched } from '#state/shown-profile.ts';
import { besideShown } from '#state/shown-source.ts';
import { besideWords } from '#wording/beside-words.ts';
import { contradictWords, unlikeWords, unusedSchemaWords } from '#wording/type-words.ts';
import { FieldTable, type FieldTableProps } from '../field-table/field-table.tsx';
import { firstView } from '../field-table/visible-rows.ts';
import { InTurn } from '../progress/deferred.tsx';
import { lazyPart } from '../progress/lazy-part.tsx';
import { ANSWERS, useAnswered, useWords } from './questions.tsx';
import { useCoverage } from './use-coverage.ts';
import { usePaid } from './use-paid.ts';
import { Verdict } from './verdict.tsx';

const PaidLine = lazyPart(async () => (await import('./paid-line.tsx')).PaidLine);
const PaidChoice = lazyPart(async () => (await import('./paid-line.tsx')).PaidChoice);
const ImplausibilityNote = lazyPart(async () => (await import('./implausibility-note.tsx')).ImplausibilityNote);

export function CostsPane({ profile }: { readonly profile: Profile }): ReactNode {
  const view = useApp(({ view: { table } }) => table);
  const cause = useApp(({ view: { cause: selected } }) => selected);
  const selected = useApp(({ view: { selection } }) => selection.path);
  const overrides = useApp(overridesInUse);
  const question = useAnswered();
  const root = useApp(({ view }) => view.root);
  const { setTable, selectPath, hoverPath, zoomInto } = useActions();
  const a = useApp(({ session }) => session.baseline?.profile ?? null);
  const { Picture, Table, compares, sort } = ANSWERS[question];
  const said = useWords(question);
  const coverage = useCoverage(profile.messages);
  const capturedA = useApp(({ session }) => session.baseline?.captured ?? null);
  const capturedB = useApp((state) => capturedSize(state));
  const after = usePairAfter(profile);
  const contradicted = useApp(shownContradiction);
  const plan = useApp(shownPlan);
  const touched = useApp(shownTouched);
  const beside = useApp((state) => {
    const of = besideShown(state);
    return of && besideWords(of);
  });
  const words = useMemo(
    () => ({
      headline: [
        ...(coverage?.share ? [{ text: `${coverage.share} `, tone: 'subject' } as const] : []),
        ...(said?.headline(profile, a) ?? []),
      ],
      reason: [
        contradicted === undefined ? '' : `These messages ${contradictWords(contradicted)}.`,
        plan && unlikeWords(plan),
        plan && unusedSchemaWords(plan),
        touched,
        beside,
        said?.reason(profile, a, { captured: { a: capturedA, b: capturedB }, after }),
        coverage?.words,
      ]
        .filter(Boolean)
        .join(' '),
    }),
    [coverage, profile, a, after, capturedA, capturedB, said, contradicted, plan, touched, beside],
  );
  const hasValues = useApp((state) => state.session.input?.data != null && !isShape(state));
  const paid = usePaid(profile);
  const canPay = profile.type !== '' && (hasValues || paid !== null);
  const first = useMemo(
    () => firstView(buildFieldTree(profile, undefined, undefined, capturedLedger(profile)), sort),
    [profile, sort],
  );
  const delta = useMemo(
    () =>
      cause === null
        ? undefined
        : {
            label: CAUSES[cause],
            term: `cause-${cause}` as const,
            of: (field: Profile['fields'][number]) =>
              compareFieldCost(field, profile.pair).find((caused) => caused.cause === cause)?.bytes ?? 0,
          },
    [cause, profile.pair],
  );
  return (
    <div className="costs-pane">
      {isImplausible(profile) ? (
        <Suspense fallback={null}>
          <ImplausibilityNote profile={profile} />
        </Suspense>
      ) : (
        <section aria-labelledby="verdict" className="costs-answer">
          <Verdict {...words} />
          <div ref={scrollsByKeys} className="costs-picture cut-below">
            <Picture profile={profile} />
          </div>
        </section>
      )}
      {canPay && !(Table && a !== null) && <PaidLine profile={profile} />}
      <div className="costs-table">
        <InTurn after={1}>
          {Table && a !== null ? (
            <Suspense fallback={null}>
              <Table profile={profile} />
            </Suspense>
          ) : (
            <HoveredFields
              profile={profile}
              compares={compares}
              root={root}
              onRoot={zoomInto}
              view={view ?? first}
              onView={setTable}
              selected={selected}
              onSelect={selectPath}
              onHover={hoverPath}
              overrides={overrides}
              delta={delta}
              paid={paid}
              after={canPay && <PaidChoice />}
            />
          )}
        </InTurn>
      </div>
    </div>
  );
}

/** Where the picture is cut, keys scroll it. As it returns its end, it is never called with null. */
function scrollsByKeys(frame: HTMLDivElement | null) {
  const observer = new ResizeObserver(() => {
    frame!.tabIndex = frame!.scrollHeight > frame!.clientHeight ? 0 : -1;
  });
  observer.observe(frame!);
  return () => observer.disconnect();
}

/** The table alone is drawn again when the pointer moves over the picture or the bytes. */
function HoveredFields(props: FieldTableProps): ReactNode {
  const hovered = useApp(({ session }) => session.hover.path);
  return <FieldTable {...props} hovered={hovered} />;
}
