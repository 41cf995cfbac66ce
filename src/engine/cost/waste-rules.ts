/**
 * Avoidable bytes by rule. The same values can be encoded without these bytes. To add a rule, add an entry here, counted
 * in `wire/statistics.ts` (for speed, also in the kernel), and a sentence in `src/wording/field-words.ts`.
 */
import type { FieldDescriptor } from '../schema/descriptor.ts';
import { fixedSize, tagWidth } from '../wire/encoding-facts.ts';
import type { FieldStatistics } from '../wire/statistics.ts';

export const WASTE_RULES = {
  /** Bytes of varints beyond their shortest form. */
  overlong: ({ overlong }) => overlong,
  /** Bytes of negative int32, int64 or enum values beyond their zigzag width. */
  negative: ({ negatives }) => negatives.reduce((bytes, count, at) => bytes + count * (10 - at - 1), 0),
  /** Default values that were written although absence means the same. */
  defaults: ({ zeros, number, field }) => zeros * (tagWidth(number) + (field === undefined ? 0 : defaultSize(field))),
} as const satisfies Readonly<Record<string, (stats: FieldStatistics) => number>>;

export type WasteRule = keyof typeof WASTE_RULES;

/** Profiles of an older version lack newer rules. */
export type WasteBytes = Readonly<Partial<Record<WasteRule, number>>>;

export const wasteIn = (stats: FieldStatistics): WasteBytes =>
  Object.fromEntries(Object.entries(WASTE_RULES).map(([rule, bytesOf]) => [rule, bytesOf(stats)])) as WasteBytes;

/** Bytes of a default value after its tag: a zero, or a zero length. */
const defaultSize = (field: FieldDescriptor): number => fixedSize(field.type) || 1;
