/**
 * A field in two profiles of the same messages: by the numbers along its path, which a schema does not change, while it
 * gives the fields their names.
 */
import type { FieldProfile, Profile } from './profile.ts';

type Fields = Pick<Profile, 'fields'>;

/** The path in `after` of the field at `path` in `before`; null: `after` does not have it. */
export function samePath(before: Fields, after: Fields, path: string): string | null {
  const numbers = numbersOf(before.fields, path);
  if (numbers === null) return after.fields.some((field) => field.path === path) ? path : null;
  let parent = '';
  for (const number of numbers) {
    const field = after.fields.find((one) => one.parent === parent && one.number === number);
    if (field === undefined) return null;
    parent = field.path;
  }
  return parent;
}

/** From the top to the field; null: there is no such field, or one on its path has a name alone. */
function numbersOf(fields: readonly FieldProfile[], path: string): readonly number[] | null {
  const numbers: number[] = [];
  for (let at = path; at !== ''; ) {
    const field = fields.find((one) => one.path === at);
    if (field === undefined || field.number <= 0) return null;
    numbers.unshift(field.number);
    at = field.parent;
  }
  return numbers;
}
