/** What may import what: ARCHITECTURE.md as rules. Tests may import anything; `scripts/boundaries.ts` proves each rule. */
const TESTS = '\\.(test|testing)\\.tsx?$|^src/testing/';

/** @param {string} name @param {string} comment @param {object} from @param {object} to */
const forbid = (name, comment, from, to) => ({
  name,
  comment,
  severity: 'error',
  from: { pathNot: TESTS, ...from },
  to,
});

/** Libraries that compress. */
const COMPRESSORS =
  '^(node_modules/(brotli-dec-wasm|@hpcc-js/wasm-zstd)|src/engine/compression/(brotli|gzip)-encoder)(/|$)';

/** The stages of the engine that know formats or schemas; the rest is ground every stage stands on. */
const stages = (/** @type {string[]} */ ...names) => `^src/engine/(${names.join('|')})(/|\\.ts$)`;

/** Those that turn bytes into profiles. Explorer, shape, advice, analysis and inspection are built on them. */
const STAGES = stages(
  ...['bytes', 'model', 'compression', 'text-format', 'capture', 'stream', 'frame'],
  ...['schema', 'wire', 'native', 'encodings', 'cost'],
);

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    forbid(
      'engine-is-pure',
      'The engine runs in a page, a worker, Node and a test alike: no Node, no React, nothing of the app around it.',
      { path: '^src/engine/' },
      {
        pathNot: [
          '^src/engine/',
          '^schemas/',
          '^node_modules/(protobufjs|@protobufjs|@bufbuild/protobuf|fflate)(/|$)',
          '^node_modules/@noble/(ciphers|hashes)(/|$)',
          COMPRESSORS,
        ],
      },
    ),
    forbid(
      'compressors-load-on-demand',
      'Their libraries are large: each is loaded by its row of the registry, and nowhere else.',
      {
        path: '.',
        pathNot: [
          TESTS,
          '^src/engine/compression/(compressors|brotli-encoder|gzip-encoder)/',
          '^worker/brotli-decoder\\.ts$',
          '^src/app/',
          '^(scripts|bench)/',
          '^node_modules/',
        ],
      },
      { path: COMPRESSORS },
    ),
    forbid(
      'ground-knows-no-stage',
      'Bytes, diagnostics and the annotation model are what stages agree on. The model names the facts of a field.',
      { path: stages('bytes', 'model') },
      {
        path: '^src/engine/',
        pathNot: [stages('bytes', 'model'), '^src/engine/schema/descriptor\\.ts$'],
      },
    ),
    forbid(
      'compression-knows-bytes-only',
      'Codecs are used by any stage, so they know none.',
      { path: stages('compression') },
      { path: '^src/engine/', pathNot: stages('bytes', 'model', 'compression') },
    ),
    forbid(
      'capture-comes-first',
      'Reading an input knows neither streams nor frames.',
      { path: stages('capture') },
      { path: stages('stream', 'frame') },
    ),
    forbid(
      'stream-comes-before-frame',
      'Reassembly does not know what the bytes are split into.',
      { path: stages('stream') },
      { path: stages('frame') },
    ),
    forbid(
      'framing-knows-no-schema',
      'Messages are found without knowing their types: any capture can be opened with no schema at all.',
      { path: stages('capture', 'stream', 'frame') },
      { path: stages('schema', 'wire', 'native', 'cost') },
    ),
    forbid(
      'costing-knows-no-framing',
      'A message is bytes, from any source. The inverse of the rule before.',
      { path: stages('schema', 'wire', 'native', 'cost', 'encodings') },
      { path: stages('capture', 'stream', 'frame') },
    ),
    forbid(
      'schema-knows-no-encoding',
      'A schema says what may be written, not how many bytes it takes.',
      { path: stages('schema') },
      { path: stages('wire', 'native', 'cost') },
    ),
    forbid(
      'wire-knows-no-native',
      'The protobuf side stands alone; native is measured with what it found.',
      { path: stages('wire') },
      { path: stages('native', 'cost', 'encodings') },
    ),
    forbid(
      'native-knows-no-cost',
      'An encoding does not judge itself.',
      { path: stages('native') },
      { path: stages('cost', 'encodings') },
    ),
    forbid(
      'encodings-know-no-cost',
      'An encoding writes a message; costing adds up what it wrote.',
      { path: stages('encodings') },
      { path: stages('cost') },
    ),
    forbid(
      'explore-looks-only',
      'Looking into a schema reads registry and layouts and knows no messages; no stage needs it.',
      { path: stages('explore') },
      { path: stages('capture', 'stream', 'frame', 'wire') },
    ),
    forbid('stages-need-no-explorer', 'The inverse of the rule before.', { path: STAGES }, { path: stages('explore') }),
    forbid(
      'shape-comes-last',
      'What leaves contents out is held against the figures; no stage needs it.',
      { path: STAGES },
      { path: stages('shape') },
    ),
    forbid(
      'analysis-is-on-top',
      'The analysis and the inspection of one message know the stages; no stage knows them.',
      { path: STAGES },
      { path: stages('analysis', 'inspect') },
    ),
    forbid(
      'advice-is-on-top',
      'Changes of a schema are measured on messages: no stage needs to know that there are any.',
      { path: STAGES },
      { path: stages('advise') },
    ),
    forbid(
      'advice-knows-no-framing',
      'A message is bytes, from any source; and the caller passes the compressor. A trained dictionary is a change itself.',
      { path: stages('advise') },
      {
        pathNot: '^src/engine/compression/dictionary/',
        path: stages(
          'compression',
          'capture',
          'stream',
          'frame',
          'encodings',
          'explore',
          'analysis',
          'inspect',
          'shape',
        ),
      },
    ),
    forbid(
      'protobuf-libraries-stay-in-schema',
      'Their objects never leave src/engine/schema. Elsewhere they are only opponents: in tests and in bench.',
      { path: '.', pathNot: [TESTS, '^src/engine/schema/', '^bench/', '^scripts/', '^node_modules/'] },
      { path: '^node_modules/(protobufjs|@protobufjs|@bufbuild/protobuf)(/|$)' },
    ),
    forbid(
      'permalink-knows-figures-only',
      'What travels is read by the page, by an embedded figure and by the command line: it knows none of them.',
      { path: '^src/permalink/' },
      {
        pathNot: [
          '^src/permalink/',
          '^src/engine/(bytes|compression|cost)/',
          '^src/engine/model/',
          '^src/engine/inspect/excerpt\\.ts$',
          '^node_modules/(valibot|fflate)(/|$)',
        ],
      },
    ),
    forbid(
      'worker-carries-the-engine-only',
      'worker/ holds no domain logic and knows no page.',
      { path: '^worker/', pathNot: TESTS },
      { pathNot: ['^worker/', '^src/engine/', '^schemas/', '^(node_modules/)?brotli-dec-wasm/'] },
    ),
    forbid(
      'wording-knows-the-engine-only',
      "A sentence is made of the engine's facts, so that every door can show it.",
      { path: '^src/wording/' },
      { pathNot: ['^src/wording/', '^src/engine/'] },
    ),
    forbid(
      'charts-are-pure',
      'A chart is a function of profiles and tables: the same draws the page, an export and a test.',
      { path: '^src/charts/' },
      {
        pathNot: [
          '^src/(charts|wording|engine)/',
          '^node_modules/(react|@types/react|d3-[a-z]+|@types/d3-[a-z]+)(/|$)',
        ],
      },
    ),
    forbid(
      'figures-stand-alone',
      'A figure is drawn from a profile for a page, a host page, a file: it knows charts and nothing that is alive.',
      { path: '^src/figures/' },
      {
        pathNot: [
          '^src/(figures|charts|wording|engine)/',
          '^node_modules/(react|react-dom|@types/react|@types/react-dom)(/|$)',
        ],
      },
    ),
    forbid(
      'embed-shows-a-link',
      'A frame in another page shows what its link carries: nothing that is alive, and no part of the app.',
      { path: '^src/embed/' },
      { path: ['^src/(state|views|app|cli|server|library)/', '^worker/'] },
    ),
    forbid(
      'state-knows-no-view',
      'State is what a page shows, not how: it talks to the worker and to the engine.',
      { path: '^src/state/' },
      {
        path: [
          '^src/(views|charts|figures|app|embed|cli)/',
          '^node_modules/react-dom(/|$)',
          '^node_modules/monaco-editor(/|$)',
        ],
      },
    ),
    forbid(
      'views-go-through-state',
      'Components never touch the worker, nor the application around them.',
      { path: '^src/views/' },
      { path: ['^worker/', '^src/(app|cli)/'] },
    ),
    forbid(
      'nothing-above-the-app',
      'app and cli are the two doors: nothing imports them, and neither imports the other.',
      { path: '^(src|worker)/', pathNot: [TESTS, '^src/(app|cli)/'] },
      { path: '^src/(app|cli)/' },
    ),
    forbid('app-knows-no-cli', 'Two doors.', { path: '^src/app/' }, { path: '^src/cli/' }),
    forbid(
      'cli-calls-the-engine-directly',
      'The command line needs no page and no worker; figures are drawn for it as for the page.',
      { path: '^src/cli/' },
      {
        path: [
          '^src/(charts|state|views|app|embed)/',
          '^worker/',
          '^node_modules/(react|react-dom|zustand|monaco-editor)(/|$)',
        ],
      },
    ),
    forbid(
      'library-is-the-engine',
      'The library runs in a browser as in Node: it offers the engine and adds nothing.',
      { path: '^src/library/' },
      { pathNot: ['^src/(library|engine)/'] },
    ),
    forbid(
      'no-test-code-in-the-product',
      'What ships imports no test, no fixture builder, no script.',
      { path: '^(src|worker)/' },
      { path: [TESTS, '^(scripts|bench|e2e)/'] },
    ),
    forbid('no-cycles', 'A cycle is one module in several files.', { path: '.', pathNot: [] }, { circular: true }),
    forbid(
      'no-unresolved',
      'An import that leads nowhere escapes every other rule.',
      { path: '.' },
      // The address of a package's file is the bundler's to find: the build fails where it cannot.
      { couldNotResolve: true, pathNot: '^[@\\w][\\w./-]*\\?url$' },
    ),
  ],
  options: {
    tsConfig: { fileName: 'config/tsconfig.node.json' },
    // Types count: a stage that needs another's types knows it.
    tsPreCompilationDeps: true,
    doNotFollow: { path: '^node_modules/' },
    enhancedResolveOptions: {
      conditionNames: ['import', 'types', 'default'],
      exportsFields: ['exports'],
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.json', '.d.ts'],
    },
  },
};
