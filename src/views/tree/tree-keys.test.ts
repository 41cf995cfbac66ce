import { expect, test } from 'vitest';
import { treeMove } from './tree-keys.ts';

const ROWS = [
  { depth: 0, state: 'open' },
  { depth: 1, state: 'leaf' },
  { depth: 1, state: 'folded' },
  { depth: 0, state: 'leaf' },
] as const;

test.each([
  ['down', 'ArrowDown', 1, { kind: 'go', index: 2 }],
  ['down at the end stays', 'ArrowDown', 3, { kind: 'go', index: 3 }],
  ['up', 'ArrowUp', 1, { kind: 'go', index: 0 }],
  ['a page stops at the end', 'PageDown', 1, { kind: 'go', index: 3 }],
  ['a page up', 'PageUp', 3, { kind: 'go', index: 0 }],
  ['home', 'Home', 3, { kind: 'go', index: 0 }],
  ['end', 'End', 0, { kind: 'go', index: 3 }],
  ['right opens', 'ArrowRight', 2, { kind: 'open', index: 2 }],
  ['right enters', 'ArrowRight', 0, { kind: 'go', index: 1 }],
  ['right on a leaf', 'ArrowRight', 1, null],
  ['left folds', 'ArrowLeft', 0, { kind: 'fold', index: 0 }],
  ['left leaves', 'ArrowLeft', 2, { kind: 'go', index: 0 }],
  ['left at the top', 'ArrowLeft', 3, null],
  ['nothing active yet', 'ArrowDown', -1, { kind: 'go', index: 0 }],
  ['a letter', 'x', 0, null],
])('%s', (_, key, index, move) => {
  expect(treeMove(key, ROWS, index, 3)).toEqual(move);
});

test('an empty tree', () => {
  expect(treeMove('ArrowDown', [], -1, 3)).toBeNull();
});
