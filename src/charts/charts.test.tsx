/** Each chart drawn from one real profile; the golden file is an SVG picture that can be opened. */

import { readFileSync } from 'node:fs';
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { analyze } from '#engine/analysis/analyze.ts';
import { bytesSource } from '#engine/bytes/source.ts';
import { compareProfile } from '#engine/cost/compare.ts';
import { segmentsOf } from '#engine/cost/ledger-segments.ts';
import type { FieldProfile, Profile } from '#engine/cost/profile.ts';
import { NATIVE_PROFILES } from '#engine/native/profiles.ts';
import { compileSchema } from '#engine/schema/compile.ts';
import { ledgersOf } from '#testing/ledgers-of.ts';
import { BreakEvenChart } from './break-even.tsx';
import { breakEven } from './break-even-geometry.ts';
import { CategoryPatterns } from './category-patterns.tsx';
import { causeSteps, waterfallEnds } from './cause-steps.ts';
import { LedgerBar } from './ledger-bar.tsx';
import { Waterfall } from './waterfall.tsx';
import { WidthHistogram } from './width-histogram.tsx';

const FIXTURES = new URL('../../fixtures/charts/', import.meta.url);
const hits: Profile = JSON.parse(readFileSync(new URL('opensearch-hits.profile.json', FIXTURES), 'utf8'));
const field = (path: string): FieldProfile => hits.fields.find((candidate) => candidate.path === path)!;
const waterfall = (width: number) => (
  <Waterfall id="w" {...waterfallEnds(hits)} steps={causeSteps(compareProfile(hits))} width={width} />
);

describe('goldens', () => {
  test.each<[name: string, chart: ReactNode]>([
    ['waterfall-wide', waterfall(960)],
    ['waterfall-narrow', waterfall(440)],
    ['waterfall-stacked', waterfall(320)],
    [
      'widths-version',
      <WidthHistogram
        key="w"
        id="w"
        widths={field('hits.version').widths.value!}
        of="value"
        measure="bytes"
        width={360}
      />,
    ],
    [
      'break-even-version',
      <BreakEvenChart key="b" id="b" even={breakEven(field('hits.version'), hits.pair, 'all')!} width={420} />,
    ],
    [
      'break-even-shard',
      <BreakEvenChart key="b" id="b" even={breakEven(field('hits.shard'), hits.pair, 'overhead')!} width={420} />,
    ],
    [
      'ledger-bars-id',
      <svg key="l" xmlns="http://www.w3.org/2000/svg" width={300} height={20} viewBox="0 0 300 20">
        <title>hits.id</title>
        <CategoryPatterns prefix="id" />
        <LedgerBar
          segments={segmentsOf(field('hits.id').ledgers['protobuf']!)}
          scale={260000}
          width={300}
          height={9}
          patterns="id"
          label="protobuf"
        />
        <LedgerBar
          segments={segmentsOf(field('hits.id').ledgers['laid-out']!)}
          scale={200000}
          width={300}
          height={9}
          y={11}
          patterns="id"
          label="native"
        />
      </svg>,
    ],
  ])('%s', async (name, chart) => {
    const svg = renderToStaticMarkup(chart).replaceAll('><', '>\n<');
    await expect(`${svg}\n`).toMatchFileSnapshot(new URL(`${name}.svg`, FIXTURES).pathname);
  });
});

test('the home page’s sample through the whole engine', async () => {
  const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url));
  const files = ['opensearch/search-hits.proto', 'opensearch/generic-value.proto', 'native/options.proto'];
  const { registry } = compileSchema(
    files.map((path) => ({ path, content: read(`schemas/${path}`).toString('utf8') })),
  );
  const { profiles } = await analyze(
    bytesSource('hits', new Uint8Array(read('public/samples/opensearch-search-hits.binpb'))),
    { textEncoding: 'binary', framing: 'single' },
    {
      type: registry.messages.get('org.opensearch.proto.search.SearchHitsProto'),
      nativeProfile: NATIVE_PROFILES.find(({ id }) => id === 'laid-out')!,
    },
  );
  const profile = profiles[0]!;

  const svg = renderToStaticMarkup(
    <Waterfall id="w" {...waterfallEnds(profile)} steps={causeSteps(compareProfile(profile))} width={960} />,
  );
  expect(svg).toContain('Native 9,125 bytes');
  expect(svg).toContain('protobuf 9,191 bytes.');
  await expect(`${svg.replaceAll('><', '>\n<')}\n`).toMatchFileSnapshot(
    new URL('waterfall-ten-hits.svg', FIXTURES).pathname,
  );
});

test('a picture without handlers is an image; with handlers its steps are labelled buttons', () => {
  expect(renderToStaticMarkup(waterfall(900))).not.toContain('role="button"');
  const live = renderToStaticMarkup(
    <Waterfall
      id="w"
      {...waterfallEnds({ pair: ['protobuf', 'laid-out'], ledgers: ledgersOf({ protobuf: 130, 'laid-out': 100 }) })}
      steps={[{ key: 'tags', label: 'Tags', bytes: 30 }]}
      width={900}
      selected="tags"
      onSelect={() => {}}
    />,
  );
  expect(live).toContain('aria-label="Tags: +30 bytes, +30.0\u00a0% of native"');
  expect(live).toContain('aria-pressed="true"');
  expect(live).toContain(' tabindex="0"');
});
