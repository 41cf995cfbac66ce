/** Bits that fields pay, and their three parts. */
import { CATEGORIES, type Category } from '../model/annotation.ts';

/** Paths of bytes that belong to no field. */
export const SIZE_PREFIX_PATH = '(size prefix)';
export const UNATTRIBUTED_PATH = '(unattributed)';
export const MESSAGE_PATH = '(message)';
/** Action lines of `_bulk` and `_msearch`, and what is around the partial document of an update. */
export const ACTIONS_PATH = '(action lines)';
/** Messages of the same stream that are not selected, and other text between messages. */
export const OTHERS_PATH = '(other messages)';

/** Field paths beyond this number share one, as they share rows in a profile. */
const MAX_PATHS = 16_384;
const OTHER_PATHS = '(other paths)';

/** The value of a field path; a new one is made. */
export function valueOfPath<T>(values: Map<string, T>, path: string, make: () => T): T {
  const key = values.has(path) || values.size < MAX_PATHS ? path : OTHER_PATHS;
  const known = values.get(key);
  if (known !== undefined) return known;
  const value = make();
  values.set(key, value);
  return value;
}

export type ByCategory = Readonly<Partial<Record<Category, number>>>;

export interface FieldBits {
  readonly path: string;
  /** Plain bytes. */
  readonly bytes: ByCategory;
  /** Bits paid. */
  readonly paid: ByCategory;
  /** Bits paid, with the cost of each literal divided among its copies; absent: not requested. */
  readonly shared?: ByCategory;
}

/** Whether it is known what the bits were spent on; of a Brotli stream only the total is. @param items bits by item */
export const isAttributed = (items: Readonly<Record<string, number>>): boolean => items['not_attributed'] === undefined;

/** The three parts that every encoding has: tags (including end tags of groups), lengths, and everything else. */
export interface Parts {
  readonly tag: number;
  readonly length: number;
  readonly value: number;
}

export function partsOf(amounts: ByCategory): Parts {
  let value = 0;
  for (const category of CATEGORIES) {
    if (category !== 'tag' && category !== 'group-end' && category !== 'length') value += amounts[category] ?? 0;
  }
  return { tag: (amounts.tag ?? 0) + (amounts['group-end'] ?? 0), length: amounts.length ?? 0, value };
}

export const sumOfParts = (parts: readonly Parts[]): Parts =>
  parts.reduce(
    (sum, { tag, length, value }) => ({ tag: sum.tag + tag, length: sum.length + length, value: sum.value + value }),
    { tag: 0, length: 0, value: 0 },
  );

export const totalOf = ({ tag, length, value }: Parts): number => tag + length + value;
