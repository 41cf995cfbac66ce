/** Data from a file or a link → changes. An invalid change is rejected; the message names the missing or wrong key. */
import { type Change, ImpossibleChange } from './change.ts';

type Check = (value: unknown) => boolean;

const text: Check = (value) => typeof value === 'string';
const number: Check = (value) => Number.isInteger(value);
const flag: Check = (value) => typeof value === 'boolean';
const texts: Check = (value) => Array.isArray(value) && value.every(text);
const isRecord =
  (keys: Readonly<Record<string, Check>>): Check =>
  (value) =>
    typeof value === 'object' && value !== null && holds(value as Readonly<Record<string, unknown>>, keys);
const table = isRecord({ message: text, field: text, number, first: text });
const column = isRecord({ field: text, number, of: text });
const columns: Check = (value) => Array.isArray(value) && value.every(column);

const FIELD = { message: text, field: text };

const KEYS: { readonly [K in Change['change']]: Readonly<Record<string, Check>> } = {
  type: { ...FIELD, from: text, to: text },
  number: { ...FIELD, from: number, to: number },
  packed: { ...FIELD, to: flag },
  presence: { ...FIELD, from: text, to: text },
  'left out': { ...FIELD, when: text },
  'new field': { ...FIELD, number, type: text, when: text },
  compressor: { from: text, to: text },
  written: { without: text },
  constant: { ...FIELD, number, list: text, of: text },
  columns: { ...FIELD, columns },
  map: { ...FIELD, to: text },
  'message encoding': { ...FIELD, from: text, to: text },
  oneof: { ...FIELD, from: text, to: text },
  enum: { ...FIELD, name: text, constants: texts },
  dictionary: { from: text, to: text, bytes: number },
  'symbol table': { table, fields: texts, type: text, order: text },
  'other schema': { from: text, to: text, how: text },
};

/** @throws ImpossibleChange */
export function readChanges(values: readonly unknown[]): readonly Change[] {
  return values.map((value) => {
    const data = (typeof value === 'object' && value !== null ? value : {}) as Readonly<Record<string, unknown>>;
    const kind = data['change'];
    const keys = typeof kind === 'string' && Object.hasOwn(KEYS, kind) ? KEYS[kind as Change['change']] : undefined;
    if (keys === undefined) throw new ImpossibleChange(`There is no change "${kind}"`);
    if (!holds(data, keys) || !('value' in data ? text(data['value']) : true)) {
      throw new ImpossibleChange(`The change "${kind}" needs ${Object.keys(keys).join(', ')}`);
    }
    return data as unknown as Change;
  });
}

const holds = (data: Readonly<Record<string, unknown>>, keys: Readonly<Record<string, Check>>): boolean =>
  Object.entries(keys).every(([key, check]) => check(data[key]));
