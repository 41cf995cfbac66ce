/**
 * A budget: the protobuf bytes that a message and each of its fields may take, as means over the measured messages.
 * docs/budget.md describes it.
 */
import * as v from 'valibot';
import { COMPRESSORS } from '#engine/compression/compressors.ts';
import { cellsIn, PROTOBUF, type Profile, totalIn } from '#engine/cost/profile.ts';
import { rounded } from '#engine/model/percent-text.ts';
import { namedRecord } from '#permalink/shared-values.ts';
import { formatMean } from '#wording/number-text.ts';
import { lineOfMember, parseJson } from '../inputs/json-text.ts';
import { Refusal } from '../output/outcome.ts';

const VERSION = 1;

const AMOUNT = v.pipe(v.number(), v.minValue(0));
const FIELD = v.strictObject({ occurrences: AMOUNT, tag: AMOUNT, length: AMOUNT, value: AMOUNT });
const BUDGET = v.strictObject({
  version: v.literal(VERSION, `this wirecost reads version ${VERSION}`),
  type: v.string(),
  /** The allowed relative growth of each figure: 0.01 is one per cent. */
  tolerance: AMOUNT,
  /** Bytes a message. */
  message: AMOUNT,
  /** Bytes a message after compression, by the named compressor at its default level. */
  compressed: v.optional(v.strictObject({ compressor: v.picklist(COMPRESSORS.map(({ id }) => id)), message: AMOUNT })),
  /** By path, each a message: records, and bytes of tags, length prefixes and values. */
  fields: namedRecord(v.string(), FIELD),
});

export type Budget = v.InferOutput<typeof BUDGET>;
export type BudgetCompressor = NonNullable<Budget['compressed']>['compressor'];

/** All messages, by one compressor. */
export interface CompressedTotal {
  readonly compressor: BudgetCompressor;
  readonly bytes: number;
}

export type FieldBudget = v.InferOutput<typeof FIELD>;

/** A growth beyond the budget and its tolerance. */
export interface Growth {
  /** Path of a field; empty: the message as a whole; `after zstd`: the whole after compression. */
  readonly path: string;
  readonly isField: boolean;
  /** Bytes a message. */
  readonly allowed: number;
  readonly measured: number;
  /** They sum to measured − allowed; none for the message. */
  readonly reasons: readonly { readonly words: string; readonly bytes: number }[];
}

const NOTHING: FieldBudget = { occurrences: 0, tag: 0, length: 0, value: 0 };
const DEFAULT_TOLERANCE = 0.01;

/** @throws Refusal */
export function readBudget(text: string, name: string): Budget {
  const checked = v.safeParse(BUDGET, parseJson(text, name));
  if (checked.success) return checked.output;
  const faults = checked.issues
    .map((issue) => ({ issue, path: pathOf(issue), line: lineOfMember(text, pathOf(issue)) }))
    .sort((a, b) => a.line - b.line)
    .map(({ issue, path, line }) => `wirecost: ${name}:${line}: ${path.join('.') || 'the whole'}: ${faultIn(issue)}`);
  throw new Refusal(`${name} is not a budget`, faults);
}

/** `fields`, `id`, `tag`: an entry of a named record by its name. */
const pathOf = ({ path }: v.BaseIssue<unknown>): readonly string[] =>
  (path ?? [])
    .map(({ type, key, input }) => (type === 'array' ? input[0] : key))
    .filter((step) => typeof step === 'string');

function faultIn({ expected, received, message }: v.BaseIssue<unknown>): string {
  if (received === 'undefined') return 'it is missing';
  return expected === 'never' ? 'a budget has no such key' : message;
}

/** The budget that exactly fits the measured messages. */
export function budgetOf(profile: Profile, tolerance = DEFAULT_TOLERANCE, compressed?: CompressedTotal): Budget {
  const fields = meansOf(profile).map(([path, { occurrences, tag, length, value }]) => [
    path,
    {
      occurrences: toThousandth(occurrences),
      tag: toThousandth(tag),
      length: toThousandth(length),
      value: toThousandth(value),
    },
  ]);
  return {
    version: VERSION,
    type: profile.type,
    tolerance,
    message: toThousandth(each(profile, totalIn(profile, PROTOBUF))),
    ...(compressed === undefined
      ? {}
      : { compressed: { compressor: compressed.compressor, message: toThousandth(each(profile, compressed.bytes)) } }),
    fields: Object.fromEntries(fields),
  };
}

/** The bytes of a message. */
export const each = ({ messages }: Profile, total: number): number => total / Math.max(1, messages);

/** The fields that occur, a message. */
const meansOf = (profile: Profile): readonly (readonly [path: string, FieldBudget])[] =>
  profile.fields
    .filter(({ occurrences }) => occurrences > 0)
    .map((field) => {
      const { tag = 0, length = 0, value = 0 } = cellsIn(field, PROTOBUF);
      const a = (total: number): number => each(profile, total);
      return [field.path, { occurrences: a(field.occurrences), tag: a(tag), length: a(length), value: a(value) }];
    });

export const printBudget = (budget: Budget): string =>
  `${JSON.stringify(budget, null, 2).replace(/\{\s+("occurrences"[^}]+?)\s+\}/g, (_, inner: string) => `{ ${inner.replace(/\s+/g, ' ')} }`)}\n`;

/** The message first, then the fields in schema order. */
export function growths(profile: Profile, budget: Budget, compressed: CompressedTotal | undefined): readonly Growth[] {
  const most = (allowed: number): number => allowed * (1 + budget.tolerance) + ROUNDING;
  const whole: Growth = {
    path: '',
    isField: false,
    allowed: budget.message,
    measured: each(profile, totalIn(profile, PROTOBUF)),
    reasons: [],
  };
  const fields = meansOf(profile).map(([path, field]): Growth => {
    const before = Object.hasOwn(budget.fields, path) ? budget.fields[path]! : NOTHING;
    return { path, isField: true, allowed: total(before), measured: total(field), reasons: reasonsOf(before, field) };
  });
  const packed: readonly Growth[] =
    budget.compressed === undefined || compressed === undefined
      ? []
      : [
          {
            path: `after ${budget.compressed.compressor}`,
            isField: false,
            allowed: budget.compressed.message,
            measured: each(profile, compressed.bytes),
            reasons: [],
          },
        ];
  return [whole, ...packed, ...fields].filter(({ allowed, measured }) => measured > most(allowed));
}

/**
 * Growth by more records and growth by larger records. The first one is the rest, so that both sum to the growth.
 * A part is as large as before if its change may come from the rounding of the budget.
 */
function reasonsOf(before: FieldBudget, now: FieldBudget): Growth['reasons'] {
  if (before.occurrences === 0) return [{ words: 'new', bytes: toThousandth(total(now)) }];
  const larger = (['tag', 'length', 'value'] as const).flatMap((part) => {
    const [then, is] = [before[part] / before.occurrences, now[part] / now.occurrences];
    const bytes = now.occurrences * (is - then);
    const [size, was] = apart(is, then);
    const isRounding = Math.abs(bytes) <= (now.occurrences * HALF * (1 + then)) / before.occurrences;
    return isRounding ? [] : [{ words: `${WORDS[part]} ${bytesText(size)} each, was ${was}`, bytes }];
  });
  const counted = larger.reduce((rest, { bytes }) => rest - bytes, total(now) - total(before));
  const [count, was] = apart(now.occurrences, before.occurrences);
  return [{ words: `${count} a message, was ${was}`, bytes: counted }, ...larger]
    .map(({ words, bytes }) => ({ words, bytes: toThousandth(bytes) }))
    .filter(({ bytes }) => bytes !== 0);
}

/** Both with two decimals, or with as many as show that they differ. */
function apart(is: number, then: number): readonly [is: string, then: string] {
  const texts = (decimals: number) => [formatMean(is, decimals), formatMean(then, decimals)] as const;
  return [2, 3, 4, 5, 6].map(texts).find(([one, other]) => one !== other) ?? texts(2);
}

const bytesText = (size: string): string => `${size} ${size === '1' ? 'byte' : 'bytes'}`;

const WORDS = { tag: 'tag', length: 'length prefix', value: 'value' } as const;

const total = ({ tag, length, value }: FieldBudget): number => tag + length + value;
/** Means are kept to a thousandth of a byte: a smaller difference is not growth. */
const ROUNDING = 0.002;
/** As a budget keeps it. */
export const meanText = (mean: number): string => formatMean(mean, 3);
export const toThousandth = (amount: number): number => rounded(amount, 3);
/** The most by which rounding changes a mean. */
const HALF = 0.0005;
