/** Drawn lengths are true: in every picture, equal lengths are equal bytes, and nothing is cut. */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { emptyLayers, LAYERS } from '#engine/capture/containers/packets-layers.ts';
import { bytesIn, type FieldProfile, type LedgerTotals, type Profile } from '#engine/cost/profile.ts';
import { ALL_FIGURES, type AnyFigureName } from './all-figures.ts';
import type { FigureSubject } from './subject.ts';

const HITS = new URL('../../fixtures/charts/opensearch-hits.profile.json', import.meta.url);
const hits: Profile = JSON.parse(readFileSync(HITS, 'utf8'));
const template = hits.fields.find(({ path }) => path === 'hits.version')!;

/** Typical sizes: none, few and many bytes, and millions beside them. */
const size = fc.oneof(fc.constant(0), fc.nat(9), fc.nat(5_000), fc.nat(40_000_000));

const field = fc
  .record({
    tag: size,
    length: size,
    value: size,
    flag: size,
    type: size,
    count: size,
    nativeLength: size,
    native: size,
  })
  .map(
    ({ tag, length, value, flag, type, count, nativeLength, native }): FieldProfile => ({
      ...template,
      parent: '',
      occurrences: Math.max(1, tag),
      ledgers: {
        protobuf: { tag, length, value },
        'laid-out': { flag, type, count, length: nativeLength, value: native },
      },
      absent: 0,
      utf16: 0,
      waste: { overlong: 0, negative: 0, defaults: 0 },
      widths: { tag: [tag], length: [length, value], value: [count, flag, 0, native, type] },
    }),
  );

const profile = fc.array(field, { minLength: 1, maxLength: 12 }).map((fields): Profile => {
  const named = fields.map((each, index) => ({ ...each, path: `f${index}`, name: `f${index}` }));
  const totals = (id: string): LedgerTotals => ({
    ...{ label: id, refused: null, losses: [], own: {} },
    bytes: named.reduce((total, each) => total + bytesIn(each, id), 0),
  });
  return {
    ...hits,
    fields: named,
    unattributed: 0,
    ledgers: { protobuf: totals('protobuf'), 'laid-out': totals('laid-out') },
  };
});

/** One encoding for every two sizes: plain, and compressed. */
const matrixOf = (taken: readonly number[]): FigureSubject['matrix'] => ({
  sizes: {
    ...{ type: 't', messages: 1, captured: 'e0', per: 'joined', sampled: null },
    compressors: [{ id: 'zstd', label: 'zstd level 3', library: 'libzstd', version: '1', parameters: '' }],
    rows: taken.flatMap((bytes, index) =>
      index % 2 === 1
        ? []
        : [
            {
              id: `e${index}`,
              label: 'x',
              bytes,
              compressed: { zstd: taken[index + 1] ?? 0 },
              refused: null,
              losses: [],
              errors: {},
            },
          ],
    ),
  },
  by: 'zstd',
});

/** The profile as A and as B, and the bits of its fields: half a byte for each of protobuf. */
function sidesOf(a: Profile): Pick<FigureSubject, 'bits' | 'pair'> {
  const fields = a.fields.map(({ path, ledgers }) => {
    const cells = ledgers['protobuf'] ?? {};
    const paid = Object.fromEntries(Object.entries(cells).map(([category, bytes]) => [category, 4 * bytes]));
    return { path, bytes: cells, paid };
  });
  const bits = {
    by: { kind: 'captured' as const },
    ...{ formats: ['zstd'], streams: 1, messages: 1, outOf: 1, fields, container: { frame_header: 8 } },
    ...{ plainBytes: a.ledgers['protobuf']!.bytes!, compressedBytes: a.ledgers['protobuf']!.bytes! / 2 + 1 },
  };
  return { bits, pair: { name: 'x', a, aligned: {}, after: [{ a: bits, b: bits }] } };
}

const subject = fc
  .tuple(
    profile,
    fc.array(size, { minLength: LAYERS.length, maxLength: LAYERS.length }),
    fc.array(size, { minLength: 2, maxLength: 20 }),
  )
  .map(([drawn, bytes, taken]): FigureSubject => {
    const layers = emptyLayers();
    LAYERS.forEach((layer, index) => {
      layers[layer] = bytes[index]!;
    });
    const from = { name: 'x', date: '2026-01-01', version: '0', coverage: null };
    const matrix = matrixOf(taken);
    return { profile: drawn, from, path: 'f0', layers, compressed: null, excerpt: null, matrix, ...sidesOf(drawn) };
  });

/** Whether a figure draws bytes as lengths; other figures draw them as points of a line, or as text. */
const WITH_BARS: Readonly<Record<AnyFigureName, boolean>> = {
  waterfall: true,
  fields: true,
  icicle: true,
  'break-even': false,
  widths: true,
  bytes: false,
  layers: true,
  matrix: true,
  compressed: true,
  pair: true,
};

/** The bars of a picture: the bytes of each, and its length in pixels. */
const barsOf = (markup: string): readonly { readonly bytes: number; readonly length: number }[] =>
  [...markup.matchAll(/<rect [^>]*data-bytes="([^"]+)"[^>]*>/g)].map(([bar, bytes]) => ({
    bytes: Number(bytes),
    length: Number(/ width="([^"]+)"/.exec(bar)![1]),
  }));

/**
 * Both ends of each bar are rounded to a hundredth of a pixel, also those of the longest bar, the reference for the
 * others.
 */
const ROUNDED = 0.021;

describe('equal lengths show equal bytes', () => {
  test.each((Object.keys(ALL_FIGURES) as AnyFigureName[]).filter((name) => WITH_BARS[name]))('%s', (name) => {
    fc.assert(
      fc.property(subject, fc.integer({ min: 280, max: 1400 }), (drawn, width) => {
        const drawing = ALL_FIGURES[name].draw(drawn, { id: 'x', width });
        if (drawing === undefined) return;
        const bars = barsOf(renderToStaticMarkup(drawing));
        const longest = bars.reduce((most, bar) => (bar.bytes > most.bytes ? bar : most), { bytes: 0, length: 0 });
        if (longest.bytes === 0) return;
        const perByte = longest.length / longest.bytes;
        for (const { bytes, length } of bars) expect(Math.abs(length - bytes * perByte)).toBeLessThan(ROUNDED);
      }),
      { numRuns: 150, endOnFailure: true },
    );
  });

  test.each((Object.keys(ALL_FIGURES) as AnyFigureName[]).filter((name) => WITH_BARS[name]))('%s has bars', (name) => {
    const layers = { ...emptyLayers(), message: 10, tcp: 2 };
    const from = { name: 'x', date: '2026-01-01', version: '0', coverage: null };
    const one: FigureSubject = {
      profile: hits,
      from,
      path: 'hits.version',
      layers,
      compressed: null,
      excerpt: null,
      matrix: matrixOf([9, 5]),
      ...sidesOf(hits),
    };
    const drawing = ALL_FIGURES[name].draw(one, { id: 'x', width: 700 })!;
    expect(barsOf(renderToStaticMarkup(drawing)).length).toBeGreaterThan(1);
  });
});
