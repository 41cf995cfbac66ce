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

test('a load takes static imports, styles and assets along, and ends on a cycle', () => {
  expect([...filesOf(MANIFEST, ['index.html'])]).toEqual(['index.js', 'index.css', 'shared.js']);
});

test('what comes on demand is what it adds to the first load, each file once', () => {
  expect([...partsOf(MANIFEST)['on demand']].sort()).toEqual([
    'big.js',
    'code-editor.js',
    'codicon.ttf',
    'monaco-editor.js',
    'monaco.css',
  ]);
});
