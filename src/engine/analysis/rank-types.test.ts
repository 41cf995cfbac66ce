import { describe, expect, test } from 'vitest';
import { compileSchema } from '../schema/compile.ts';
import { clearWinner, explainRank, rankTypes, TypeRanking } from './rank-types.ts';

const { registry } = compileSchema([
  {
    path: 'a.proto',
    content: `syntax = "proto3"; package a;
      message Point { int64 x = 1; string name = 2; }
      message Opaque { int64 x = 1; bytes name = 2; }
      message Narrow { int64 x = 1; }
      message Mistyped { string x = 1; string name = 2; }`,
  },
]);
const bytes = (hex: string): Uint8Array => new Uint8Array(Buffer.from(hex.replaceAll(' ', ''), 'hex'));
/** x = 5, name = "hi" */
const POINT = bytes('08 05 12 02 68 69');
/** x = 5, name = "\x00\x01" */
const CONTROL = bytes('08 05 12 02 00 01');
/** x = 5, name cut short */
const CUT = bytes('08 05 12 09 68 69');

const ranked = (...messages: readonly Uint8Array[]) =>
  rankTypes(registry, messages).map((one) => [one.type.name, one.score.toFixed(2), explainRank(one)]);

describe('types are ranked', () => {
  test.each([
    [
      'by how much they explain',
      [POINT],
      [
        ['Point', '1.00', 'a field for every byte'],
        ['Opaque', '0.93', 'a field for every byte'],
        ['Mistyped', '0.67', '1 wire type that does not fit'],
        ['Narrow', '0.33', '1 unknown field'],
      ],
    ],
    ['by what strings look like', [CONTROL], [['Opaque', '0.93', 'a field for every byte']]],
    ['by all messages', [POINT, CUT], [['Point', '0.67', '1 record that is no protobuf']]],
  ])('%s', (_name, messages, first) => {
    expect(ranked(...messages).slice(0, first.length)).toEqual(first);
  });

  test('on messages beyond the trial too', () => {
    const ranking = new TypeRanking(registry);
    for (let i = 0; i < 20; i++) ranking.add(POINT);
    for (let i = 0; i < 200; i++) ranking.add(CONTROL);
    expect(ranking.messages).toBe(220);
    expect(ranking.ranked()[0]?.type.name).toBe('Opaque');
    expect(ranking.ranked().find(({ type }) => type.name === 'Point')?.doubts.control).toBe(200);
  });

  test('and only those that are offered', () => {
    const offered = rankTypes(registry, [POINT], ({ name }) => name === 'Narrow');
    expect(offered.map(({ type }) => type.name)).toEqual(['Narrow']);
    expect(clearWinner(offered)).toBeUndefined();
  });
});

describe('one type is taken without asking', () => {
  const standing = ([score, rows]: readonly [score: number, rows: number]) => ({
    type: registry.messages.get('a.Point')!,
    score,
    share: score,
    rows,
    doubts: { unknown: 0, mismatched: 0, malformed: 0, control: 0 },
  });

  test.each([
    ['where there is no other', [[1, 2]], 0],
    ['which explains half at least', [[0.49, 2]], undefined],
    [
      'where the others explain clearly less',
      [
        [1, 2],
        [0.9, 2],
      ],
      0,
    ],
    [
      'not where another explains as much',
      [
        [1, 2],
        [1, 2],
      ],
      undefined,
    ],
    [
      'unless it sees more in the same bytes',
      [
        [1, 3],
        [1, 2],
      ],
      0,
    ],
    [
      'not where another explains almost as much',
      [
        [1, 2],
        [0.99, 2],
      ],
      undefined,
    ],
    ['and none of none', [], undefined],
  ] as const)('%s', (_name, standings, index) => {
    const all = standings.map(standing);
    expect(clearWinner(all)).toBe(index === undefined ? undefined : all[index]);
  });
});
