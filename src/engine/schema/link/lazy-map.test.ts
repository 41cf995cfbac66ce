import { expect, test } from 'vitest';
import { LazyMap } from './lazy-map.ts';

interface Made {
  readonly made: string;
}
interface Source {
  readonly names: readonly string[];
}

function mapOf(...sources: readonly (readonly string[])[]) {
  const made: string[] = [];
  const map = new LazyMap<Made, Source>(
    (entry): entry is Source => 'names' in entry,
    ({ names }) => {
      for (const name of names) {
        made.push(name);
        map.set(name, { made: name });
      }
    },
  );
  for (const names of sources) for (const name of names) map.set(name, { names });
  return { map, made };
}

test('`has` creates no value', () => {
  const { map, made } = mapOf(['a', 'b'], ['c']);
  expect([map.has('a'), map.has('x'), map.size, [...map.keys()]]).toEqual([true, false, 3, ['a', 'b', 'c']]);
  expect(made).toEqual([]);
});

test('`get` creates all values of the same source, once', () => {
  const { map, made } = mapOf(['a', 'b'], ['c']);
  expect(map.get('x')).toBeUndefined();
  const first = map.get('a');
  expect([first, map.get('a') === first, map.get('b')]).toEqual([{ made: 'a' }, true, { made: 'b' }]);
  expect(made).toEqual(['a', 'b']);
});

test('iteration creates all values, in the order of their names', () => {
  const { map } = mapOf(['a', 'b'], ['c']);
  expect([...map.values()].map(({ made }) => made)).toEqual(['a', 'b', 'c']);
  expect([...map].map(([name]) => name)).toEqual(['a', 'b', 'c']);
  const seen: string[] = [];
  map.forEach(({ made }, name) => void seen.push(name + made));
  expect(seen).toEqual(['aa', 'bb', 'cc']);
});
