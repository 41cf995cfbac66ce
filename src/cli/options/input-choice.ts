/** `--framing` and `--text-encoding`: ids that replace the detected ones. */
import { TEXT_ENCODINGS } from '#engine/capture/text/detect-text-encoding.ts';
import { framingFault, readDescription } from '#engine/frame/framing/described-fields.ts';
import { FRAMINGS, isFramingId } from '#engine/frame/framing/framings.ts';
import type { InputChoice } from '#engine/frame/payload.ts';
import { BadArguments, type Options } from './arguments.ts';

const idsOf = (list: readonly { readonly id: string }[]): string => list.map(({ id }) => id).join(', ');

export const CHOICES_USAGE = `      --framing ID      how messages follow one another, where it is not detected right:
                        ${idsOf(FRAMINGS)},
                        or the fields around each message: 'le32 [1 message]' (docs/captures.md);
                        of a capture: of connections that are not read otherwise
      --text-encoding ID  how the bytes are written down: ${idsOf(TEXT_ENCODINGS)}`;

/** @throws BadArguments on an id that is not known */
export function checkChoice({ framing, textEncoding }: Pick<Options, 'framing' | 'textEncoding'>): InputChoice {
  if (framing !== undefined && !isFramingId(framing)) {
    const described = readDescription(framing);
    if (typeof described === 'string')
      throw new BadArguments(
        framingFault(
          framing,
          FRAMINGS.map(({ id }) => id),
          described,
        ),
      );
  }
  if (textEncoding !== undefined && !TEXT_ENCODINGS.some(({ id }) => id === textEncoding)) {
    throw new BadArguments(`No text encoding ${textEncoding}; there are ${idsOf(TEXT_ENCODINGS)}`);
  }
  return { framing, textEncoding };
}
