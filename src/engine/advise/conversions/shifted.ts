/** `value + 1`: a number plus a constant, so that a frequent −1 becomes 0. */
import { UPDATING_RULES_URL } from '../rule-links.ts';
import { integer, type TreeValue } from '../value-tree.ts';
import type { Conversion } from './conversion.ts';
import { eachValue } from './each-value.ts';
import { RANGES } from './plain.ts';

export const shifted: Conversion = {
  read(change, from, to) {
    const [, sign, digits] = /^value ([+−-]) (\d+)/.exec(change.value ?? '') ?? [];
    const range = RANGES[to.type];
    // An absent value is 0 and cannot be shifted.
    if (from.cardinality === 'singular' && from.presence === 'implicit') return undefined;
    if (digits === undefined || range === undefined || RANGES[from.type] === undefined) return undefined;
    const by = sign === '+' ? BigInt(digits) : -BigInt(digits);
    const move = (value: TreeValue, distance: bigint): number | bigint =>
      integer(BigInt(value as number | bigint) + distance);
    return eachValue(
      change,
      {
        to(value) {
          const moved = move(value, by);
          return moved >= range[0] && moved <= range[1] ? moved : undefined;
        },
        back: (value) => move(value, -by),
      },
      {
        binary: 'unsafe',
        json: 'unsafe',
        source: 'unsafe',
        reasons: [{ about: 'json', text: 'The value is shifted by a constant.', link: UPDATING_RULES_URL }],
      },
    );
  },
};
