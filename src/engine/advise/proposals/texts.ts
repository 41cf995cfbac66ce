/** Proposals for texts that represent shorter values. */
import { latin1 } from '../../bytes/latin1.ts';
import { TEXT_CODES, type TextCode } from '../conversions/text-codes.ts';
import type { FieldUse } from '../uses.ts';
import { grouped, namesOf, type Proposal, type Propose, typeChange } from './proposal.ts';

/** Shorter texts may look like the code by chance. */
const MIN_LENGTHS: Readonly<Record<string, number>> = { decimal: 5 };
const MIN_LENGTH = 8;

export const spelledTexts: Propose = ({ fields }) => {
  const texts = [...fields].filter(({ field }) => field.type === 'string');
  const taken = new Set<FieldUse>();
  return TEXT_CODES.flatMap((code): readonly Proposal[] => {
    const some = texts.filter((use) => !taken.has(use) && isSpelled(use, code));
    for (const use of some) taken.add(use);
    const targetOf = (use: FieldUse): string => (code.spells === 'bytes' ? 'bytes' : integerType(use, code));
    const single = some.filter(({ field }) => field.cardinality === 'singular');
    const alone = single.length < some.length && single.length > 0 ? [single] : [];
    const make = (group: readonly FieldUse[]): Proposal => ({
      title: `Declare ${namesOf(group)} ${[...new Set(group.map(targetOf))].join(' or ')}: the text is ${code.name}`,
      changes: group.map((use) => ({
        ...typeChange(use, targetOf(use)),
        value: `${code.name} read as ${code.spells === 'bytes' ? 'bytes' : 'a number'}`,
      })),
    });
    return [...grouped(some, make), ...alone.map(make)];
  });
};

function isSpelled({ lists }: FieldUse, code: TextCode): boolean {
  let longest = 0;
  for (const values of lists) {
    for (const value of values) {
      if (code.mapping.to(value) === undefined) return false;
      longest = Math.max(longest, (value as Uint8Array).length);
    }
  }
  if (longest < (MIN_LENGTHS[code.name] ?? MIN_LENGTH)) return false;
  return !code.name.includes('base64') || isMixed(lists);
}

/** One text of this length is evidence; shorter ones, such as ids of 64 bits, are if there are several. */
const LONG = 24;
const SHORT = 11;
const SEVERAL = 8;
/** Different texts that are looked at. */
const MAX_TEXTS = 1000;

/**
 * Words, paths and hex are valid base64, too. Random bytes give 41 % capitals, 41 % small letters and 16 % digits, and
 * neighbours of different kinds in 64 % of the places; in names it is about a third.
 */
function isMixed(lists: FieldUse['lists']): boolean {
  const texts = new Set<string>();
  for (const values of lists) {
    for (const value of values) if (texts.size < MAX_TEXTS) texts.add(textOf(value as Uint8Array));
  }
  const kinds = { capital: 0, small: 0, digit: 0, other: 0 };
  let [longest, all, neighbours, turns] = [0, 0, 0, 0];
  for (const text of texts) {
    const own = text.replace(/=+$/, '');
    let last: keyof typeof kinds | undefined;
    for (const letter of own) {
      const kind = kindOf(letter);
      kinds[kind]++;
      if (last !== undefined && last !== kind) turns++;
      last = kind;
    }
    longest = Math.max(longest, text.length);
    all += own.length;
    neighbours += Math.max(0, own.length - 1);
  }
  const isLongEnough = longest >= LONG || (longest >= SHORT && texts.size >= SEVERAL);
  const { capital, small, digit } = kinds;
  return isLongEnough && Math.min(capital, small) >= 0.2 * all && digit >= 0.04 * all && turns >= 0.4 * neighbours;
}

function kindOf(letter: string): 'capital' | 'small' | 'digit' | 'other' {
  if (letter >= 'a' && letter <= 'z') return 'small';
  if (letter >= 'A' && letter <= 'Z') return 'capital';
  return letter >= '0' && letter <= '9' ? 'digit' : 'other';
}

const textOf = (value: Uint8Array): string => latin1(value, 0, value.length);

function integerType({ lists }: FieldUse, { mapping }: TextCode): string {
  const isNegative = lists.some((values) => values.some((value) => (mapping.to(value) as number) < 0));
  return isNegative ? 'sint64' : 'uint64';
}

/** Usual lengths of ids: 64, 128, 160, 256 bits. */
const ID_LENGTHS = [8, 16, 20, 32];

export const idsAsHex: Propose = ({ fields }) =>
  grouped(
    [...fields].filter(
      ({ field, lists }) =>
        field.type === 'bytes' &&
        lists.every((values) => values.every((value) => ID_LENGTHS.includes((value as Uint8Array).length))),
    ),
    (some) => ({
      title: `Write ${namesOf(some)} as hex text: what bytes save`,
      changes: some.map((use) => ({ ...typeChange(use, 'string'), value: 'lower-case hex' })),
      isCounterfactual: true,
    }),
  );
