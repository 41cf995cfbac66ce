/** Proposals for floating-point fields: float, decimals as integers, integral values in an additional integer field. */
import { countText, plural } from '../../model/count-text.ts';
import { wholeOf } from '../conversions/whole-number.ts';
import type { FieldUse } from '../uses.ts';
import { scalarWidth } from '../write-tree.ts';
import { grouped, namesOf, type Propose, typeChange } from './proposal.ts';

const doublesOf = (fields: Iterable<FieldUse>): readonly FieldUse[] =>
  [...fields].filter(({ field }) => field.type === 'double');

const numbersOf = ({ lists }: FieldUse): readonly number[] =>
  lists.flatMap((values) => values.map((value) => (typeof value === 'number' ? value : Number.NaN)));

/** Minimum number of different values. Fewer may be round by chance, and prove nothing for other messages. */
const MIN_DIFFERENT = 24;

const isEvidence = (numbers: readonly number[]): boolean => new Set(numbers).size >= MIN_DIFFERENT;

export const floats: Propose = ({ fields }) =>
  grouped(
    doublesOf(fields).filter((use) => {
      const numbers = numbersOf(use);
      return isEvidence(numbers) && numbers.every((value) => Object.is(Math.fround(value), value));
    }),
    (some) => ({
      title: `Declare ${namesOf(some)} float: every value survives`,
      changes: some.map((use) => typeChange(use, 'float')),
    }),
  );

/** Maximum number of decimal places. */
const MAX_DIGITS = 6;

export const decimals: Propose = ({ fields }) =>
  doublesOf(fields).flatMap((use) => {
    const numbers = numbersOf(use);
    if (!isEvidence(numbers)) return [];
    for (let digits = 0; digits <= MAX_DIGITS; digits++) {
      const factor = 10 ** digits;
      const isExact = numbers.every((value) => {
        const whole = Math.round(value * factor);
        return Number.isSafeInteger(whole) && Object.is(whole / factor, value);
      });
      if (!isExact) continue;
      const saved = numbers.reduce((sum, value) => sum + 8 - scalarWidth(Math.round(value * factor), 'sint64'), 0);
      if (saved <= 0) return [];
      const words = digits === 0 ? 'they are whole numbers' : `they have ${plural(digits, 'digit')} behind the point`;
      return [
        {
          title: `Declare ${namesOf([use])} sint64, ${digits === 0 ? 'as it is' : `times ${countText(factor)}`}: ${words}`,
          changes: [{ ...typeChange(use, 'sint64'), value: `value × 10^${digits}` }],
        },
      ];
    }
    return [];
  });

export const wholeNumbers: Propose = (uses) =>
  doublesOf(uses.fields).flatMap((use) => {
    const { message, field } = use;
    if (field.cardinality !== 'singular' || field.oneof !== undefined) return [];
    const saved = numbersOf(use).reduce((sum, value) => {
      const whole = wholeOf(value);
      return whole === undefined ? sum : sum + 8 - scalarWidth(whole, 'sint64');
    }, 0);
    const form = uses.forms.get(message)!;
    const added = `int_${field.name}`;
    if (saved <= 0 || form.isMapEntry || form.byName.has(added)) return [];
    const number = uses.newNumber(message, added);
    if (number === undefined) return [];
    return [
      {
        title: `Write whole values of ${namesOf([use])} as sint64, in a field beside it`,
        changes: [
          {
            change: 'new field',
            message,
            field: added,
            number,
            type: 'sint64',
            when: `${field.name} is a whole number, not -0.0 nor 0, of magnitude below 2^53: ${field.name} is left out`,
          },
        ],
      },
    ];
  });
