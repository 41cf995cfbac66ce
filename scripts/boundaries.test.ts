/** Every boundary rule, broken once in a small project of its own. */
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Cruise, cruiseProject, RULES } from './boundaries.ts';

const root = fileURLToPath(new URL('../', import.meta.url));

/** File → what it imports, and the rules that speak; none: it may. */
const CASES: readonly { readonly from: string; readonly imports: string; readonly rules: readonly string[] }[] = [
  { from: 'src/engine/bytes/reads-file.ts', imports: 'node:fs', rules: ['engine-is-pure'] },
  { from: 'src/engine/cost/draws.ts', imports: 'react', rules: ['engine-is-pure'] },
  { from: 'src/engine/cost/calls-worker.ts', imports: '#worker/protocol.ts', rules: ['engine-is-pure'] },
  { from: 'src/engine/cost/reads-state.ts', imports: '#state/store.ts', rules: ['engine-is-pure'] },
  { from: 'src/engine/capture/inflates.ts', imports: 'fflate', rules: [] },
  { from: 'src/engine/bytes/knows-frame.ts', imports: '../frame/message.ts', rules: ['ground-knows-no-stage'] },
  { from: 'src/engine/model/annotation.ts', imports: '../schema/descriptor.ts', rules: [] },
  { from: 'src/engine/model/diagnostic.ts', imports: '../wire/annotate.ts', rules: ['ground-knows-no-stage'] },
  {
    from: 'src/engine/compression/knows-capture.ts',
    imports: '../capture/read.ts',
    rules: ['compression-knows-bytes-only'],
  },
  { from: 'src/engine/capture/knows-stream.ts', imports: '../stream/join.ts', rules: ['capture-comes-first'] },
  { from: 'src/engine/stream/knows-frame.ts', imports: '../frame/message.ts', rules: ['stream-comes-before-frame'] },
  { from: 'src/engine/stream/knows-capture.ts', imports: '../capture/read.ts', rules: [] },
  { from: 'src/engine/frame/knows-schema.ts', imports: '../schema/descriptor.ts', rules: ['framing-knows-no-schema'] },
  { from: 'src/engine/cost/knows-frame.ts', imports: '../frame/message.ts', rules: ['costing-knows-no-framing'] },
  { from: 'src/engine/schema/knows-wire.ts', imports: '../wire/annotate.ts', rules: ['schema-knows-no-encoding'] },
  { from: 'src/engine/wire/knows-native.ts', imports: '../native/layout.ts', rules: ['wire-knows-no-native'] },
  { from: 'src/engine/wire/knows-schema.ts', imports: '../schema/descriptor.ts', rules: [] },
  { from: 'src/engine/native/knows-cost.ts', imports: '../cost/profile.ts', rules: ['native-knows-no-cost'] },
  { from: 'src/engine/encodings/knows-cost.ts', imports: '../cost/profile.ts', rules: ['encodings-know-no-cost'] },
  { from: 'src/engine/cost/knows-encodings.ts', imports: '../encodings/losses.ts', rules: [] },
  { from: 'src/engine/explore/knows-wire.ts', imports: '../wire/annotate.ts', rules: ['explore-looks-only'] },
  { from: 'src/engine/explore/knows-layout.ts', imports: '../native/layout.ts', rules: [] },
  { from: 'src/engine/schema/knows-catalog.ts', imports: '../explore/catalog.ts', rules: ['stages-need-no-explorer'] },
  { from: 'src/engine/cost/knows-shape.ts', imports: '../shape/make-shape.ts', rules: ['shape-comes-last'] },
  { from: 'src/engine/cost/knows-pipeline.ts', imports: '../analysis/analyze.ts', rules: ['analysis-is-on-top'] },
  { from: 'src/engine/encodings/knows-pipeline.ts', imports: '../analysis/analyze.ts', rules: ['analysis-is-on-top'] },
  { from: 'src/embed/keeps-state.ts', imports: '#state/store.ts', rules: ['embed-shows-a-link'] },
  { from: 'src/engine/cost/advises.ts', imports: '../advise/advise.ts', rules: ['advice-is-on-top'] },
  { from: 'src/engine/advise/frames.ts', imports: '../frame/message.ts', rules: ['advice-knows-no-framing'] },
  { from: 'src/engine/wire/decodes.ts', imports: 'protobufjs', rules: ['protobuf-libraries-stay-in-schema'] },
  {
    from: 'worker/decodes.ts',
    imports: '@bufbuild/protobuf',
    rules: ['protobuf-libraries-stay-in-schema', 'worker-carries-the-engine-only'],
  },
  { from: 'src/engine/schema/parses.ts', imports: 'protobufjs', rules: [] },
  { from: 'src/engine/cost/compresses.ts', imports: '@hpcc-js/wasm-zstd', rules: ['compressors-load-on-demand'] },
  { from: 'src/engine/compression/compressors/zstd.ts', imports: '@hpcc-js/wasm-zstd', rules: [] },
  { from: 'src/engine/wire/against.test.ts', imports: 'protobufjs', rules: [] },
  { from: 'src/permalink/draws.ts', imports: 'react', rules: ['permalink-knows-figures-only'] },
  { from: 'src/permalink/knows-state.ts', imports: '#state/store.ts', rules: ['permalink-knows-figures-only'] },
  { from: 'src/permalink/checks.ts', imports: 'valibot', rules: [] },
  { from: 'src/state/shares.ts', imports: '#permalink/shared.ts', rules: [] },
  { from: 'worker/knows-state.ts', imports: '#state/store.ts', rules: ['worker-carries-the-engine-only'] },
  { from: 'src/wording/draws.ts', imports: 'react', rules: ['wording-knows-the-engine-only'] },
  { from: 'src/charts/knows-state.tsx', imports: '#state/store.ts', rules: ['charts-are-pure'] },
  { from: 'src/charts/draws.tsx', imports: 'react', rules: [] },
  { from: 'src/figures/knows-state.tsx', imports: '#state/store.ts', rules: ['figures-stand-alone'] },
  { from: 'src/figures/draws.tsx', imports: 'react', rules: [] },
  { from: 'src/state/knows-view.ts', imports: '#views/table.tsx', rules: ['state-knows-no-view'] },
  { from: 'src/state/starts-worker.ts', imports: '#worker/main.ts?worker&inline', rules: [] },
  { from: 'src/views/knows-worker.ts', imports: '#worker/protocol.ts', rules: ['views-go-through-state'] },
  { from: 'src/views/starts-worker.ts', imports: '#worker/main.ts?worker&inline', rules: ['views-go-through-state'] },
  {
    from: 'src/views/knows-app.ts',
    imports: '#app/main.tsx',
    rules: ['nothing-above-the-app', 'views-go-through-state'],
  },
  { from: 'src/charts/knows-cli.ts', imports: '../cli/main.ts', rules: ['charts-are-pure', 'nothing-above-the-app'] },
  { from: 'src/app/knows-cli.ts', imports: '../cli/main.ts', rules: ['app-knows-no-cli'] },
  { from: 'src/cli/knows-state.ts', imports: '#state/store.ts', rules: ['cli-calls-the-engine-directly'] },
  { from: 'src/cli/reads-file.ts', imports: 'node:fs', rules: [] },
  { from: 'src/library/reads-file.ts', imports: 'node:fs', rules: ['library-is-the-engine'] },
  { from: 'src/app/builds-fixture.ts', imports: '#testing/build.ts', rules: ['no-test-code-in-the-product'] },
  { from: 'src/views/cycle-back.ts', imports: './cycle.ts', rules: ['no-cycles'] },
  { from: 'src/app/nowhere.ts', imports: './missing.ts', rules: ['no-unresolved'] },
];

const TARGETS = [
  'src/engine/frame/message.ts',
  'src/engine/wire/annotate.ts',
  'src/engine/capture/read.ts',
  'src/engine/stream/join.ts',
  'src/engine/schema/descriptor.ts',
  'src/engine/native/layout.ts',
  'src/engine/encodings/losses.ts',
  'src/engine/cost/profile.ts',
  'src/engine/shape/make-shape.ts',
  'src/engine/advise/advise.ts',
  'src/engine/analysis/analyze.ts',
  'src/engine/explore/catalog.ts',
  'src/testing/build.ts',
  'src/permalink/shared.ts',
  'src/state/store.ts',
  'src/views/table.tsx',
  'src/app/main.tsx',
  'src/cli/main.ts',
  'worker/protocol.ts',
  'worker/main.ts',
];

let project: string;
let cruised: Cruise;

beforeAll(async () => {
  project = realpathSync(mkdtempSync(join(tmpdir(), 'wirecost-boundaries-')));
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(project, path)), { recursive: true });
    writeFileSync(join(project, path), text);
  };
  write('package.json', readFileSync(`${root}package.json`, 'utf8'));
  for (const name of ['react', 'valibot', 'fflate', '@hpcc-js/wasm-zstd', 'protobufjs', '@bufbuild/protobuf']) {
    write(`node_modules/${name}/package.json`, JSON.stringify({ name, version: '1.0.0', main: 'index.js' }));
    write(`node_modules/${name}/index.js`, '');
  }
  // A cycle is reported once, at one of its ends.
  write('src/views/cycle.ts', "import type {} from './cycle-back.ts';\nexport {};\n");
  for (const target of TARGETS) write(target, 'export type It = 1;\n');
  for (const { from, imports } of CASES) write(from, `import type {} from '${imports}';\nexport {};\n`);
  cruised = await cruiseProject(project, ['src', 'worker']);
}, 60_000);

afterAll(() => rmSync(project, { recursive: true }));

test.each(CASES)('$from → $imports', ({ from, rules }) => {
  const spoken = cruised.violations.filter((violation) => violation.from === from).map(({ rule }) => rule);
  expect([...new Set(spoken)].sort()).toEqual([...rules].sort());
});

test('every rule has a case that breaks it', () => {
  const broken = new Set(CASES.flatMap(({ rules }) => rules));
  expect(RULES.map(({ name }) => name).filter((name) => !broken.has(name))).toEqual([]);
});
