/** Options that take one of several values, or a list of them: the values, in the order of their tables. */
import { TEXT_ENCODINGS } from '#engine/capture/text/detect-text-encoding.ts';
import { BIT_FORMATS } from '#engine/compression/bits/read-bits.ts';
import { COMPRESSORS } from '#engine/compression/compressors.ts';
import { FRAMINGS } from '#engine/frame/framing/framings.ts';
import { KEYS } from '../commands/map-command.ts';
import { LEVELS, UNITS } from '../commands/matrix-command.ts';
import { SIDES } from '../measure/measure.ts';
import { DIRECTIONS } from './arguments.ts';
import { LEDGER_IDS } from './ledger-choice.ts';

const idsOf = (rows: readonly { readonly id: string }[]): readonly string[] => rows.map(({ id }) => id);

export const OPTION_VALUES: Readonly<Record<string, readonly string[]>> = {
  by: KEYS,
  compressor: idsOf(COMPRESSORS),
  direction: DIRECTIONS,
  encodings: LEDGER_IDS,
  format: BIT_FORMATS,
  framing: idsOf(FRAMINGS),
  level: LEVELS,
  native: SIDES,
  per: UNITS,
  'text-encoding': idsOf(TEXT_ENCODINGS),
};
