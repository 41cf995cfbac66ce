import fc from 'fast-check';
import { expect, test } from 'vitest';
import { distinctMethods, distinctNames, sharedStarts } from './distinct-names.ts';

test.each([
  ['one type', ['a.v1.Row'], ['Row']],
  ['types of different names', ['a.Row', 'a.Cell'], ['Row', 'Cell']],
  [
    'types of the same name',
    ['users.v1.ListRequest', 'orders.v1.ListRequest', 'a.Row'],
    ['users.v1.ListRequest', 'orders.v1.ListRequest', 'Row'],
  ],
  ['two versions', ['a.v1.Row', 'a.v2.Row'], ['v1.Row', 'v2.Row']],
  ['a name that is the end of another', ['Row', 'a.Row', 'b.a.Row'], ['Row', 'a.Row', 'b.a.Row']],
  ['the same type twice', ['a.Row', 'a.Row'], ['Row', 'Row']],
  ['no type', [''], ['']],
])('%s', (_what, names, expected) => {
  const short = distinctNames(names);
  expect(names.map((name) => short.get(name))).toEqual(expected);
});

test('different names stay different, and each is the end of its full name', () => {
  const name = fc.array(fc.constantFrom('a', 'b', 'C'), { minLength: 1, maxLength: 4 }).map((parts) => parts.join('.'));
  fc.assert(
    fc.property(fc.array(name), (names) => {
      const short = distinctNames(names);
      const all = new Set(names);
      expect(new Set(short.values()).size).toBe(all.size);
      for (const one of all) expect(`.${one}`.endsWith(`.${short.get(one)}`)).toBe(true);
    }),
  );
});

test.each([
  ['a service in a package', ['/fleet.v1.Dispatch/Orders'], ['Dispatch/Orders']],
  [
    'two versions of a service',
    ['/fleet.v1.Dispatch/Orders', '/fleet.v2.Dispatch/Orders', '/fleet.v2.Depot/Open'],
    ['v1.Dispatch/Orders', 'v2.Dispatch/Orders', 'Depot/Open'],
  ],
  [
    'a service without a package, and other methods, as they are',
    ['/Dispatch/Orders', 'POST /api/v1.2/write', 'indices:data/read/search[phase/query]'],
    ['/Dispatch/Orders', 'POST /api/v1.2/write', 'indices:data/read/search[phase/query]'],
  ],
])('methods: %s', (_what, methods, expected) => {
  const short = distinctMethods(methods);
  expect(methods.map((method) => short.get(method))).toEqual(expected);
});

test.each([
  ['one name', ['total_bytes'], [0]],
  ['names that begin differently', ['bytes', 'hits'], [0, 0]],
  ['names that share words', ['total_bytes', 'hits', 'total_hits'], [6, 0, 6]],
  ['a name that shares more with one than with another', ['a_b_c', 'a_b_d', 'a_x'], [4, 4, 2]],
  ['words that begin alike', ['position_latitude', 'position_longitude'], [9, 9]],
  ['words by capitals', ['listenerLine', 'listenerLimit'], [8, 8]],
  ['a name that is the beginning of another', ['total_bytes', 'total_bytes_sent'], [6, 6]],
  ['pictures with the same first half', ['mood_😀', 'mood_😁'], [5, 5]],
  ['the same name twice', ['total_bytes', 'total_bytes'], [0, 0]],
])('the shared beginnings of %s', (_what, names, expected) => {
  const shared = sharedStarts(names);
  expect(names.map((name) => shared.get(name))).toEqual(expected);
});

test('a shared beginning is that of another name, too', () => {
  const name = fc.string({ unit: fc.constantFrom('a', 'b', 'C', '_', '1'), minLength: 1 });
  fc.assert(
    fc.property(fc.uniqueArray(name), (names) => {
      const shared = sharedStarts(names);
      for (const one of names) {
        const start = one.slice(0, shared.get(one));
        expect(start === '' || names.some((other) => other !== one && other.startsWith(start))).toBe(true);
      }
    }),
  );
});
