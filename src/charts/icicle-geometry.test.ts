import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cellAt, findNode, type IcicleNode, layOutIcicle } from './icicle-geometry.ts';

const node = (path: string, own: number, children: readonly IcicleNode[] = []): IcicleNode => ({
  path,
  name: path.slice(path.lastIndexOf('.') + 1),
  bytes: children.reduce((sum, { bytes }) => sum + bytes, own),
  own: [
    { category: 'tag', bytes: own - (own >> 1) },
    { category: 'value', bytes: own >> 1 },
  ],
  children,
});

const tree = node('', 0, [node('a', 10, [node('a.x', 20), node('a.y', 50)]), node('b', 20)]);

test('the width of a cell is proportional to its bytes; children are below it from the left, the largest first', () => {
  const { cells, levels } = layOutIcicle(tree, 200);
  expect(levels).toBe(3);
  expect(cells.map(({ node: of, level, x, width }) => `${of?.path} ${level} ${x}+${width}`)).toEqual([
    ' 0 0+200',
    'a 1 0+160',
    'a.y 2 0+100',
    'a.x 2 100+40',
    'b 1 160+40',
  ]);
  expect(cells[1]!.strip).toEqual([
    { category: 'tag', bytes: 5, x: 140, width: 10 },
    { category: 'value', bytes: 5, x: 150, width: 10 },
  ]);
});

test('narrow cells are drawn as one, as wide as their bytes', () => {
  const many = node('', 0, [node('big', 900), ...Array.from({ length: 100 }, (_, at) => node(`f${at}`, 1))]);
  const rest = layOutIcicle(many, 500).cells.find((cell) => cell.node === null)!;
  expect([rest.count, rest.bytes, rest.level, rest.x, rest.width]).toEqual([100, 100, 1, 450, 50]);
});

test('a point finds its cell; a path finds its node and the ancestors', () => {
  const icicle = layOutIcicle(tree, 200);
  expect(cellAt(icicle, 120, 2)?.node?.path).toBe('a.x');
  expect(cellAt(icicle, 170, 2)).toBeUndefined();
  expect(findNode(tree, 'a.x')?.map(({ path }) => path)).toEqual(['', 'a', 'a.x']);
  expect(findNode(tree, 'a.z')).toBeUndefined();
});

const arbitraryTree = fc.letrec<{ tree: IcicleNode; leaf: IcicleNode; branch: IcicleNode }>((tie) => ({
  tree: fc.oneof({ maxDepth: 5, withCrossShrink: true }, tie('leaf'), tie('branch')),
  leaf: fc.oneof(fc.nat(5), fc.nat(2_000_000)).map((own) => node('n', own)),
  branch: fc
    .tuple(fc.nat(1000), fc.array(tie('tree'), { minLength: 1, maxLength: 4 }))
    .map(([own, children]) => node('n', own, children)),
})).tree;

test('in any tree a byte has one length, and cells neither overlap nor leave their parent', () => {
  fc.assert(
    fc.property(arbitraryTree, fc.integer({ min: 100, max: 2000 }), (root, width) => {
      fc.pre(root.bytes > 0);
      const perByte = width / root.bytes;
      const { cells, levels } = layOutIcicle(root, width);
      for (const { bytes, width: length, x, strip } of cells) {
        expect(length).toBeCloseTo(bytes * perByte, 5);
        expect(x).toBeGreaterThanOrEqual(0);
        expect(x + length).toBeLessThanOrEqual(width + 1e-6);
        for (const part of strip) expect(part.width).toBeCloseTo(part.bytes * perByte, 5);
      }
      for (let level = 0; level < levels; level++) {
        const row = cells.filter((cell) => cell.level === level).sort((a, b) => a.x - b.x);
        row.slice(1).forEach((cell, at) => {
          expect(cell.x).toBeGreaterThanOrEqual(row[at]!.x + row[at]!.width - 1e-6);
        });
      }
      const shown = cells.filter(({ node: of }) => of !== null).flatMap(({ strip }) => strip);
      const hidden = cells.filter(({ node: of }) => of === null);
      const sum = [...shown, ...hidden].reduce((bytes, part) => bytes + part.bytes, 0);
      expect(sum).toBe(root.bytes);
    }),
    { numRuns: 400 },
  );
});
