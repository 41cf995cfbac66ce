/** The verdict over the field table. */
import { type ReactNode, Suspense, useMemo } from 'react';
import { CAUSES, compareField } from '#engine/cost/compare.ts';
import { buildFieldTree } from '#engine/cost/field-tree.ts';
import { isDoubtful, type Profile } from '#engine/cost/profile.ts';
import { useActions, useApp } from '#state/context.tsx';
import { FieldTable } from '../field-table/field-table.tsx';
import { firstView } from '../field-table/visible-rows.ts';
import { InTurn } from '../progress/deferred.tsx';
import { lazyPart } from '../progress/lazy-part.tsx';
import { CompressedLine } from './compressed-line.tsx';
import { Verdict } from './verdict.tsx';

const DoubtNote = lazyPart(async () => (await import('./implausibility-note.tsx')).DoubtNote);

/** The same element each time, so that the verdict is drawn again only for another profile. */
const COMPRESSED = <CompressedLine />;

export function CostsPane({ profile }: { readonly profile: Profile }): ReactNode {
  const view = useApp(({ view: { table } }) => table);
  const cause = useApp(({ view: { cause: selected } }) => selected);
  const selected = useApp(({ view: { selection } }) => selection.path);
  const overrides = useApp(({ view }) => view.overrides);
  const hovered = useApp(({ session }) => session.hover.path);
  const { setTable, selectPath, hoverPath, selectCause } = useActions();
  const first = useMemo(() => firstView(buildFieldTree(profile)), [profile]);
  const delta = useMemo(
    () =>
      cause === null
        ? undefined
        : {
            label: CAUSES[cause],
            of: (field: Profile['fields'][number]) =>
              compareField(field).find((caused) => caused.cause === cause)?.bytes ?? 0,
          },
    [cause],
  );
  return (
    <div className="flex h-full min-h-0 flex-col">
      <div className="shrink-0">
        {isDoubtful(profile) ? (
          <Suspense fallback={null}>
            <DoubtNote profile={profile} />
          </Suspense>
        ) : (
          <Verdict profile={profile} cause={cause} onSelectCause={selectCause} compressed={COMPRESSED} />
        )}
      </div>
      <div className="min-h-72 flex-1 border-t border-rule">
        <InTurn after={1}>
          <FieldTable
            profile={profile}
            compares={profile.nativeProfile !== null}
            view={view ?? first}
            onView={setTable}
            selected={selected}
            hovered={hovered}
            onSelect={selectPath}
            onHover={hoverPath}
            overrides={overrides}
            delta={delta}
          />
        </InTurn>
      </div>
    </div>
  );
}
