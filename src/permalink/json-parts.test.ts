import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { jsonParts, jsonText, made } from './json-parts.ts';

const text = (value: unknown): string => [...jsonParts(value)].join('');

describe('a document in parts', () => {
  test('is the same JSON as at once', () => {
    fc.assert(
      fc.property(fc.jsonValue({ depthSize: 'large' }), (value) => {
        expect(JSON.parse(text(value))).toEqual(JSON.parse(JSON.stringify(value)));
        expect(jsonText(value)).toBe(text(value));
      }),
    );
  });

  test('indents as JSON.stringify, with lists of numbers in one line', () => {
    const value = { a: [{ b: { c: { d: { e: [], f: {} } } } }], g: 'text', h: null, left: undefined };
    expect(text(value)).toBe(JSON.stringify(value, null, 2));
    expect(text({ list: [1, 22] })).toBe('{\n  "list": [1, 22]\n}');
  });

  test('a text that looks like a list of numbers stays as it is', () => {
    expect(text(['[ 1 ]', { a: '[ 1, 2 ]' }])).toContain('"[ 1, 2 ]"');
    expect(JSON.parse(text({ name: '[ 7 ]' }))).toEqual({ name: '[ 7 ]' });
  });

  test('a list that is made is printed as a list, and no part is large', () => {
    const rows = Array.from({ length: 5000 }, (_, at) => ({ path: `field_${at}`, bytes: at }));
    const parts = [...jsonParts({ rows: made(rows, (row) => row) })];
    expect(JSON.parse(parts.join(''))).toEqual({ rows });
    expect(Math.max(...parts.map(({ length }) => length))).toBeLessThan(100_000);
  });
});
