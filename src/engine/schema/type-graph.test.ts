import { expect, test } from 'vitest';
import { compileSchema } from './compile.ts';
import { typeGraph } from './type-graph.ts';

const { registry } = compileSchema([
  {
    path: 'g.proto',
    content: `syntax = "proto2"; package g;
      enum Kind { NONE = 0; }
      message Leaf { optional Kind kind = 1; optional Kind other = 2; }
      message Middle { map<string, Leaf> leaves = 1; repeated Leaf list = 2; extensions 10; }
      message Top { optional Middle middle = 1; optional Leaf leaf = 2; }
      message Tree { repeated Tree children = 1; optional Leaf leaf = 2; }
      message Ping { optional Pong pong = 1; }
      message Pong { optional int32 a = 1; map<int32, Ping> pings = 2; }
      message Holder { optional Ping ping = 1; }
      extend Middle { optional Kind kind = 10; }
      service S { rpc Call (Top) returns (stream Tree); }`,
  },
]);
const graph = typeGraph(registry);
const message = (name: string) => registry.messages.get(`g.${name}`)!;

test.each([
  ['Leaf', 1, ['g.Kind']],
  ['Middle', 2, ['g.Leaf']],
  ['Top', 3, ['g.Middle', 'g.Leaf']],
  ['Tree', Number.POSITIVE_INFINITY, ['g.Tree', 'g.Leaf']],
  ['Ping', Number.POSITIVE_INFINITY, ['g.Pong']],
  ['Pong', Number.POSITIVE_INFINITY, ['g.Ping']],
  ['Holder', Number.POSITIVE_INFINITY, ['g.Ping']],
])('%s nests %s deep and uses %s', (name, depth, uses) => {
  expect(graph.depth(message(name))).toBe(depth);
  expect(graph.uses(message(name))).toEqual(uses);
});

test('a type is used by fields, maps, extensions and methods', () => {
  const usesOf = (type: Parameters<typeof graph.usedBy>[0]) =>
    graph.usedBy(type).map(({ role, by, owner }) => `${role} ${by} of ${owner}`);
  expect(usesOf(registry.enums.get('g.Kind')!)).toEqual([
    'field g.Leaf.kind of g.Leaf',
    'field g.Leaf.other of g.Leaf',
    'extension g.kind of g.Middle',
  ]);
  expect(usesOf(message('Leaf'))).toEqual([
    'field g.Middle.leaves of g.Middle',
    'field g.Middle.list of g.Middle',
    'field g.Top.leaf of g.Top',
    'field g.Tree.leaf of g.Tree',
  ]);
  expect(usesOf(message('Middle'))).toEqual(['field g.Top.middle of g.Top', 'extendee g.kind of g.Middle']);
  expect(usesOf(message('Top'))).toEqual(['input g.S.Call of g.S']);
  expect(usesOf(message('Tree'))).toEqual(['field g.Tree.children of g.Tree', 'output g.S.Call of g.S']);
  expect(usesOf(message('Holder'))).toEqual([]);
});

test('a recursive message reports its cycle', () => {
  expect(graph.cycle(message('Tree'))).toEqual(['g.Tree.children']);
  expect(graph.cycle(message('Ping'))).toEqual(['g.Ping.pong', 'g.Pong.pings']);
  expect(graph.cycle(message('Pong'))).toEqual(['g.Pong.pings', 'g.Ping.pong']);
  expect(graph.cycle(message('Holder'))).toBeUndefined();
});

test('a chain of many thousand messages does not use the stack', () => {
  const links = Array.from({ length: 20_000 }, (_, i) => `message M${i} { M${i + 1} next = 1; }`);
  const content = `syntax = "proto3"; ${links.join('\n')} message M20000 {}`;
  const long = compileSchema([{ path: 'long.proto', content }]).registry;
  expect(typeGraph(long).depth(long.messages.get('M0')!)).toBe(20_001);
});
