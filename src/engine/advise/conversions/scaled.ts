/** `value × 10^3`: a decimal fraction as an integer. */
import { countText } from '../../model/count-text.ts';
import { UPDATING_RULES_URL } from '../rule-links.ts';
import type { Conversion } from './conversion.ts';
import { eachValue } from './each-value.ts';
import { RANGES } from './plain.ts';

export const scaled: Conversion = {
  read(change, from, to) {
    const digits = /^value × 10\^(\d{1,2})/.exec(change.value ?? '')?.[1];
    if (digits === undefined || RANGES[to.type] === undefined) return undefined;
    if (from.type !== 'double' && from.type !== 'float') return undefined;
    const factor = 10 ** Number(digits);
    const back = (whole: number): number => (from.type === 'float' ? Math.fround(whole / factor) : whole / factor);
    return eachValue(
      change,
      {
        to(value) {
          if (typeof value !== 'number') return undefined;
          // -0 becomes 0.
          const whole = Math.round(value * factor) + 0;
          return Number.isSafeInteger(whole) && Object.is(back(whole), value) ? whole : undefined;
        },
        back: (value) => back(Number(value)),
      },
      {
        binary: 'unsafe',
        json: factor === 1 ? 'safe' : 'unsafe',
        source: 'unsafe',
        reasons:
          factor === 1
            ? []
            : [{ about: 'json', text: `The number is ${countText(factor)} times as large.`, link: UPDATING_RULES_URL }],
      },
    );
  },
};
