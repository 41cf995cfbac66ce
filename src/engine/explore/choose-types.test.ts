import { expect, test } from 'vitest';
import { chooseTypes } from './choose-types.ts';

const type = (fullName: string, nested = false) => ({ fullName, nested });
const types = [type('a.Beta'), type('a.Alpha'), type('a.Alpha.Inner', true), type('b.SubAlpha'), type('alpha.Gamma')];
const names = (query: string, ranked: readonly string[] = [], used: string | null = null) => {
  const ranking = ranked.map((name, index) => ({ type: name, score: 1 - index / 10, reason: '' }));
  return chooseTypes(types, { ranking, used, query }).map(({ type: { fullName } }) => fullName);
};

test('the type in use comes directly after the ranked ones', () => {
  expect(names('', ['alpha.Gamma'], 'a.Alpha.Inner').slice(0, 2)).toEqual(['alpha.Gamma', 'a.Alpha.Inner']);
  expect(names('', ['alpha.Gamma', 'a.Beta'], 'a.Beta').slice(0, 2)).toEqual(['alpha.Gamma', 'a.Beta']);
});

test.each([
  [
    'everything by name, nested types last',
    '',
    [],
    ['a.Alpha', 'a.Beta', 'alpha.Gamma', 'b.SubAlpha', 'a.Alpha.Inner'],
  ],
  [
    'the ranked first',
    '',
    ['alpha.Gamma', 'a.Beta'],
    ['alpha.Gamma', 'a.Beta', 'a.Alpha', 'b.SubAlpha', 'a.Alpha.Inner'],
  ],
  [
    'names that begin with it, then hold it, then scopes',
    'alpha',
    [],
    ['a.Alpha', 'b.SubAlpha', 'alpha.Gamma', 'a.Alpha.Inner'],
  ],
  ['several words, each somewhere', 'a. inn', [], ['a.Alpha.Inner']],
  ['nothing', 'zeta', [], []],
] as const)('%s', (_, query, ranking, expected) => {
  expect(names(query, ranking)).toEqual(expected);
});
