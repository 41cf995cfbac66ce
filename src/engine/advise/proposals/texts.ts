/** Proposals for texts that represent shorter values. */
import { latin1 } from '../../bytes/latin1.ts';
import { varintWidth } from '../../bytes/varint.ts';
import type { TypeChange } from '../change.ts';
import { TEXT_CODES, type TextCode } from '../conversions/text-codes.ts';
import type { FieldUse } from '../uses.ts';
import type { TreeScalar } from '../value-tree.ts';
import { scalarWidth } from '../write-tree.ts';
import { grouped, namesOf, type Proposal, type Propose } from './proposal.ts';

/** Shorter texts may look like the code by chance. */
const MIN_LENGTHS: Readonly<Record<string, number>> = { base64: 24, decimal: 5 };
const MIN_LENGTH = 8;
/** Words and paths are valid base64 too, so this pattern is required in addition. */
const LIKELY_BASE64 = /^(?=.*[A-Z])(?=.*[a-z])(?=.*[0-9])/;

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
      changes: group.map((use): TypeChange => {
        return typeChange(use, targetOf(use), `${code.name} read as ${code.spells === 'bytes' ? 'bytes' : 'a number'}`);
      }),
    });
    return [...grouped(some, make), ...alone.map(make)];
  });
};

function isSpelled({ lists }: FieldUse, code: TextCode): boolean {
  let saved = 0;
  let longest = 0;
  for (const values of lists) {
    for (const value of values) {
      const text = value as Uint8Array;
      const spelled = code.mapping.to(text);
      if (spelled === undefined) return false;
      if (code.name === 'base64' && !LIKELY_BASE64.test(latin1(text, 0, text.length))) return false;
      longest = Math.max(longest, text.length);
      const after =
        spelled instanceof Uint8Array
          ? varintWidth(spelled.length, 0) + spelled.length
          : scalarWidth(spelled as TreeScalar, 'sint64');
      saved += scalarWidth(text, 'string') - after;
    }
  }
  return saved > 0 && longest >= (MIN_LENGTHS[code.name] ?? MIN_LENGTH);
}

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
      changes: some.map((use) => typeChange(use, 'string', 'lower-case hex')),
      isCounterfactual: true,
    }),
  );

const typeChange = ({ message, field }: FieldUse, to: string, value: string): TypeChange => ({
  change: 'type',
  message,
  field: field.name,
  from: field.type,
  to,
  value,
});
