import { expect, test } from 'vitest';
import { versionOf } from './version-of.ts';

test('newer versions come after older ones', () => {
  const inOrder = [
    'a.Row',
    'a.v1alpha.Row',
    'a.v1alpha2.Row',
    'a.v1beta1.b.Row',
    'a.v1beta2.Row',
    'a.v1.Row',
    'a.v2.Row',
    'v3.v10.Row',
  ];
  for (const [at, name] of inOrder.entries()) {
    for (const [other, than] of inOrder.entries())
      expect(Math.sign(versionOf(name) - versionOf(than))).toBe(Math.sign(at - other));
  }
});

test.each([
  ['two packages without a version', 'a.Row', 'b.Row'],
  ['two packages of one version', 'a.v1.Row', 'b.v1.Row'],
  ['a word that begins as a version does', 'a.vision.Row', 'b.v.Row'],
])('equal: %s', (_what, a, b) => expect(versionOf(a)).toBe(versionOf(b)));
