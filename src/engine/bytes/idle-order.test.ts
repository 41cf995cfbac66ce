/** The order is that of a set from which a used item is removed, and to which it is added again. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { IdleOrder, type Ordered } from './idle-order.ts';

interface Item extends Ordered<Item> {
  readonly name: number;
}

function namesIn(order: IdleOrder<Item>): readonly number[] {
  const names: number[] = [];
  for (let item = order.first; item !== null; item = item.after) names.push(item.name);
  return names;
}

test('items that are added, used and removed in any order', () => {
  const step = fc.tuple(fc.constantFrom('use', 'remove'), fc.nat(6));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const items = Array.from({ length: 7 }, (_, name): Item => ({ name, before: null, after: null }));
      const order = new IdleOrder<Item>();
      const expected = new Set<number>();
      for (const [what, name] of steps) {
        const isIn = expected.delete(name);
        if (what === 'use') {
          expected.add(name);
          if (isIn) order.use(items[name]!);
          else order.add(items[name]!);
        } else if (isIn) order.remove(items[name]!);
        expect(namesIn(order)).toEqual([...expected]);
        expect(order.size).toBe(expected.size);
      }
    }),
  );
});
