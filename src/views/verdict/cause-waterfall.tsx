/** Against native: the causes of the difference as a waterfall, and the difference after compression. */
import { memo, type ReactNode, useMemo, useState } from 'react';
import { CategoryLegend } from '#charts/category-legend.tsx';
import { causeSteps, foldSteps, MAX_STEPS, SMALLER, waterfallEnds } from '#charts/cause-steps.ts';
import { icicleTree } from '#charts/icicle-tree.ts';
import { usePrinting } from '#charts/use-printing.ts';
import { Waterfall } from '#charts/waterfall.tsx';
import { type Cause, compareProfile } from '#engine/cost/compare.ts';
import type { Profile } from '#engine/cost/profile.ts';
import { useActions, useApp } from '#state/context.tsx';
import { PAIR_STEPS } from '#state/view-state.ts';
import { FitRows } from '#views/verdict/fit-rows.tsx';
import { smallerCauses } from '#wording/chart-words.ts';
import { firstTitle, sideTitle } from '#wording/side-words.ts';
import { legendOf } from '../field-table/legend-of.ts';
import { TwinIcicle } from '../icicle/twin-icicle.tsx';
import { FitChart } from '../panes/fit-chart.tsx';
import { CompressedLine } from './compressed-line.tsx';
import { Segments } from './segments.tsx';

const PICTURES = { cause: PAIR_STEPS.cause, icicle: PAIR_STEPS.icicle } as const;

export const CauseWaterfall = memo(function CauseWaterfall({ profile }: { readonly profile: Profile }): ReactNode {
  const cause = useApp(({ view }) => view.cause);
  const { selectCause, setPair } = useActions();
  const causes = useMemo(() => compareProfile(profile), [profile]);
  const [isWhole, setWhole] = useState(false);
  const isPrinting = usePrinting();
  const all = useMemo(() => causeSteps(causes), [causes]);
  const stepsIn = (rows: number): ReturnType<typeof foldSteps<Cause>> => {
    const folded = foldSteps(all, smallerCauses, rows);
    // A cause that a link names has its row.
    const hides = cause !== null && !folded.some(({ key }) => key === cause);
    return isWhole || isPrinting || hides ? all : folded;
  };
  const { by } = useApp(({ view }) => view.pair);
  const twins = useMemo(
    () =>
      [
        { label: sideTitle(profile), tree: icicleTree(profile, profile.pair[1] ?? profile.pair[0]) },
        { label: firstTitle(profile), tree: icicleTree(profile) },
      ] as const,
    [profile],
  );
  if (causes.length === 0) return null;
  const isTwin = by === 'icicle';
  return (
    <>
      <div className="flex flex-wrap items-center gap-2 pb-1">
        <Segments
          label="Picture"
          term="label-picture"
          words={PICTURES}
          chosen={isTwin ? 'icicle' : 'cause'}
          onChoose={(next) => setPair({ by: next })}
        />
        <CompressedLine />
        <span className="ml-auto">
          <CategoryLegend categories={legendOf(profile, true)} />
        </span>
      </div>
      {isTwin ? (
        <TwinIcicle sides={twins} />
      ) : (
        <FitChart max={1040}>
          {(width, id) => (
            <FitRows most={MAX_STEPS} of={all}>
              {(rows) => (
                <Waterfall
                  id={id}
                  {...waterfallEnds(profile)}
                  steps={stepsIn(rows)}
                  width={width}
                  selected={cause}
                  onSelect={(key) => (key === SMALLER ? setWhole(true) : selectCause(key))}
                />
              )}
            </FitRows>
          )}
        </FitChart>
      )}
    </>
  );
});
