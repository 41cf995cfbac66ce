import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FieldLists } from './field-lists.ts';

test('field lists are as a Map, with few names and with many', () => {
  const step = fc.record({ name: fc.integer({ min: 0, max: 25 }).map(String), isSet: fc.boolean(), value: fc.nat() });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 120 }), fc.nat(20), (steps, start) => {
      const map = new Map(Array.from({ length: start }, (_, at) => [String(at), [at]]));
      const lists = new FieldLists(map);
      for (const { name, isSet, value } of steps) {
        if (isSet) {
          map.set(name, [value]);
          lists.set(name, [value]);
        } else {
          map.delete(name);
          lists.delete(name);
        }
        expect(lists.get(name)).toEqual(map.get(name));
      }
      expect([...lists]).toEqual([...map]);
      expect([...lists.keys()]).toEqual([...map.keys()]);
      expect([...lists.values()]).toEqual([...map.values()]);
      expect(lists.size).toBe(map.size);
    }),
  );
});

test('an entry that is added or removed while the lists are read does not disturb the reader', () => {
  const lists = new FieldLists(
    new Map([
      ['a', [1]],
      ['b', [2]],
      ['c', [3]],
    ]),
  );
  const seen: string[] = [];
  for (const [name] of lists) {
    seen.push(name);
    lists.delete(name);
    lists.set(`new ${name}`, []);
  }
  expect(seen).toEqual(['a', 'b', 'c']);
});
