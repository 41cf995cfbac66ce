import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type AddressedPlace, fragmentOf, parsePlace, schemaLinkIn, withSchemaLink } from './place.ts';

describe('an address is read as its place', () => {
  test.each<[string, AddressedPlace | null]>([
    ['#/schema', { at: 'schema' }],
    ['#/schema/a.b.Hit', { at: 'type', name: 'a.b.Hit' }],
    ['#/costly', { at: 'costly' }],
    ['#/package/google.cloud.dataplex.v1', { at: 'package', name: 'google.cloud.dataplex.v1' }],
    ['#/folder/google/cloud', { at: 'folder', name: 'google/cloud' }],
    ['#/file/google/type/date.proto', { at: 'file', name: 'google/type/date.proto' }],
    ['#/type/a.b.Hit.id', { at: 'type', name: 'a.b.Hit.id' }],
    ['#/edit/a/b.proto', { at: 'edit', name: 'a/b.proto', line: 1, column: 1 }],
    ['#/edit/a/b.proto:12', { at: 'edit', name: 'a/b.proto', line: 12, column: 1 }],
    ['#/edit/a/b.proto:12:3', { at: 'edit', name: 'a/b.proto', line: 12, column: 3 }],
    ['#/edit/a%20b%23.proto:2:1', { at: 'edit', name: 'a b#.proto', line: 2, column: 1 }],
    ['#/compare', { at: 'compare', name: '' }],
    ['#/compare/a.Hit', { at: 'compare', name: 'a.Hit' }],
    ['#/type/', null],
    ['#/type', null],
    ['#/edit/', null],
    ['#/nowhere/x', null],
    ['#w1abc', null],
    ['#', null],
    ['', null],
    ['#/file/100%.proto', { at: 'file', name: '100%.proto' }],
  ])('%s', (fragment, place) => {
    expect(parsePlace(fragment)).toEqual(place);
  });
});

test('every place round-trips through its address', () => {
  const name = fc.string({ minLength: 1, unit: 'grapheme' });
  const place = fc.oneof(
    fc.constantFrom<AddressedPlace>({ at: 'schema' }, { at: 'costly' }),
    fc.record({ at: fc.constantFrom('package', 'folder', 'file', 'type', 'compare'), name }),
    // The end of a path that looks like a line number is read as one.
    fc.record({
      at: fc.constant('edit' as const),
      name: name.map((path) => `${path}.proto`),
      line: fc.integer({ min: 1, max: 999_999 }),
      column: fc.integer({ min: 1, max: 999_999 }),
    }),
  ) as fc.Arbitrary<AddressedPlace>;
  fc.assert(
    fc.property(place, (there) => {
      expect(parsePlace(fragmentOf(there))).toEqual(there);
    }),
    { numRuns: 1000 },
  );
});

test('any fragment is a place or not a place', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      parsePlace(`#/${text}`);
      parsePlace(`#/edit/${text}`);
    }),
    { numRuns: 1000 },
  );
});

test('an address has a link with its schema after its place', () => {
  const address = withSchemaLink('#/type/a.Hit', 'w6-2-ab-CD');
  expect(address).toBe('#/type/a.Hit?with=w6-2-ab-CD');
  expect(parsePlace(address)).toEqual({ at: 'type', name: 'a.Hit' });
  expect(schemaLinkIn(address)).toBe('w6-2-ab-CD');
  expect(withSchemaLink(address, 'w6-1-x')).toBe('#/type/a.Hit?with=w6-1-x');
  expect(schemaLinkIn('#/type/a.Hit')).toBeNull();
  expect(schemaLinkIn('#/sample/a?with=w6-1-x')).toBeNull();
});
