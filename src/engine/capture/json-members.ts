/** Members of a value that JSON.parse gave, of which nothing else is known. */

/** undefined: it is not an object, or has no such member. */
export const at = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[key] : undefined;

/** '' if it is not a text. */
export const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Empty if it is not a list. */
export const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
