import { beforeEach, describe, expect, test } from 'vitest';
import type { Diagnostic } from '#engine/model/diagnostic.ts';
import { isSchemaName } from '#engine/model/schema-names.ts';
import { MISSING_PART } from '#wording/failure-words.ts';
import type { SchemaFile, SchemaSummary, SentFile } from '#worker/schema-api.ts';
import { MissingPart } from '../load-part.ts';
import { INITIAL_SESSION, type SessionState } from '../session-state.ts';
import { createSchemaFiles } from './schema-files.ts';

/** A worker that records its calls, and a browser storage that keeps files. */
let session: SessionState;
let sent: (readonly SentFile[])[];
let shelves: (readonly string[])[];
let held: number[];
let others: (readonly string[])[];
let kept: readonly SchemaFile[];
let missing: readonly string[];
let packed: readonly (readonly SchemaFile[])[];
let isPartMissing: boolean;
let files: ReturnType<typeof createSchemaFiles>;

beforeEach(() => {
  session = INITIAL_SESSION;
  sent = [];
  shelves = [];
  held = [];
  others = [];
  kept = [];
  missing = [];
  packed = [];
  isPartMissing = false;
  let part = 0;
  files = createSchemaFiles({
    session: () => session,
    setSession: (change) => {
      session = { ...session, ...change };
    },
    storage: {
      recall: async () => kept,
      remember: async (all) => {
        kept = all;
        return true;
      },
    },
    hold: async (some) => {
      held.push(some.length);
      return true;
    },
    unpack: async (archive) => {
      part = archive === null ? part + 1 : 0;
      return { files: packed[part] ?? [], diagnostics: archive === null ? [] : [FAULT] };
    },
    compile: async (given, shelf) => {
      sent.push(given);
      shelves.push(shelf.map(({ path }) => path));
      const found = missing.filter((path) => !shelf.some((file) => file.path === path));
      const summary = { missing: found.map((path) => ({ path, importedBy: [] })), diagnostics: [] };
      return summary as unknown as SchemaSummary;
    },
    compileOther: async (given) => {
      others.push(given.map(({ path }) => path));
      return { missing: [] } as unknown as SchemaSummary;
    },
    changed: () => ({}),
    rerun: async () => {
      await read();
    },
    readText: async (path) => {
      if (isPartMissing) throw new MissingPart('');
      return { text: `text of ${path}`, from: 'app' };
    },
    findSchema: (imported) => (imported.startsWith('google/') ? imported : undefined),
    shippedFiles: async (paths) => paths.map((path) => ({ path, content: '' })),
  });
});

const FAULT: Diagnostic = {
  code: 'schema/unreadable',
  severity: 'error',
  message: 'It cannot be unpacked.',
  space: 'schema',
  start: 0,
  end: 0,
};

async function read(): Promise<void> {
  const schema = await files.read(new AbortController().signal);
  session = { ...session, schema };
}

const paths = () => session.schemaFiles.map(({ path }) => path);
const named = (path: string, text = '') => ({ path, file: new File([text], path.slice(path.lastIndexOf('/') + 1)) });

describe('a folder', () => {
  test('gives the files that hold schemas by their name', async () => {
    const given = ['p/a.proto', 'p/README.md', 'p/set.binpb', 'p/node_modules/b.proto', 'p/.x/c.proto'];
    const found = await files.actions.addFolder(given.map((path) => named(path)));
    expect(found).toBe(true);
    expect(paths()).toEqual(['p/a.proto', 'p/set.binpb']);
    expect(kept.map(({ path }) => path)).toEqual(paths());
  });

  test('a folder without schemas adds none', async () => {
    expect(await files.actions.addFolder([named('p/README.md')])).toBe(false);
    expect(sent).toEqual([]);
  });

  test('drops the root that no import names', async () => {
    await files.actions.addFolder([
      named('repo/protos/a/b.proto'),
      named('repo/protos/c.proto'),
      named('other/d.proto'),
    ]);
    await files.actions.setSchemaRoot('/repo/protos/');
    expect(paths()).toEqual(['a/b.proto', 'c.proto', 'other/d.proto']);
  });
});

describe('an archive', () => {
  const text = (path: string): SchemaFile => ({ path, content: new Blob([path]) });
  const ZIP = new File([Uint8Array.of(0x50, 0x4b, 3, 4)], 'all.zip');
  const load = async () => {
    files.add([{ path: 'all.zip', content: ZIP }]);
    await read();
  };

  test('is listed by its files, which stay in the worker, under a root', async () => {
    await files.actions.addSchemaText('message First {}');
    packed = [[text('repo/protos/a.proto'), text('repo/protos/b/c.proto')], [text('repo/d.proto')]];
    await load();
    expect(paths()).toEqual(['schema.proto', 'repo/protos/a.proto', 'repo/protos/b/c.proto', 'repo/d.proto']);
    expect(sent.at(-1)!.map(({ content }) => content)).toEqual([null, null, null, null]);
    expect(kept.map(({ path }) => path)).toEqual(paths());
    expect(session).toMatchObject({ openFile: null, schemaTabs: ['schema.proto'], schema: { diagnostics: [FAULT] } });
    await files.actions.setSchemaRoot('repo/protos');
    expect(paths()).toEqual(['schema.proto', 'a.proto', 'b/c.proto', 'repo/d.proto']);
    expect(session.schema).toMatchObject({ diagnostics: [FAULT] });
    await files.actions.forgetSchema();
    expect(session.schema).toMatchObject({ diagnostics: [] });
  });

  test('replaces files of the same paths', async () => {
    await files.actions.addFolder([named('a.proto', 'old'), named('b.proto', 'own')]);
    packed = [[text('a.proto')]];
    await load();
    expect(paths()).toEqual(['b.proto', 'a.proto']);
  });

  test('an empty archive stays in the list, is unpacked once, and has its own finding', async () => {
    await load();
    packed = [[text('a.proto')]];
    await files.actions.addSchemaText('message A {}');
    expect(paths()).toEqual(['all.zip', 'schema.proto']);
    expect(session.schema).toMatchObject({ diagnostics: [] });
  });
});

test('files are remembered before they are compiled: another tab may open during the read', async () => {
  const adding = files.actions.addSchemaText('message A {}');
  expect(kept.map(({ path }) => path)).toEqual(['schema.proto']);
  expect(sent).toEqual([]);
  await adding;
});

test('files are sent to the worker once', async () => {
  await files.actions.addSchemaText('message A {}');
  await files.actions.addSchemaText('message B {}');
  expect(sent.map((given) => given.map(({ content }) => content))).toEqual([['message A {}'], [null, 'message B {}']]);
});

test('hundreds of files are sent in batches', async () => {
  await files.actions.addFolder(Array.from({ length: 250 }, (_, index) => named(`${index}.proto`)));
  expect(held).toEqual([100, 100]);
  expect(sent[0]!.filter(({ content }) => content !== null)).toHaveLength(50);
});

test('a file that was deleted from the disk is marked as unreadable', async () => {
  const gone = new File(['message A {}'], 'a.proto');
  gone.text = () => Promise.reject(new DOMException('The file could not be found', 'NotFoundError'));
  await files.actions.addFolder([{ path: 'a.proto', file: gone }]);
  await files.actions.openSchemaFile('a.proto');
  expect(session.readTexts).toEqual({ 'a.proto': null });
  expect(session.schemaFiles[0]!.content).toBe(gone);
  expect(await files.actions.schemaText('a.proto')).toBeNull();
});

test('looking at a file of a folder sends nothing', async () => {
  await files.actions.addFolder([named('a.proto', 'message A {}')]);
  await files.actions.openSchemaFile('a.proto');
  expect(session.schemaFiles).toEqual([{ path: 'a.proto', content: 'message A {}' }]);
  expect(session).toMatchObject({ openFile: 'a.proto', schemaTabs: ['a.proto'] });
  await files.actions.addSchemaText('message B {}');
  expect(sent.at(-1)).toEqual([
    { path: 'a.proto', content: null },
    { path: 'schema.proto', content: 'message B {}' },
  ]);
});

test('a missing import takes the path it is imported by', async () => {
  await files.actions.addMissing('lib/money.proto', new File(['message Money {}'], 'money (1).proto'));
  expect(paths()).toEqual(['lib/money.proto']);
});

test('a file that ships with the app is fetched for every file that imports it', async () => {
  missing = ['google/type/date.proto', 'missing/file.proto'];
  await files.actions.addSchemaText('import "google/type/date.proto";');
  expect(shelves).toEqual([[], ['google/type/date.proto']]);
});

test('remembered files come back, unless others are loaded already', async () => {
  kept = [{ path: 'old.proto', content: 'message Old {}' }];
  await files.recall();
  expect(paths()).toEqual(['old.proto']);
  await files.actions.forgetSchema();
  expect([paths(), kept]).toEqual([[], []]);
  await files.actions.addSchemaText('message New {}');
  await files.recall();
  expect(paths()).toEqual(['schema.proto']);
});

test('the kept files are forgotten while a sample shows its own', async () => {
  kept = [{ path: 'mine.proto', content: 'message Mine {}' }];
  session = { ...session, schemaFiles: [{ path: 'its.proto', content: 'message Its {}' }], setAside: kept };
  await files.actions.forgetOwnSchema();
  expect([paths(), session.setAside, kept]).toEqual([['its.proto'], [], []]);
  session = { ...session, schemaFiles: [{ path: 'mine.proto', content: 'message Mine {}' }], setAside: null };
  await files.actions.forgetOwnSchema();
  expect([paths(), kept]).toEqual([[], []]);
});

test('the schema of a sample is not remembered, but files loaded beside it are', async () => {
  kept = [{ path: 'mine.proto', content: 'message Mine {}' }];
  session = { ...session, schemaFiles: [{ path: 'its.proto', content: 'message Its {}' }], setAside: kept };
  files.actions.editSchema('its.proto', 'message Its { string name = 1; }');
  await files.actions.addSchemaText('message Another {}');
  expect(paths()).toEqual(['its.proto', 'schema.proto']);
  expect(kept.map(({ path }) => path)).toEqual(['mine.proto', 'schema.proto']);
});

test('remembered files are kept aside while a link that was opened first is shown', async () => {
  kept = [{ path: 'mine.proto', content: 'message Mine {}' }];
  session = { ...session, schemaFiles: [{ path: 'its.proto', content: 'message Its {}' }], setAside: [] };
  await files.recall();
  expect(session).toMatchObject({ schemaFiles: [{ path: 'its.proto' }], setAside: [{ path: 'mine.proto' }] });
});

test('a second version is kept separately, and is not remembered', async () => {
  await files.actions.addFolder([named('a.proto')]);
  await files.actions.openOther([named('b.proto'), named('docs/README.md'), named('all.zip')]);
  expect(others).toEqual([['b.proto', 'all.zip']]);
  expect(session.otherSchema).not.toBeNull();
  expect(kept.map(({ path }) => path)).toEqual(['a.proto']);
  await files.actions.openOther([]);
  expect(session.otherSchema).toBeNull();
});

test('closing a tab shows the one before', async () => {
  await files.actions.addFolder([named('a.proto'), named('b.proto')]);
  await files.actions.openSchemaFile('a.proto');
  await files.actions.openSchemaFile('b.proto');
  files.actions.closeSchemaTab('b.proto');
  expect(session).toMatchObject({ openFile: 'a.proto', schemaTabs: ['a.proto'] });
});

test.each([
  ['a/b.proto', true],
  ['descriptors.binpb', true],
  ['set.PB', true],
  ['all.desc', true],
  ['README.md', false],
  ['proto', false],
])('%s: %s', (path, is) => {
  expect(isSchemaName(path)).toBe(is);
});

test('pasted text of the same package and type replaces what was pasted before; another file is added', async () => {
  const paths = () => session.schemaFiles.map(({ path, content }) => `${path} ${String(content).length}`);
  await files.actions.addSchemaText('package a;\nmessage Hit {}');
  await files.actions.addSchemaText('package a;\nmessage Hit { int64 id = 1; }');
  expect(paths()).toEqual(['schema.proto 40']);
  await files.actions.addSchemaText('package a;\nmessage Other {}');
  await files.actions.addSchemaText('package b;\nmessage Hit {}');
  expect(paths()).toHaveLength(3);
});

test.each([
  ['in one line', 'package a; message Hit {}', 'syntax = "proto3"; package a; message Hit { int64 id = 1; }', 1],
  [
    'what comments and texts say is not declared',
    'package a; message Hit {}',
    '// message Hit {}\npackage a; option x = "message Hit {";',
    2,
  ],
  [
    'a million comments without an end',
    'package a; message Hit {}',
    `package a; message Hit {}${'/* '.repeat(1e6)}`,
    1,
  ],
  ['a million quotes in a text without an end', 'message Hit {}', `message Hit {} "${'\\"'.repeat(1e6)}`, 1],
  ['nested types are others', 'package a; message Hit {}', 'package a; message Outer { message Hit {} }', 2],
])('pasted again, %s', async (_, before, after, expected) => {
  await files.actions.addSchemaText(before);
  await files.actions.addSchemaText(after);
  expect(session.schemaFiles).toHaveLength(expected);
});

test('a new file reports its path, so that it can be shown', () => {
  expect(files.actions.addSchemaFile()).toBe('schema.proto');
  expect(session.openFile).toBe('schema.proto');
});

test('the text of a file is requested again after the part of the app that prints it was missing', async () => {
  session = { ...session, schema: { missing: [], diagnostics: [] } as unknown as SchemaSummary };
  isPartMissing = true;
  await files.actions.openSchemaFile('a.proto');
  expect(session).toMatchObject({ failure: MISSING_PART, readTexts: {} });
  expect(await files.actions.schemaText('a.proto')).toBeNull();
  isPartMissing = false;
  expect(await files.actions.schemaText('a.proto')).toBe('text of a.proto');
});
