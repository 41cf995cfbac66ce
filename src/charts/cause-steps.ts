/** A profile's difference by cause as the steps of a waterfall. */
import { CAUSES, type Cause, type CausedBytes } from '#engine/cost/compare.ts';
import type { Step } from './waterfall-geometry.ts';

export const causeSteps = (causes: readonly CausedBytes[]): readonly Step<Cause>[] =>
  causes.map(({ cause, bytes }) => ({ key: cause, label: CAUSES[cause], bytes }));
