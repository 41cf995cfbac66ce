import { expect, test } from 'vitest';
import type { FieldProfile } from './profile.ts';
import { samePath } from './same-field.ts';

/** `path:number`, parents before their children. */
const profileOf = (...fields: readonly string[]) => ({
  fields: fields.map((text) => {
    const [path = '', number] = text.split(':');
    const parent = path.includes('.') ? path.slice(0, path.lastIndexOf('.')) : '';
    return { path, parent, number: Number(number) } as FieldProfile;
  }),
});
const byNumber = profileOf('?4:4', '?4.?1:1', '?4.?9:9', '?4.?9.?1:1', '?1:1');
const named = profileOf('id:1', 'rows:4', 'rows.host:1', 'rows.extra:9', 'rows.extra.id:1');
const text = profileOf('rows:0', 'rows.host:0');

test.each([
  ['a nested field gets its name', byNumber, named, '?4.?9.?1', 'rows.extra.id'],
  ['a field at the top is not one of the same number inside', byNumber, named, '?1', 'id'],
  ['a name becomes a number again', named, byNumber, 'rows.host', '?4.?1'],
  ['a field that the other does not have', named, profileOf('?1:1'), 'rows.host', null],
  ['a renamed field', named, profileOf('rows:4', 'rows.address:1'), 'rows.host', 'rows.address'],
  ['fields without numbers keep their names', text, named, 'rows.host', 'rows.host'],
  ['a path that is in neither', named, named, 'gone', null],
])('%s', (_, before, after, path, expected) => expect(samePath(before, after, path)).toBe(expected));
