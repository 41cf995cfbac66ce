/** A profile's difference by cause as a waterfall: its totals and its steps. */
import { CAUSES, type Cause, type CausedBytes } from '#engine/cost/compare.ts';
import type { Profile } from '#engine/cost/profile.ts';
import type { Step } from './waterfall-geometry.ts';

export const causeSteps = (causes: readonly CausedBytes[]): readonly Step<Cause>[] =>
  causes.map(({ cause, bytes }) => ({ key: cause, label: CAUSES[cause], bytes }));

export const fromNative = ({ bytes, other }: Pick<Profile, 'bytes' | 'other'>) => ({
  from: { label: other?.label ?? 'Native', bytes: bytes.native },
  to: { label: 'Protobuf', bytes: bytes.protobuf },
});
