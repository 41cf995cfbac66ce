import { expect, test } from 'vitest';
import { readChanges } from './read-change.ts';

const TABLE = { message: 'a.A', field: 'symbols', number: 4, first: '' };

test.each([
  [{ change: 'type', message: 'a.A', field: 'b', from: 'int64', to: 'sint64' }],
  [{ change: 'type', message: 'a.A', field: 'b', from: 'string', to: 'bytes', value: 'lower-case hex' }],
  [{ change: 'packed', message: 'a.A', field: 'b', to: true }],
  [{ change: 'symbol table', table: TABLE, fields: ['a.A.b'], type: 'uint32', order: 'by first use' }],
])('%j is a change', (change) => {
  expect(readChanges([change])).toEqual([change]);
});

test.each([
  ['nothing', null, 'There is no change "undefined"'],
  ['a word that no change has', { change: 'toString' }, 'There is no change "toString"'],
  ['no field', { change: 'packed', message: 'a.A', to: true }, 'The change "packed" needs message, field, to'],
  ['a number as text', { change: 'number', message: 'a.A', field: 'b', from: 1, to: '2' }, 'The change "number" needs'],
  ['an invalid value', { change: 'type', message: 'a', field: 'b', from: 'c', to: 'd', value: 1 }, 'needs'],
  ['half a table', { change: 'symbol table', table: {}, fields: [], type: 'uint32', order: '' }, 'needs table'],
])('%s is refused', (_, change, message) => {
  expect(() => readChanges([change])).toThrow(message);
});
