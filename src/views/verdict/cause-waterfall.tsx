/** Against native: the causes of the difference as a waterfall, and what compression leaves of it. */
import { memo, type ReactNode, useMemo } from 'react';
import { causeSteps, fromNative } from '#charts/cause-steps.ts';
import { FitWidth } from '#charts/fit-width.tsx';
import { Waterfall } from '#charts/waterfall.tsx';
import { compareProfile } from '#engine/cost/compare.ts';
import type { Profile } from '#engine/cost/profile.ts';
import { useActions, useApp } from '#state/context.tsx';
import { CompressedLine } from './compressed-line.tsx';

export const CauseWaterfall = memo(function CauseWaterfall({ profile }: { readonly profile: Profile }): ReactNode {
  const cause = useApp(({ view }) => view.cause);
  const { selectCause } = useActions();
  const causes = useMemo(() => compareProfile(profile), [profile]);
  const steps = useMemo(() => causeSteps(causes), [causes]);
  if (causes.length === 0) return null;
  return (
    <>
      <CompressedLine />
      <FitWidth max={1040}>
        {(width, id) => (
          <Waterfall
            id={id}
            {...fromNative(profile)}
            steps={steps}
            width={width}
            selected={cause}
            onSelect={selectCause}
          />
        )}
      </FitWidth>
    </>
  );
});
