/** `--framing` and `--dress`: ids that overrule what is detected. */
import { DRESSES } from '#engine/capture/text/detect-text-encoding.ts';
import { FRAMINGS } from '#engine/frame/framing/framings.ts';
import type { InputChoice } from '#engine/frame/payload.ts';
import { BadArguments, type Options } from './arguments.ts';

const idsOf = (list: readonly { readonly id: string }[]): string => list.map(({ id }) => id).join(', ');

export const CHOICES_USAGE = `      --framing ID      how messages follow one another, where it is not detected right:
                        ${idsOf(FRAMINGS)}
      --dress ID        how the bytes are written down: ${idsOf(DRESSES)}`;

/** @throws BadArguments on an id that is not known */
export function checkChoice({ framing, dress }: Pick<Options, 'framing' | 'dress'>): InputChoice {
  if (framing !== undefined && !FRAMINGS.some(({ id }) => id === framing)) {
    throw new BadArguments(`No framing ${framing}; there are ${idsOf(FRAMINGS)}`);
  }
  if (dress !== undefined && !DRESSES.some(({ id }) => id === dress)) {
    throw new BadArguments(`No dress ${dress}; there are ${idsOf(DRESSES)}`);
  }
  return { framing, dress };
}
