/** Random shared analyses of every kind, with profiles whose figures add up. */
import fc from 'fast-check';
import { bytesIn, type FieldProfile, type LedgerTotals, type Profile, sumCells } from '#engine/cost/profile.ts';
import { EXCERPT_COLUMNS } from '#engine/inspect/excerpt.ts';
import { CATEGORIES, type Encoding } from '#engine/model/annotation.ts';
import type { Shared, SharedData, SharedView } from '#permalink/shared.ts';

const name = fc.oneof(
  fc.constantFrom('id', 'timeseries', 'bytes', 'c', 'o', '__proto__', '[ext.full.name]', '?7'),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
);
const count = fc.oneof(fc.nat({ max: 3 }), fc.nat({ max: 100_000 }), fc.constant(2 ** 40));
const widths = fc.array(count, { minLength: 10, maxLength: 10 });
const nullable = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null });
const bytes = fc.uint8Array({ maxLength: 60 });

const field = fc.record({
  name,
  above: fc.nat({ max: 20 }),
  number: count,
  declared: nullable(
    fc.record({
      fullName: name,
      type: name,
      kind: name,
      cardinality: fc.constantFrom('singular', 'repeated', 'map'),
      presence: fc.constantFrom('explicit', 'implicit', 'required', 'none'),
      packed: fc.boolean(),
    }),
  ),
  writer: nullable(name),
  occurrences: count,
  elements: count,
  packedRuns: count,
  parents: count,
  presence: count,
  cells: fc.array(fc.record({ tag: count, length: count, value: count }, { requiredKeys: [] }), {
    minLength: 4,
    maxLength: 4,
  }),
  absent: count,
  names: fc.record({ protobuf: count, opensearch: count }, { requiredKeys: [] }),
  utf16: count,
  widths: fc.record({ tag: widths, length: nullable(widths), value: nullable(widths) }),
  size: fc.record({ min: count, max: count }),
  waste: fc.record({ overlong: count, negative: count, defaults: count }),
  writers: fc.array(fc.record({ writer: fc.constantFrom('INT', 'ZLONG'), bytes: count }), { maxLength: 3 }),
  types: fc.array(fc.record({ type: fc.constantFrom('int32', 'sint64'), bytes: count }), { maxLength: 3 }),
});

const arbitraryTotals = fc.record({
  label: name,
  losses: fc.array(name, { maxLength: 2 }),
  own: fc.dictionary(
    fc.constantFrom('', 'hits', 'hits.id'),
    fc.record({ key: count, value: count, punctuation: count }, { requiredKeys: [] }),
    { maxKeys: 3 },
  ),
});

const arbitraryProfile: fc.Arbitrary<Profile> = fc
  .record({
    type: name,
    other: nullable(fc.constantFrom('opensearch', 'json')),
    messages: count,
    header: nullable(fc.record({ protobuf: count, opensearch: count })),
    unattributed: count,
    contents: nullable(
      fc.array(fc.record({ field: name, type: name, count, packed: count, native: count, protobuf: count }), {
        minLength: 1,
        maxLength: 2,
      }),
    ),
    totals: fc.array(arbitraryTotals, { minLength: 4, maxLength: 4 }),
    more: fc.subarray(['msgpack-named', 'bson']),
    fields: fc.array(field, { maxLength: 8 }),
  })
  .map(({ fields, other, totals, more, contents, ...rest }) => {
    const ids = ['protobuf', ...(other === null ? [] : [other]), ...more];
    const placed = new Map<string, FieldProfile>();
    for (const { above, cells, ...field } of fields) {
      const paths = ['', ...placed.keys()];
      const parent = paths[above % paths.length]!;
      const path = parent === '' ? field.name : `${parent}.${field.name}`;
      const ledgers = Object.fromEntries(ids.map((id, at) => [id, cells[at]!]));
      if (path !== '' && !placed.has(path)) placed.set(path, { path, parent, ...field, ledgers } as FieldProfile);
    }
    const all = [...placed.values()];
    const ledgers = ids.map((id, at): [string, LedgerTotals] => {
      const own = Object.values(totals[at]!.own).reduce((sum, cells) => sum + sumCells(cells), 0);
      const bytes = all.reduce((sum, each) => sum + bytesIn(each, id), own);
      return [id, { ...totals[at]!, bytes, refused: null }];
    });
    const inside = contents === null ? {} : { contents };
    return { ...rest, ...inside, pair: ['protobuf', other], ledgers: Object.fromEntries(ledgers), fields: all };
  });

const key = fc.oneof(
  fc.string({ minLength: 1, maxLength: 8 }).map((text) => `a.${text}`),
  fc.constantFrom('constructor', 'prototype', '__proto__'),
);
const pair = fc.tuple(count, count);

const scope = fc.record({
  text: name,
  name,
  flow: nullable(name),
  minBytes: nullable(count),
  maxBytes: nullable(count),
  time: nullable(fc.tuple(fc.double({ noNaN: true, noDefaultInfinity: true, min: 0 }), count)),
  groups: fc.array(name, { maxLength: 2 }),
  ordinals: fc.array(pair, { maxLength: 2 }),
});

const view: fc.Arbitrary<SharedView> = fc.record({
  type: nullable(name),
  types: fc.dictionary(key, nullable(name), { maxKeys: 2 }),
  scope,
  shown: nullable(name),
  question: nullable(name),
  root: nullable(name),
  pair: fc.record({
    by: name,
    unit: name,
    aligned: fc.dictionary(key, name, { maxKeys: 2 }),
    after: fc.array(name, { maxLength: 2 }),
  }),
  nativeProfile: nullable(name),
  overrides: fc.dictionary(key, name, { maxKeys: 3 }),
  selection: fc.record({
    path: nullable(name),
    ordinal: count,
    row: nullable(fc.record({ encoding: fc.constantFrom('protobuf', 'native'), path: name, occurrence: count })),
  }),
  cause: nullable(name),
  table: nullable(
    fc.record({
      sort: nullable(fc.record({ column: name, descending: fc.boolean() })),
      filter: name,
      flat: fc.boolean(),
      expanded: fc.array(name, { maxLength: 4 }),
    }),
  ),
  changes: fc.array(fc.dictionary(key, fc.oneof(name, fc.integer(), fc.boolean(), fc.array(name, { maxLength: 2 }))), {
    maxLength: 2,
  }),
  compressor: nullable(name),
  panel: name,
  messageForm: name,
  paid: nullable(name),
  drawn: name,
  matrix: nullable(
    fc.record(
      {
        per: nullable(fc.constantFrom('message', 'request', 'joined')),
        by: nullable(name),
        level: nullable(count),
        against: nullable(name),
        isAll: fc.boolean(),
      },
      { requiredKeys: ['per', 'level', 'against', 'isAll'] },
    ),
  ),
});

const reading = { textEncoding: nullable(name), framing: nullable(name) };
const schema = fc.array(fc.record({ path: name, content: fc.oneof(name, bytes) }), { maxLength: 3 });
const compressed = nullable(
  fc.record({
    codecs: fc.array(fc.record({ codec: name, protobuf: count, native: count }), { maxLength: 2 }),
    messages: count,
    outOf: count,
    protobuf: count,
    native: count,
  }),
);

const side = (encoding: Encoding) =>
  fc
    .record({
      line: fc.nat({ max: 1000 }),
      segments: fc.array(
        fc.record({
          category: fc.constantFrom(...CATEGORIES),
          bytes: fc.uint8Array({ minLength: 1, maxLength: 20 }),
          path: name,
          words: name,
        }),
        { maxLength: 6 },
      ),
      after: fc.nat({ max: 40 }),
      lit: nullable(fc.tuple(fc.nat({ max: 1000 }), fc.nat({ max: 1000 }))),
    })
    .map(({ line, segments, after, lit }) => {
      const start = line * EXCERPT_COLUMNS;
      const all = Uint8Array.from(segments.flatMap(({ bytes: own }) => [...own]));
      const size = start + all.length + after;
      const [from, to] = lit === null ? [0, 0] : [lit[0] % (size + 1), lit[1] % (size + 1)];
      return {
        encoding,
        size,
        start,
        bytes: all,
        segments: segments.map(({ bytes: own, ...segment }) => ({ ...segment, bytes: own.length })),
        lit: from < to ? [from, to] : null,
      };
    });

const arbitraryExcerpt = fc.record({
  ordinal: count,
  path: name,
  sides: fc.oneof(fc.tuple(side('protobuf')), fc.tuple(side('protobuf'), side('native'))),
});

const sizes = fc.dictionary(key, count, { maxKeys: 3 });
const arbitraryMatrix = fc.record({
  sizes: fc.record({
    type: name,
    messages: count,
    captured: name,
    per: fc.constantFrom('message', 'request', 'joined'),
    sampled: nullable(fc.record({ messages: count, bytes: count })),
    capturedWith: sizes,
    compressors: fc.array(fc.record({ id: name, label: name, library: name, version: name, parameters: name }), {
      maxLength: 2,
    }),
    rows: fc.array(
      fc.record({
        id: name,
        label: name,
        bytes: nullable(count),
        compressed: sizes,
        refused: nullable(name),
        losses: fc.array(name, { maxLength: 2 }),
        errors: fc.dictionary(key, fc.double({ noNaN: true, noDefaultInfinity: true, min: 0 }), { maxKeys: 3 }),
      }),
      { maxLength: 3 },
    ),
  }),
  by: nullable(name),
});

const bitAmounts = fc.dictionary(
  fc.constantFrom(...CATEGORIES),
  fc.nat({ max: 8000 }).map((bits) => bits / 8),
  { maxKeys: 3 },
);
const arbitraryBits = fc.record({
  by: fc.oneof(
    fc.record({ kind: fc.constant('captured') }),
    fc.record({ kind: fc.constant('encoder'), label: name, library: name, version: name }),
  ),
  formats: fc.array(name, { maxLength: 2 }),
  streams: count,
  messages: count,
  outOf: count,
  plainBytes: count,
  compressedBytes: count,
  container: fc.dictionary(key, count, { maxKeys: 2 }),
  fields: fc.array(fc.record({ path: name, bytes: bitAmounts, paid: bitAmounts, shared: bitAmounts }), {
    maxLength: 3,
  }),
});

const data = fc.oneof(
  fc.record({ kind: fc.constant('sample'), id: name }),
  fc.record({
    kind: fc.constant('profile'),
    profile: arbitraryProfile,
    compressed,
    layers: nullable(fc.dictionary(fc.constantFrom('tcp', 'message', 'of another version'), count)),
    excerpt: nullable(arbitraryExcerpt),
    matrix: nullable(arbitraryMatrix),
    bits: nullable(arbitraryBits),
  }),
  fc.record({ kind: fc.constant('shape'), payload: bytes, ...reading, schema, compressed }),
  fc.record({ kind: fc.constant('inline'), payload: bytes, ...reading, schema }),
  fc.record({ kind: fc.constant('inline'), payload: bytes, ...reading, schema, otherSchema: schema }),
  fc.record({ kind: fc.constant('address'), address: name, ...reading, schema }),
) as fc.Arbitrary<SharedData>;

const amounts = fc.tuple(count, count).map(([a, b]) => [Math.max(a, b), Math.min(a, b)] as const);
const coverage = fc.tuple(amounts, amounts).map(([[all, some], [bytes, few]]) => ({
  all: { messages: all, bytes },
  explained: { messages: some, bytes: few },
}));
const losses = fc.array(
  fc.record({
    packets: count,
    cut: nullable(fc.record({ count, bytes: count, kept: count, first: count, last: count })),
    missing: nullable(fc.record({ gaps: count, bytes: count, connections: count, flow: name })),
  }),
  { maxLength: 2 },
);

const baseline = fc.record(
  {
    name,
    profile: arbitraryProfile,
    captured: count,
    bits: fc.dictionary(key, fc.record({ a: nullable(arbitraryBits), b: nullable(arbitraryBits) }), { maxKeys: 2 }),
  },
  { requiredKeys: ['name', 'profile'] },
) as fc.Arbitrary<NonNullable<Shared['baseline']>>;

export const arbitraryShared: fc.Arbitrary<Shared> = fc.record(
  {
    source: fc.record(
      {
        ...{ name, messages: count, size: count, coverage: nullable(coverage), losses, captured: count },
        notes: fc.record(
          {
            beside: fc.record({ framing: name, framingBytes: count, unattributedBytes: count }),
            contradicted: name,
            mixed: fc.array(name, { maxLength: 3 }),
            isTouched: fc.constant(true as const),
          },
          { requiredKeys: [] },
        ),
      },
      { requiredKeys: ['name', 'messages', 'size', 'coverage', 'losses'] },
    ),
    made: fc.record({ date: fc.constantFrom('2026-11-21', '2027-02-28'), by: name }),
    view,
    data,
    baseline,
  },
  { requiredKeys: ['source', 'made', 'view', 'data'] },
);
