import { describe, expect, test } from 'vitest';
import type { IcicleNode } from '#charts/icicle-geometry.ts';
import { Ledgers } from '#engine/cost/type-profiler.ts';
import { typeCosts } from '#engine/explore/type-costs.ts';
import { inspect } from '#engine/inspect/inspect.ts';
import { deriveLayouts } from '#engine/native/derive.ts';
import { NATIVE_PROFILES } from '#engine/native/profiles.ts';
import { compileSchema } from '#engine/schema/compile.ts';
import { runToEnd } from '#engine/schema/steps.ts';
import { costTree, declaredCosts, measuredCosts, packageAt } from './cost-tree.ts';
import { typeExamples } from './type-examples.ts';

const { registry } = compileSchema([
  {
    path: 't.proto',
    content: `syntax = "proto3"; package t;
      message Pair { Item left = 1; Item right = 2; message Inside { int32 a = 1; } }
      message Item { optional int64 size = 1; string name = 2; Item inner = 3; }`,
  },
  { path: 'u.proto', content: 'syntax = "proto3"; message Bare { bool is = 1; }' },
]);
/** Pair { left { size: 1 } right { size: 2 name: "ab" inner { size: 3 } } } */
const PAIR = Uint8Array.from([0x0a, 2, 0x08, 1, 0x12, 10, 0x08, 2, 0x12, 2, 0x61, 0x62, 0x1a, 2, 0x08, 3]);

const type = registry.messages.get('t.Pair')!;
const ledgers = new Ledgers(type, NATIVE_PROFILES[0]!);
ledgers.add(PAIR);
const profile = ledgers.profile();
const known = runToEnd(typeCosts(registry, () => true))!;

const lines = (node: IcicleNode, depth = 0): string =>
  `${' '.repeat(depth)}${node.name} ${node.bytes}\n${node.children.map((child) => lines(child, depth + 1)).join('')}`;

describe('types by package, with nested types', () => {
  test('as declared', () => {
    expect(lines(costTree(declaredCosts(known), known))).toBe(
      'all types 15\n t 13\n  Pair 6\n   Inside 2\n  Item 7\n no package 2\n  Bare 2\n',
    );
  });

  test('as measured, with every byte of the message once', () => {
    const tree = costTree(measuredCosts([profile]), known);
    expect(lines(tree)).toBe('all types 16\n t 16\n  Pair 4\n  Item 12\n');
    expect(tree.bytes).toBe(PAIR.length);
  });

  test('a type of another schema is in the package that its name begins with', () => {
    const tree = costTree([{ fullName: 'x.y.Z', own: [{ category: 'tag', bytes: 3 }] }], known);
    expect(packageAt(tree.children[0]!.path)).toBe('x.y');
    expect(tree.bytes).toBe(3);
  });
});

describe('examples of a type in a message', () => {
  const layoutOf = deriveLayouts(NATIVE_PROFILES[0]!);
  const inspection = { ...inspect(PAIR, { type, layoutOf }), ordinal: 0, group: '', type: 't.Pair' } as never;

  test('the whole message', () => {
    expect(typeExamples(inspection, profile, 't.Pair')).toMatchObject([
      { row: 0, start: 0, end: 16, fields: [{ name: 'left' }, { name: 'right' }], more: 0 },
    ]);
  });

  test('a type in several places, each with its values', () => {
    const examples = typeExamples(inspection, profile, 't.Item');
    expect(examples.map(({ start, end }) => [start, end])).toEqual([
      [0, 4],
      [4, 16],
      [12, 16],
    ]);
    expect(examples[0]!.fields).toMatchObject([{ name: 'size', value: '1', bytes: 2 }]);
    expect(examples[1]!.fields).toMatchObject([{ value: '2' }, { value: '"ab"' }, { name: 'inner' }]);
  });

  test('no examples of a type that does not occur', () => {
    expect(typeExamples(inspection, profile, 'Bare')).toEqual([]);
  });
});
