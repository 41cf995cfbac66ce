import { expect, test } from 'vitest';
import { filesOf, type Manifest, partsOf } from './budget.ts';

const MANIFEST: Manifest = {
  'index.html': {
    file: 'index.js',
    isEntry: true,
    imports: ['_shared.js'],
    dynamicImports: ['src/views/code-editor.tsx'],
    css: ['index.css'],
  },
  '_shared.js': { file: 'shared.js', imports: ['index.html'] },
  'src/views/code-editor.tsx': { file: 'code-editor.js', imports: ['_monaco-editor.js', '_shared.js'] },
  '_monaco-editor.js': {
    file: 'monaco-editor.js',
    css: ['monaco.css'],
    assets: ['codicon.ttf'],
    imports: ['_shared.js'],
  },
  'schemas/big.proto?raw': { file: 'big.js' },
};

test('a load includes static imports, styles and assets, and ends on a cycle', () => {
  expect([...filesOf(MANIFEST, ['index.html'])]).toEqual(['index.js', 'index.css', 'shared.js']);
});

test('the worker’s part and the parts on demand hold each file once', () => {
  const withWorker = { ...MANIFEST, 'index.html': { ...MANIFEST['index.html']!, assets: ['engine.js'] } };
  const parts = partsOf(withWorker, {
    main: { first: ['engine.js', 'codes.js'], onDemand: ['explore.js', 'shared.js'] },
    'editor.worker': { first: ['editor.js'], onDemand: [] },
  });
  expect(Object.fromEntries(Object.entries(parts).map(([part, files]) => [part, [...files].sort()]))).toEqual({
    page: ['index.css', 'index.js', 'shared.js'],
    worker: ['codes.js', 'engine.js'],
    'on demand': [
      'big.js',
      'code-editor.js',
      'codicon.ttf',
      'editor.js',
      'explore.js',
      'monaco-editor.js',
      'monaco.css',
    ],
  });
});
