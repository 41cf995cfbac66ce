import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { FieldProfile, LedgerCells } from '#engine/cost/profile.ts';
import { breakEven, costAt, describeBreakEven, layOutBreakEven, valuesDiffer } from './break-even-geometry.ts';

const PAIR = ['protobuf', 'opensearch'] as const;

/** A field of 1,000 parents; values that a row leaves out are 0. */
function field(given: {
  readonly kind?: string;
  readonly writer: string | null;
  readonly presence: number;
  readonly protobuf?: LedgerCells;
  readonly native?: LedgerCells;
  readonly absent?: number;
  readonly number?: number;
}): FieldProfile {
  const { kind = 'int64', writer, presence, absent = 0, number = 4 } = given;
  return {
    path: 'f',
    parent: '',
    name: 'f',
    number,
    declared: {
      fullName: 'a.Message.f',
      type: kind,
      kind,
      cardinality: 'singular',
      presence: 'explicit',
      packed: false,
    },
    writer,
    occurrences: presence,
    elements: presence,
    packedRuns: 0,
    parents: 1000,
    presence,
    ledgers: { protobuf: given.protobuf ?? {}, opensearch: given.native ?? {} },
    absent,
    names: {},
    widths: { tag: [], length: null, value: null },
    size: { min: 0, max: 0 },
    waste: { overlong: 0, negative: 0, defaults: 0 },
    utf16: 0,
    writers: [],
    types: [],
  };
}

const words = (text: string) => text.replaceAll('\u00a0', ' ');

describe('breakEven', () => {
  test.each([
    [
      'a flag against a one-byte tag',
      field({ writer: 'optional Int', presence: 400, protobuf: { tag: 400 }, native: { flag: 1000, value: 1600 } }),
      { protobuf: [0, 1], native: [1, 1], crossing: 1, assumed: [] },
      'Both cost the same when always present; protobuf is smaller if the field is sometimes absent.',
    ],
    [
      'a flag against a two-byte tag',
      field({ writer: 'optional Int', presence: 400, protobuf: { tag: 800 }, native: { flag: 1000 }, number: 16 }),
      { protobuf: [0, 2], native: [1, 1], crossing: 0.5, assumed: [] },
      'Protobuf is smaller below 50.0 % presence, native above.',
    ],
    [
      'a mandatory native field that is always there: the default is not seen, but known',
      field({ writer: 'Long', presence: 1000, protobuf: { tag: 1000, value: 10000 }, native: { value: 8000 } }),
      { protobuf: [0, 1], native: [8, 0], crossing: 8 / 9, assumed: ['absent'] },
      'Protobuf is smaller below 88.9 % presence, native above.',
    ],
    [
      'a default seen in half of the parents',
      field({ writer: 'VLong', presence: 500, protobuf: { tag: 500 }, native: { value: 1000 }, absent: 500 }),
      { protobuf: [0, 1], native: [1, 0], crossing: 0.5, assumed: [] },
      'Protobuf is smaller below 50.0 % presence, native above.',
    ],
    [
      'a field that never occurs: tag and length from its number and type',
      field({ writer: 'optional String', kind: 'string', presence: 0, native: { flag: 1000 }, number: 16 }),
      { protobuf: [0, 3], native: [1, 2], crossing: 0.5, assumed: ['record'] },
      'Protobuf is smaller below 50.0 % presence, native above.',
    ],
    [
      'a text whose absence is a length prefix',
      field({
        writer: 'Text, length −1 if absent',
        kind: 'string',
        presence: 500,
        protobuf: { tag: 500, length: 500, value: 5000 },
        native: { length: 4000, value: 5000 },
        absent: 2000,
      }),
      { protobuf: [0, 2], native: [4, 4], crossing: null, assumed: [] },
      'Protobuf is smaller at any presence.',
    ],
  ])('%s', (_, given, expected, rule) => {
    const even = breakEven(given, PAIR, 'overhead')!;
    const { observed, ...lines } = even;
    expect(lines).toEqual(expected);
    expect(observed).toBe(given.presence / 1000);
    expect(words(describeBreakEven(even).rule)).toBe(rule);
  });

  test('is empty without parents or without a native writer', () => {
    expect(breakEven({ ...field({ writer: 'Long', presence: 0 }), parents: 0 }, PAIR, 'all')).toBeNull();
    expect(breakEven(field({ writer: null, presence: 3 }), PAIR, 'all')).toBeNull();
  });

  test('with values, the observed point is the cost of the field', () => {
    const bytes = fc.nat(5000);
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1000 }),
        bytes,
        bytes,
        bytes,
        bytes,
        (presence, tag, value, flag, extra) => {
          const absent = presence === 1000 ? 0 : extra;
          const native = { flag, value: value + absent };
          const even = breakEven(
            field({ writer: 'Long', presence, protobuf: { tag, value }, native, absent }),
            PAIR,
            'all',
          )!;
          expect(costAt(even.protobuf, even.observed) * 1000).toBeCloseTo(tag + value, 4);
          expect(costAt(even.native, even.observed) * 1000).toBeCloseTo(flag + value + absent, 4);
          if (even.crossing !== null) {
            expect(costAt(even.protobuf, even.crossing)).toBeCloseTo(costAt(even.native, even.crossing), 6);
          }
        },
      ),
      { numRuns: 1000 },
    );
  });
});

test('values that take ten bytes against eight are counted', () => {
  const version = field({
    writer: 'Long',
    presence: 1000,
    protobuf: { tag: 1000, value: 10000 },
    native: { value: 8000 },
  });
  const score = field({
    writer: 'Float',
    presence: 1000,
    protobuf: { tag: 1000, value: 4000 },
    native: { value: 4000 },
  });
  expect([valuesDiffer(version, PAIR), valuesDiffer(score, PAIR)]).toEqual([true, false]);
});

test('the cost at the observed presence, in words', () => {
  const even = breakEven(
    field({ writer: 'optional Int', presence: 400, protobuf: { tag: 400 }, native: { flag: 1000 } }),
    PAIR,
    'overhead',
  )!;
  expect(words(describeBreakEven(even).here)).toBe(
    'Here, at 40.0 %, a parent message costs 0.4 in protobuf and 1 in native: protobuf saves 0.6.',
  );
});

test('labels of lines with the same end do not overlap', () => {
  const even = breakEven(
    field({ writer: 'optional Int', presence: 400, protobuf: { tag: 400 }, native: { flag: 1000 } }),
    PAIR,
    'overhead',
  )!;
  const { protobuf, native, areas } = layOutBreakEven(even, { width: 400, height: 200 });
  expect(Math.abs(protobuf.labelY - native.labelY)).toBeGreaterThanOrEqual(14);
  expect(areas.map(({ smaller }) => smaller)).toEqual(['protobuf']);
});
