/** `value × 10^3`: a decimal fraction as an integer. */
import { floatBytes, floatOf } from '../../bytes/float-bytes.ts';
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
    return eachValue(
      change,
      {
        to(value) {
          const whole = Math.round(floatOf(value as Uint8Array, from.type) * factor);
          if (!Number.isSafeInteger(whole)) return undefined;
          const back = floatBytes(whole / factor, from.type);
          return back.every((byte, i) => byte === (value as Uint8Array)[i]) ? whole + 0 : undefined;
        },
        back: (value) => floatBytes(Number(value) / factor, from.type),
      },
      {
        binary: 'unsafe',
        json: 'unsafe',
        source: 'unsafe',
        reasons: [{ about: 'json', text: `The number is ${factor} times as large.`, link: UPDATING_RULES_URL }],
      },
    );
  },
};
