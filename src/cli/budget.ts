/**
 * A budget: the protobuf bytes that a message and each of its fields may take, as means over the measured messages.
 * docs/budget.md describes it.
 */
import * as v from 'valibot';
import { COMPRESSORS } from '#engine/compression/compressors.ts';
import { cellsIn, PROTOBUF, type Profile, totalIn } from '#engine/cost/profile.ts';
import { parseJson } from './json-text.ts';
import { Refusal } from './outcome.ts';
import { printMean } from './text-table.ts';

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
  fields: v.record(v.string(), FIELD),
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
  const checked = v.safeParse(BUDGET, parseJson(text, name), { abortEarly: true });
  if (checked.success) return checked.output;
  const [issue] = checked.issues;
  throw new Refusal(`${name} is not a budget: ${v.getDotPath(issue) ?? 'the whole'}: ${faultIn(issue)}`);
}

function faultIn({ expected, received, message }: v.BaseIssue<unknown>): string {
  if (received === 'undefined') return 'it is missing';
  return expected === 'never' ? 'a budget has no such key' : message;
}

/** The budget that exactly fits the measured messages. */
export function budgetOf(profile: Profile, tolerance = DEFAULT_TOLERANCE, compressed?: CompressedTotal): Budget {
  const a = (total: number): number => round(total / Math.max(1, profile.messages));
  const fields = profile.fields
    .filter(({ occurrences }) => occurrences > 0)
    .map((field) => {
      const { tag = 0, length = 0, value = 0 } = cellsIn(field, PROTOBUF);
      return [field.path, { occurrences: a(field.occurrences), tag: a(tag), length: a(length), value: a(value) }];
    });
  return {
    version: VERSION,
    type: profile.type,
    tolerance,
    message: a(totalIn(profile, PROTOBUF)),
    ...(compressed === undefined
      ? {}
      : { compressed: { compressor: compressed.compressor, message: a(compressed.bytes) } }),
    fields: Object.fromEntries(fields),
  };
}

export const printBudget = (budget: Budget): string =>
  `${JSON.stringify(budget, null, 2).replace(/\{\s+("occurrences"[^}]+?)\s+\}/g, (_, inner: string) => `{ ${inner.replace(/\s+/g, ' ')} }`)}\n`;

/** The message first, then the fields in schema order. */
export function growths(profile: Profile, budget: Budget, compressed?: CompressedTotal): readonly Growth[] {
  const now = budgetOf(profile, budget.tolerance, compressed);
  const most = (allowed: number): number => allowed * (1 + budget.tolerance) + ROUNDING;
  const whole: Growth = { path: '', allowed: budget.message, measured: now.message, reasons: [] };
  const fields = Object.entries(now.fields).map(([path, field]): Growth => {
    const before = Object.hasOwn(budget.fields, path) ? budget.fields[path]! : NOTHING;
    return { path, allowed: total(before), measured: total(field), reasons: reasonsOf(before, field) };
  });
  const packed: readonly Growth[] =
    budget.compressed === undefined || now.compressed === undefined
      ? []
      : [
          {
            path: `after ${budget.compressed.compressor}`,
            allowed: budget.compressed.message,
            measured: now.compressed.message,
            reasons: [],
          },
        ];
  return [whole, ...packed, ...fields].filter(({ allowed, measured }) => measured > most(allowed));
}

/** Growth by more records and growth by larger records: Δ = Δcount × size before + count now × Δsize. */
function reasonsOf(before: FieldBudget, now: FieldBudget): Growth['reasons'] {
  if (before.occurrences === 0) return [{ words: 'new', bytes: round(total(now)) }];
  const counted = (now.occurrences - before.occurrences) * (total(before) / before.occurrences);
  const reasons = [
    { words: `${mean(now.occurrences)} a message, was ${mean(before.occurrences)}`, bytes: round(counted) },
    ...(['tag', 'length', 'value'] as const).map((part) => {
      const [then, is] = [before[part] / before.occurrences, now[part] / now.occurrences];
      return {
        words: `${WORDS[part]} ${mean(is)} bytes each, was ${mean(then)}`,
        bytes: round(now.occurrences * (is - then)),
      };
    }),
  ];
  return reasons.filter(({ bytes }) => bytes !== 0);
}

const WORDS = { tag: 'tag', length: 'length prefix', value: 'value' } as const;

const total = ({ tag, length, value }: FieldBudget): number => tag + length + value;
/** Means are kept to a thousandth of a byte: a smaller difference is not growth. */
const ROUNDING = 0.002;
const round = (amount: number): number => Math.round(amount * 1000) / 1000;
const mean = (amount: number): string => printMean(amount, 2);
