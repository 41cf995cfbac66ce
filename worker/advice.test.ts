/** Advice over a real channel: the rows that the page gets for the sample, and the result of chosen changes. */
import { readFileSync } from 'node:fs';
import { afterEach, expect, test } from 'vitest';
import { pathAt } from '#engine/inspect/row-address.ts';
import { lineDiff } from '#engine/schema/edit/unified-diff.ts';
import type { Advised, AdviseParams } from './advise-api.ts';
import { type Client, connect } from './connect.ts';
import { ALL } from './requests.testing.ts';
import { serve } from './serve.ts';
import { createSession } from './session.ts';

const ROOT = new URL('../', import.meta.url);
const HIT = 'org.opensearch.proto.search.SearchHitProto';
const SHOWN = 'org.opensearch.proto.search.SearchHitsProto';
const PATHS = [
  'opensearch/search-hits.proto',
  'opensearch/generic-value.proto',
  'opensearch/profiles.proto',
  'native/options.proto',
];

const open: MessageChannel[] = [];
afterEach(() => {
  for (const { port1, port2 } of open.splice(0)) {
    port1.close();
    port2.close();
  }
});

async function startWithSample(): Promise<Client> {
  const channel = new MessageChannel();
  open.push(channel);
  serve(channel.port2, createSession());
  const client = connect(channel.port1);
  const files = PATHS.map((path) => ({ path, content: readFileSync(new URL(`schemas/${path}`, ROOT), 'utf8') }));
  await client.call('setSchema', { files });
  const data = new Blob([new Uint8Array(readFileSync(new URL('public/samples/opensearch-search-hits.binpb', ROOT)))]);
  await client.call('openInput', { name: 'hits', data });
  return client;
}

const PARAMS: AdviseParams = {
  type: SHOWN,
  types: {},
  nativeProfile: 'opensearch',
  overrides: {},
  scope: ALL,
  shown: SHOWN,
  compressor: 'snappy',
};

const toSint = (field: string) => ({ change: 'type', message: HIT, field, from: 'int64', to: 'sint64' }) as const;

test('advice arrives row by row, and chosen changes are measured together', async () => {
  const client = await startWithSample();
  const grown: Advised[] = [];
  const outcome = await client.call('advise', PARAMS, {
    onSoFar: (advised) => {
      if ('rows' in advised) grown.push(advised);
    },
  });
  const advised = outcome.ok && 'rows' in outcome.value ? outcome.value : undefined;
  expect(grown[0]?.rows).toHaveLength(1);
  expect(advised?.rows.every(({ isSettled }) => isSettled)).toBe(true);
  expect(advised).toMatchObject({ type: SHOWN, rankedBy: 'snappy', before: { bytes: 9191 }, messages: 1, outOf: 1 });

  const changes = [toSint('version'), toSint('seq_no')];
  const applied = await client.call('applyChanges', { ...PARAMS, changes });
  const value = applied.ok && 'row' in applied.value ? applied.value : undefined;
  expect(value?.row).toMatchObject({
    saved: { bytes: 180 },
    deployed: { after: { bytes: 9031 }, saved: { bytes: 160 } },
  });
  // In the patch both fields have numbers above 15, whose tags take two bytes.
  expect(value?.diff.causes).toEqual([
    { cause: 'value', bytes: -180 },
    { cause: 'tag', bytes: 20 },
  ]);
  expect(value?.patch).toContain('+  reserved 2, 3;');
  expect(value?.files[0]?.text).toContain('sint64 version = 17');

  const refused = await client.call('applyChanges', { ...PARAMS, changes: [{ ...toSint('version'), to: 'uint32' }] });
  expect(refused).toEqual({ ok: true, value: { refused: `${HIT}.version has a value that uint32 cannot hold` } });

  const sets = [/^Declare version .* sint:/, /^Leave out sort_values/, /^Declare version .* fixed:/].map(
    (title) => advised!.rows.find((row) => title.test(row.title))!,
  );
  const clash = await client.call('applyChanges', { ...PARAMS, changes: sets.flatMap((set) => set.changes) });
  expect(clash).toMatchObject({ value: { clashing: [sets[0]!.title, sets[2]!.title] } });

  const files = await client.call('editableFiles', PARAMS);
  const [file] = files.ok && 'length' in files.value ? files.value : [];
  expect(file?.path).toBe('opensearch/search-hits.proto');
  const edit = async (from: string | RegExp, to: string, others: readonly unknown[] = []) => {
    const text = file!.text.replace(from, to);
    expect(text).not.toBe(file!.text);
    const diff = lineDiff(file!.path, file!.text, text).split('\n').slice(0, -1);
    const edited = { change: 'edited text', file: file!.path, diff };
    const found = await client.call('applyChanges', { ...PARAMS, changes: [edited, ...others] });
    return found.ok ? found.value : undefined;
  };
  const edited = await edit('int64 version =', 'sint64 revision =');
  expect(edited).toMatchObject({
    row: { after: { bytes: 9191 - 90 }, compatibility: { binary: 'unsafe' } },
    edited: { lost: [], comparison: { sides: { binary: 'unsafe' } } },
    patch: expect.stringMatching(/^\+.*sint64 revision = 2/m),
  });
  expect(edited && 'edited' in edited && edited.edited?.pairs).toContainEqual({
    before: `${HIT}.version`,
    after: `${HIT}.revision`,
    by: 'number',
  });
  // As many bytes are lost as the field takes, and nothing is saved.
  expect(await edit('int64 version =', 'string version =')).toMatchObject({
    row: { saved: { bytes: 0 }, deployed: { after: { bytes: 9191 - 110 }, saved: { bytes: 0 } } },
    edited: { lost: [`${HIT}.version`], lostSize: { bytes: 110 } },
  });
  expect(await edit('int64 version =', 'int65 version =')).toMatchObject({
    faults: [{ severity: 'error', file: 'opensearch/search-hits.proto' }],
  });
  // Together with a ticked row: one patch for both.
  const both = await edit('int64 version =', 'sint64 revision =', [toSint('seq_no')]);
  expect(both).toMatchObject({ row: { saved: { bytes: 180 } } });
  expect(both && 'patch' in both && both.patch).toMatch(/\+ {2}sint64 revision = 2[\s\S]*\+ {2}sint64 seq_no = 17/);
  const other = { change: 'edited text', file: file!.path, diff: ['@@ -1,1 +1,1 @@', '-not its first line', '+it'] };
  expect(await client.call('applyChanges', { ...PARAMS, changes: [other] })).toEqual({
    ok: true,
    value: { refused: `${file!.path} is not the file that was edited` },
  });

  const message = await client.call('appliedMessage', { ...PARAMS, changes, at: 0 });
  const bytes = message.ok && 'before' in message.value ? message.value : undefined;
  expect([bytes?.before.bytes.length, bytes?.after.bytes.length, bytes?.messages]).toEqual([9191, 9031, 1]);
  expect(bytes && pathAt(bytes.after, bytes.after.table.length - 1)).toContain('hits');

  const below = await client.call('belowLimit', { ...PARAMS, limit: 9000 });
  expect(below).toMatchObject({ ok: true, value: { largest: 9191, changes: { largest: 8971 } } });
});

test('interrupted advice continues where it stopped, and ends as if it had not been', async () => {
  const client = await startWithSample();
  const stop = new AbortController();
  let seen = 0;
  const first = await client.call('advise', PARAMS, {
    signal: stop.signal,
    onSoFar: (advised) => {
      seen = 'rows' in advised ? advised.rows.length : 0;
      if (seen === 3) stop.abort();
    },
  });
  expect([first.ok, seen]).toEqual([false, 3]);
  const grown: number[] = [];
  const second = await client.call('advise', PARAMS, {
    onSoFar: (advised) => 'rows' in advised && grown.push(advised.rows.length),
  });
  expect(grown[0]).toBeGreaterThanOrEqual(3);
  const whole = await (await startWithSample()).call('advise', PARAMS);
  const rowsOf = (outcome: typeof whole) =>
    outcome.ok && 'rows' in outcome.value ? outcome.value.rows.map(({ title, saved }) => [title, saved.bytes]) : null;
  expect(rowsOf(second)).toEqual(rowsOf(whole));
});
